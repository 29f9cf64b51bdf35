import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Extraction, ExtractorInput } from '../../../src/corpus/graph/extractors/define.ts'
import { isTriple, openie } from '../../../src/corpus/graph/extractors/openie.ts'
import { UserError } from '../../../src/errors.ts'
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

const texts = ['Ada wrote to Charles.', 'She lived in London.', 'Varn sells glass.']
const chunks = texts.map((text, row) => ({ id: `d${row}`, documentId: `d${row}`, title: '', text }))
const documents = chunks.map(({ id, title, text }) => ({ id, title, text, metadata: {} }))
const fileOf = (content: string, name = 'o.jsonl') => join(temporaryFolder({ [name]: content }), name)
const lines = (...passages: unknown[]) => passages.map((one) => `${JSON.stringify(one)}\n`).join('')
const extract = (path: string, of: readonly object[] = chunks) =>
  openie.extract({ chunks: of, documents } as unknown as ExtractorInput, { path }) as Extraction

test.each([
  [['a', 'b', 'c'], true],
  [['a', 2, 'c'], true],
  [['a', 'b'], false],
  [['a', 'b', 'c', 'd'], false],
  [['a', null, 'c'], false],
  ['abc', false],
  [undefined, false],
])('%j is a triple: %s', (value, is) => {
  expect(isTriple(value)).toBe(is)
})

test('entities are mentions, triples are mentions of both ends and a link; what is odd is counted', () => {
  const path = fileOf(
    lines(
      {
        id: 'd0',
        entities: ['Ada', 7],
        triples: [['Ada', 'wrote to', 'Charles'], ['x'], ['Ada', 'is', 'ADA'], ['Ada', 'has', 3]],
      },
      { id: 'elsewhere', entities: ['Zed'] },
      { id: 'd1', triples: [['Ada', 'lived in', 'London']] },
    ),
  )
  const mention = (name: string, chunk: number, text?: string) => ({
    name,
    chunk,
    count: 1,
    ...(text && { text }),
  })
  const link = (source: string, predicate: string, target: string, chunk: number) => ({
    source,
    predicate,
    target,
    chunk,
    weight: 1,
  })
  expect(extract(path)).toEqual({
    mentions: [
      mention('Ada', 0),
      ...['Ada', 'Charles'].map((name) => mention(name, 0, 'Ada wrote to Charles')),
      mention('Ada', 0, 'Ada is ADA'),
      ...['Ada', '3'].map((name) => mention(name, 0, 'Ada has 3')),
      ...['Ada', 'London'].map((name) => mention(name, 1, 'Ada lived in London')),
    ],
    links: [
      link('Ada', 'wrote to', 'Charles', 0),
      link('Ada', 'is', 'ADA', 0),
      link('Ada', 'has', '3', 0),
      link('Ada', 'lived in', 'London', 1),
    ],
    describe: { separator: '. ', tokens: 100 },
    notices: { malformedTriples: 1, malformedEntities: 1, unknownPassages: 1, passagesWithout: 1 },
  })
})

test('passages of HippoRAG are found by the hash or the overlap of their texts, and counted', () => {
  const md5 = createHash('md5').update(texts[2]).digest('hex')
  const long = 'The harbour of Varn sells glass and clocks to all the ships of the north each year.'
  const docs = [
    { idx: `chunk-${md5}`, extracted_entities: ['Varn'] },
    { idx: 5, passage: `${long} And more.`, extracted_triples: [['Varn', 'sells', 'clocks']] },
  ]
  const own = [...chunks, { id: 'd3', documentId: 'd3', title: '', text: long }]
  const { mentions, notices } = extract(fileOf(JSON.stringify({ docs }), 'o.json'), own)
  expect(mentions.map(({ name, chunk }) => [name, chunk])).toEqual([
    ['Varn', 2],
    ['Varn', 3],
    ['clocks', 3],
  ])
  expect(notices).toEqual({
    malformedTriples: 0,
    malformedEntities: 0,
    unknownPassages: 0,
    passagesWithout: 2,
    chunksByHash: 1,
    chunksByOverlap: 1,
  })
})

/** Messages of a refused file, its path left out. */
function refused(path: string): string[] {
  try {
    extract(path)
  } catch (error) {
    if (error instanceof UserError)
      return error.diagnostics.map(({ line, message }) => `${line ?? ''}: ${message}`)
    throw error
  }
  throw new Error('read')
}

test('lines that are no passages are refused with their numbers', () => {
  const path = fileOf(
    lines(
      { entities: [] },
      { id: '', entities: [] },
      { id: 'd0' },
      { id: 'd1', entities: 'x' },
      { id: 'd1', entities: [], triples: 'x' },
      { id: 3, entities: [] },
      { id: '3', triples: [] },
    ),
  )
  expect(refused(path)).toEqual([
    '1: has no "id"',
    '2: has no "id"',
    '3: has neither "entities" nor "triples"',
    '4: "entities" is not a list',
    '5: "triples" is not a list',
    '7: the passage "3" is already at line 6',
  ])
  expect(refused(fileOf('\n'))).toEqual([': holds no passage'])
})

test("HippoRAG's passages that are none are refused with their places", () => {
  const docs = [
    { extracted_entities: [] },
    { idx: 'a' },
    { idx: 'a', extracted_entities: 'x' },
    { idx: 0, extracted_triples: 'x' },
    null,
  ]
  expect(refused(fileOf(JSON.stringify({ docs }), 'o.json'))).toEqual([
    ': passage 1: has no "idx"',
    ': passage 5: has no "idx"',
    ': passage 2: has neither "extracted_entities" nor "extracted_triples"',
    ': passage 3: "extracted_entities" is not a list',
    ': passage 4: "extracted_triples" is not a list',
  ])
  expect(refused(fileOf('{"docs": 3}', 'o.json'))).toEqual([': has no list "docs" of passages'])
})

test('a file of another corpus is refused with an id of each', () => {
  const message =
    'belongs to another corpus: none of its 2 ids is a chunk or document here (its first: "x", ours: "d0")'
  const path = fileOf(lines({ id: 'x', entities: [] }, { id: 'y', entities: [] }))
  expect(refused(path)).toEqual([`: ${message}`])
  expect(() => openie.check?.(documents, { path })).toThrow(message)
})

test('a check says before the run what is ignored', () => {
  const path = fileOf(
    lines(
      {
        id: 'd0#2',
        entities: ['Ada Byron', 4],
        triples: [
          ['a', 'b'],
          ['Ada-Byron', 'met', 'Cy'],
        ],
      },
      { id: 'd1', entities: [5, 'Cy'] },
      { id: 'x', entities: ['CY'] },
    ),
  )
  expect(openie.check?.(documents, { path })).toEqual([
    'o.jsonl: 1 triples that are not three strings are ignored',
    'o.jsonl: 2 entities that are not strings are ignored',
    'o.jsonl: 1 passages that the corpus lacks are ignored',
    'o.jsonl: 2 names that differ by signs became 1 entities: "Ada Byron" = "Ada-Byron"',
  ])
  expect(openie.check?.(documents, { path: fileOf(lines({ id: 'd0', entities: ['Ada'] })) })).toEqual([])
})

test("a folder holds one result of HippoRAG's", () => {
  const docs = JSON.stringify({ docs: [{ idx: 'd0', extracted_entities: ['Ada'] }] })
  const one = temporaryFolder({ 'openie_x_results_ner_y.json': docs, 'other.json': '{}' })
  expect(extract(one).mentions).toEqual([{ name: 'Ada', chunk: 0, count: 1 }])
  const none = temporaryFolder({ 'other.json': '{}' })
  expect(refused(none)).toEqual([
    ': holds no openie_results_ner_*.json (HippoRAG 2) or openie_*_results_ner_*.json (HippoRAG 1)',
  ])
})
