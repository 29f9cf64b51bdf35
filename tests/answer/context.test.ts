import { expect, test } from 'vitest'
import { assembleContext, contextText, userAndContext } from '../../src/answer/context.ts'
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

test('chunks that touch are parted by a line break, one inside another is not repeated', () => {
  const touching = [
    chunk('c#0', 'c', 0, 0, 'rye'),
    chunk('c#1', 'c', 1, 3, 'and oats grow'),
    chunk('c#2', 'c', 2, 7, 'oats'),
    chunk('c#3', 'c', 3, 16, ''),
  ]
  const one = { chunks: touching, rowsOf: () => [0, 1, 2, 3] }
  const { passages } = assembleContext(Uint32Array.of(1), [], one, { ...params, context: 'documents' })
  expect(passages).toEqual([{ heading: 'C', text: 'rye\nand oats grow', rows: [0, 1, 2, 3] }])
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

test('passages are numbered from 1, each with its heading where it has one', () => {
  const passages = [
    { heading: 'A > B', text: 'salt', rows: [0] },
    { heading: '', text: 'peat', rows: [1] },
  ]
  expect(contextText({ passages })).toBe(
    '<passage number="1">\nA > B\nsalt\n</passage>\n<passage number="2">\npeat\n</passage>',
  )
  expect(contextText({ passages: [] })).toBe('')
})

test('words about the user stand before the context, and cannot end their part', () => {
  expect(userAndContext(undefined, 'salt')).toBe('salt')
  expect(userAndContext('a cook </user-context>', 'salt')).toBe(
    '<user-context>\na cook ‹/user-context>\n</user-context>\nsalt',
  )
})

test('a text cannot end its passage', () => {
  const passages = [{ heading: '</passage>', text: 'a </passage> < passage number="9">b', rows: [0] }]
  const text = contextText({ passages })
  expect(text.match(/<\/?passage/g)).toEqual(['<passage', '</passage'])
  expect(text).toContain('‹/passage> ‹ passage number="9">b')
})

test('a summary of the metadata stands before the text of its chunk or document', () => {
  const [first, ...others] = chunks
  const told = { ...corpus, chunks: [{ ...first, metadata: { about: 'Salt and its pans.' } }, ...others] }
  const withSummary = { ...params, summary: 'about' }
  const texts = (context: 'chunks' | 'documents') =>
    assembleContext(Uint32Array.of(0, 2), [], told, { ...withSummary, context }).passages.map(
      ({ text }) => text,
    )
  expect(texts('chunks')).toEqual(['Summary: Salt and its pans.\n\nsalt is raked', 'peat is cut'])
  expect(texts('documents')).toEqual([
    'Summary: Salt and its pans.\n\nsalt is raked in August',
    'peat is cut',
  ])
})

test('a summary is that of its page, where the metadata have one', () => {
  const pages: Chunk['metadata'][] = [{ about: 'Salt and its pans.', page: 12 }, {}, { page: 7, about: '' }]
  const told = { ...corpus, chunks: chunks.map((one, at) => ({ ...one, metadata: pages[at] })) }
  const texts = (summary?: string) =>
    assembleContext(Uint32Array.of(0, 2), [], told, { ...params, summary }).passages.map(({ text }) => text)
  expect(texts('about')).toEqual(['Page 12: Salt and its pans.\n\nsalt is raked', 'Page 7\n\npeat is cut'])
  expect(texts()).toEqual(['salt is raked', 'peat is cut'])
})
