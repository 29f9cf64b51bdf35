import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDataset } from '../../src/dataset/load.ts'
import { sampleQueries } from '../../src/dataset/sample.ts'
import { callsInTowns } from './calls.ts'

const CONFIG = 'dataset: towns\nmeasures: [recall@5, recall@1]\ntrials: [bm25, random]\n'

test('a sample has its share of each category, and the gold of its queries alone', async () => {
  const { folder } = callsInTowns(CONFIG, {}, 40)
  const whole = await loadDataset({ name: 'beir', params: { path: join(folder, 'towns') } }, '/')
  const counts = (seed: number) => {
    const { queries, qrels } = sampleQueries(whole, { queries: 20, seed })
    expect([...qrels.keys()].sort()).toEqual(
      queries
        .filter(({ answerable }) => answerable)
        .map(({ id }) => id)
        .sort(),
    )
    const of = (name: string) => queries.filter(({ category }) => category === name).length
    return { ids: queries.map(({ id }) => id).join(), fact: of('fact'), bridge: of('bridge') }
  }
  const [first, second] = [counts(0), counts(1)]
  expect(Math.abs(first.fact - first.bridge)).toBeLessThan(2)
  expect(second.ids).not.toBe(first.ids)
  expect(counts(0)).toEqual(first)
  const start = sampleQueries(whole, { queries: 3, seed: 0 })
  expect(start.hash).not.toBe(whole.hash)
  expect(start.documentsHash).toBe(whole.documentsHash)
  // A sample of all queries is still a sample.
  expect(sampleQueries(whole, { queries: 99, seed: 0 }).sample).toMatchObject({ queries: 41, of: 41 })
})
