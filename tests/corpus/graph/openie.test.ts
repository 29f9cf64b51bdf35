import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Extraction, type ExtractorInput, isTriple } from '../../../src/corpus/graph/extractors/index.ts'
import openie from '../../../src/corpus/graph/extractors/openie.ts'
import { askNobody } from '../../../src/corpus/writer.ts'
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
  const { mentions, links } = openie
    .make({ path })
    .extract(input as unknown as ExtractorInput, askNobody) as Extraction
  expect(links.map(({ chunk }) => chunk)).toEqual([1, 2, 0])
  expect(mentions[0]).toMatchObject({ name: 'London', chunk: 2 })
})

const texts = ['Ada wrote to Charles.', 'She lived in London.', 'Varn sells glass.']
const chunks = texts.map((text, row) => ({ id: `d${row}`, documentId: `d${row}`, title: '', text }))
const documents = chunks.map(({ id, title, text }) => ({ id, title, text, metadata: {} }))
const fileOf = (content: string, name = 'o.jsonl') => join(temporaryFolder({ [name]: content }), name)
const lines = (...passages: unknown[]) => passages.map((passage) => `${JSON.stringify(passage)}\n`).join('')
const extract = (path: string, of: readonly object[] = chunks) =>
  openie
    .make({ path })
    .extract({ chunks: of, documents } as unknown as ExtractorInput, askNobody) as Extraction

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
  const withLong = [...chunks, { id: 'd3', documentId: 'd3', title: '', text: long }]
  const { mentions, notices } = extract(fileOf(JSON.stringify({ docs }), 'o.json'), withLong)
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
