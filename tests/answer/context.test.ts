import { expect, test } from 'vitest'
import { assembleContext, contextText } from '../../src/answer/context.ts'
import { countTokens } from '../../src/text/tokens.ts'
import type { Chunk, Evidence } from '../../src/types.ts'

const chunk = (id: string, documentId: string, position: number, start: number, text: string): Chunk => ({
  id,
  documentId,
  position,
  start,
  end: start + text.length,
  text,
  section: [],
  title: documentId.toUpperCase(),
  tokens: countTokens(text),
  metadata: {},
})
// Two documents; the chunks of `a` overlap by four characters.
const chunks = [
  chunk('a#0', 'a', 0, 0, 'salt is raked'),
  chunk('a#1', 'a', 1, 9, 'aked in August'),
  chunk('b#0', 'b', 0, 0, 'peat is cut'),
]
const corpus = { chunks, rowsOf: (id: string) => (id === 'a' ? [0, 1] : [2]) }
const params = { top: 2, context: 'chunks' as const, maxTokens: 6000 }
const evidence: Evidence[] = [{ kind: 'report', id: 'r', text: 'They trade.', tokens: 3 }]

test('the first `top` chunks in their order, then the evidence, each with its heading', () => {
  const { passages, tokens } = assembleContext(Uint32Array.of(2, 1, 0), evidence, corpus, params)
  expect(passages).toEqual([
    { heading: 'B', text: 'peat is cut', rows: [2] },
    { heading: 'A', text: 'aked in August', rows: [1] },
    { heading: 'report', text: 'They trade.', rows: [] },
  ])
  expect(tokens).toBe(
    passages.reduce((sum, { heading, text }) => sum + countTokens(`${heading}\n${text}`), 0),
  )
  const more: Evidence[] = [
    ...evidence,
    { kind: 'entity', id: 'e', text: 'Orr', tokens: 1 },
    { kind: 'relationship', id: 'f', text: 'Orr -> Tarn: sells peat to', tokens: 1 },
  ]
  const pieces = assembleContext([], more, corpus, params)
  expect(pieces.passages.map(({ heading }) => heading)).toEqual(['report', 'entity', 'relationship'])
  expect(contextText(pieces)).toContain('\nrelationship\nOrr -> Tarn: sells peat to\n')
})

test('whole documents, each once, put together from chunks that overlap', () => {
  const { passages } = assembleContext(Uint32Array.of(1, 0, 2), [], corpus, {
    ...params,
    top: 3,
    context: 'documents',
  })
  expect(passages).toEqual([
    { heading: 'A', text: 'salt is raked in August', rows: [0, 1] },
    { heading: 'B', text: 'peat is cut', rows: [2] },
  ])
})

test('pieces stay whole within the most tokens; only a first one that is too long is cut', () => {
  const first = countTokens('B\npeat is cut')
  const fits = assembleContext(Uint32Array.of(2, 1), [], corpus, { ...params, maxTokens: first })
  expect(fits).toEqual({ passages: [{ heading: 'B', text: 'peat is cut', rows: [2] }], tokens: first })
  const cut = assembleContext(Uint32Array.of(2, 1), [], corpus, { ...params, maxTokens: first - 1 })
  expect(cut.passages.map(({ text }) => text)).toEqual(['peat is'])
  const both = first + countTokens('A\naked in August')
  const sent = (maxTokens: number) =>
    assembleContext(Uint32Array.of(2, 1), [], corpus, { ...params, maxTokens })
  expect([both, both - 1].map((most) => sent(most).passages.length)).toEqual([2, 1])
  expect(sent(both).tokens).toBe(both)
  // Nor is a document cut to make it fit.
  const a = countTokens('A\nsalt is raked in August')
  const documents = (maxTokens: number) =>
    assembleContext(Uint32Array.of(2, 1), [], corpus, { ...params, context: 'documents', maxTokens })
  expect(documents(first + a).passages.map(({ heading }) => heading)).toEqual(['B', 'A'])
  expect(documents(first + a - 1).passages.map(({ heading }) => heading)).toEqual(['B'])
  expect(assembleContext(new Uint32Array(), [], corpus, params)).toEqual({ passages: [], tokens: 0 })
})

test('a summary of the metadata stands before the text of its chunk or document', () => {
  const [first, ...others] = chunks
  const withMetadata = {
    ...corpus,
    chunks: [{ ...first, metadata: { about: 'Salt and its pans.' } }, ...others],
  }
  const withSummary = { ...params, summary: 'about' }
  const texts = (context: 'chunks' | 'documents') =>
    assembleContext(Uint32Array.of(0, 2), [], withMetadata, { ...withSummary, context }).passages.map(
      ({ text }) => text,
    )
  expect(texts('chunks')).toEqual(['Summary: Salt and its pans.\n\nsalt is raked', 'peat is cut'])
  expect(texts('documents')).toEqual([
    'Summary: Salt and its pans.\n\nsalt is raked in August',
    'peat is cut',
  ])
})
