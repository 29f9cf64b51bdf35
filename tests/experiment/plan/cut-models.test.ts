import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsIn } from '../../cli/calls.ts'
import { vocabularyOf, wordsOf, writeCrossEncoder, writeMaskedModel } from '../../fixtures/tiny-models.ts'
import { temporaryFolder } from '../../temporary.ts'

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
const DOCUMENTS = { a: 'lomm lies at the strait of orr where ferries cross', b: 'vesk has cranes' }
const QUERIES = { q1: 'what lies at the strait', q2: 'cranes', q3: 'vesk cranes' }
const entries = (items: Record<string, string>) => Object.entries(items).map(([_id, text]) => ({ _id, text }))
const vocabulary = vocabularyOf([...Object.values(DOCUMENTS), ...Object.values(QUERIES)])

function setUp(config: string) {
  const folder = temporaryFolder({
    'data/corpus.jsonl': lines(...entries(DOCUMENTS)),
    'data/queries.jsonl': lines(...entries(QUERIES)),
    'data/qrels/test.tsv': 'q1\ta\t1\nq2\tb\t1\nq3\tb\t1\n',
    'a.yaml': `dataset: data\nmeasures: [recall@1]\ncompare: {draws: 100}\n${config}`,
  })
  writeCrossEncoder(join(folder, 'cross'), vocabulary)
  writeMaskedModel(
    join(folder, 'splade'),
    vocabulary,
    vocabulary.map((_, row) => vocabulary.map((_, word) => (row === word ? 1 : 0))),
  )
  return callsIn(folder, {})
}

/** Words of a text, and the tokens that the tiny models put around it. */
const tokens = (text: string) => wordsOf(text).length + 2

test('a cross-encoder: chunks with the query of median length', async () => {
  const { call } = setUp(
    'rerankers: {cross: {transformers: {model: ./cross, dtype: fp32, maxTokens: 6}}}\ntrials: [{bm25: {}, after: [{rerank: {by: cross}}]}]\n',
  )
  const { err } = await call('plan', 'a.yaml')
  const all = Object.values(DOCUMENTS).map((text) => wordsOf(`vesk cranes ${text}`).length + 3)
  expect(err).toContain('2 of 2 chunks are longer than the 6 tokens that cross')
  expect(err).toContain('of a chunk and a query of median length together')
  expect(err).toContain(`of their ${all[0] + all[1]} tokens are not read`)
})

test('SPLADE', async () => {
  const { call, run } = setUp(
    'prepare: {sparse: {splade: {model: ./splade, dtype: fp32, maxTokens: 6}}}\ntrials: [sparse]\n',
  )
  const { err } = await call('plan', 'a.yaml')
  expect(err).toContain('1 of 2 chunks is longer than the 6 tokens that splade')
  expect(err).toContain(`of their ${tokens(DOCUMENTS.a)} tokens are not read`)
  expect((await run('out')).out.replace(/\s+/g, ' ')).toContain('1 of 2 chunks is longer')
})
