import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Extraction, ExtractorInput } from '../../../src/corpus/graph/extractors/define.ts'
import { openie } from '../../../src/corpus/graph/extractors/openie.ts'
import { temporaryFolder } from '../../temporary.ts'

test('triples of a document belong to the first of its chunks that contains most of their names', () => {
  const path = join(temporaryFolder(), 'openie.jsonl')
  const triples = [
    ['Ada', 'wrote to', 'Charles'],
    ['Ada', 'lived in', 'London'],
    ['Nobody', 'knows', 'Nothing'],
  ]
  writeFileSync(path, `${JSON.stringify({ id: 'd', entities: ['London'], triples })}\n`)
  const texts = ['Ada was born.', 'Ada wrote to Charles.', 'Charles and Ada met in London.']
  const chunks = texts.map((text, row) => ({ id: `d#${row}`, documentId: 'd', title: '', text }))
  const input = { chunks, documents: [{ id: 'd', title: '', text: texts.join(' ') }] }
  const { mentions, links } = openie.extract(input as unknown as ExtractorInput, { path }) as Extraction
  expect(links.map(({ chunk }) => chunk)).toEqual([1, 2, 0])
  expect(mentions[0]).toMatchObject({ name: 'London', chunk: 2 })
})
