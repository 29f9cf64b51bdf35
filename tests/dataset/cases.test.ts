import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../src/dataset/detect.ts'
import { datasetFormats } from '../../src/dataset/formats/index.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import { UserError } from '../../src/errors.ts'
import { folderOf, testCases } from '../case-files.ts'

/**
 * Every case of tests/golden/datasets is loaded: `load: FORMAT PARAMS` by its format, `open: PATH` by the detected one. The dataset, or
 * the error, is compared to `NAME.expected.txt`, which `npx vitest run tests/dataset/cases -u` writes.
 */
const golden = join(import.meta.dirname, '../golden/datasets')
/** Files that other programs wrote. Cases without files read these. */
const formats = join(import.meta.dirname, '../golden/formats')

async function outcome(folder: string, line: string): Promise<string[]> {
  const [, how, target, params = '{}'] = /^(load|open): (\S+)(?: (.*))?$/.exec(line) ?? []
  const lines = [line]
  try {
    const isOpen = how === 'open'
    const name = isOpen ? detectFormat(join(folder, target)) : target
    if (isOpen) lines.push(`read as ${name}`)
    const dataset = await loadDataset(
      { name, params: { path: isOpen ? target : '.', ...JSON.parse(params) } },
      folder,
    )
    lines.push(...linesOf(dataset))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    // Node words the end of some messages, and the list of formats changes.
    const message = error.message
      .replaceAll(`${folder}/`, '')
      .replaceAll(folder, '.')
      .replace(/(:\d+)(?::\d+)?: is not valid JSON: .*$/gm, '$1: is not valid JSON: ...')
      .replace(/Touchstone reads beir, .*? \(/, 'Touchstone reads ... (')
    lines.push(`refused: ${message}`)
  }
  return lines
}

function linesOf({
  documents,
  queries,
  qrels,
  groups,
  spans,
  judgedUnit,
  missingGold,
  notices,
}: Dataset): string[] {
  const fields = (values: object) => JSON.stringify(values).slice(1, -1)
  return [
    ...documents.map(({ id, metadata, ...texts }) => `document ${id}: ${fields({ ...texts, ...metadata })}`),
    ...queries.map(({ id, metadata, ...texts }) => `query ${id}: ${fields({ ...texts, ...metadata })}`),
    ...[...qrels].map(([query, grades]) => `qrels ${query}: ${fields(Object.fromEntries(grades))}`),
    ...[...groups].map(([query, groups]) => `groups ${query}: ${JSON.stringify(groups)}`),
    ...[...spans].map(([query, spans]) => `spans ${query}: ${JSON.stringify(spans)}`),
    ...(queries.length > 0 ? [`judged: ${judgedUnit}, ${missingGold} missing`] : []),
    ...notices.map((notice) => `notice: ${notice}`),
  ]
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

describe('a dataset', () => {
  testCases(golden, async ({ lines, files }) => {
    const folder = Object.keys(files).length > 0 ? folderOf(files) : formats
    const texts: string[] = []
    let before = ''
    for (const line of lines) {
      const [documents, others] = partition(await outcome(folder, line), (text) => /^document /.test(text))
      const [head, ...rest] = others
      const isSame = documents.length > 0 && documents.join() === before
      texts.push(head, ...(isSame ? ['documents as before'] : documents), ...rest)
      before = documents.join()
    }
    return texts
  })
})

test('every format has a case', () => {
  const cases = readdirSync(golden)
  expect(cases).toEqual(expect.arrayContaining(datasetFormats.all.map(({ name }) => `${name}.cases.txt`)))
})
