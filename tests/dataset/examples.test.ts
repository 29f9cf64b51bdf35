import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { datasetFormats } from '../../src/dataset/formats/index.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import { temporaryFolder } from '../temporary.ts'

const page = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'datasets.md'),
  'utf8',
)
/** Sections of one format each. */
const sections = page.split(/^## /m).filter((section) => datasetFormats.byName.has(section.split(/[,\n]/)[0]))

test.each(sections.map((section) => [section.split('\n')[0], section]))(
  'the example of %s loads',
  async (title, section) => {
    const files = Object.fromEntries(
      [...section.matchAll(/^```text (\S+)\n([\s\S]*?)^```/gm)].map(([, file, text]) => [file, text]),
    )
    const format = title.split(',')[0]
    const questions: Record<string, string> =
      'questions.jsonl' in files ? { questions: 'questions.jsonl' } : {}
    const dataset = await loadDataset(
      { name: format, params: { path: '.', ...questions } },
      temporaryFolder(files),
    )
    expect(dataset.documents.length).toBeGreaterThan(0)
    if (title === 'folder') return
    expect(dataset.queries.length).toBeGreaterThan(0)
    expect(dataset.qrels.size + dataset.spans.size).toBeGreaterThan(0)
    expect(dataset.judgedUnit).toBe(format === 'folder' ? 'span' : 'document')
  },
)
