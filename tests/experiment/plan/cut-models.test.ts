import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsIn } from '../../cli/calls.ts'
import { vocabularyOf, wordsOf, writeCrossEncoder } from '../../fixtures/tiny-models.ts'
import { describeModels } from '../../shared.ts'
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
  return callsIn(folder, {})
}

describeModels('a model in ONNX', () => {
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
})
