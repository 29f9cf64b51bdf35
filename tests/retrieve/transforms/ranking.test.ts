import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { gains, type Neighbors } from '../../../src/corpus/graph/neighbors.ts'
import { find } from '../../../src/registry.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { mmr } from '../../../src/retrieve/transforms/diversify.ts'
import { rankingTransforms } from '../../../src/retrieve/transforms/index.ts'
import { matchesOf } from '../../../src/text/patterns.ts'
import type { Ranking } from '../../../src/types.ts'
import { recipeOf } from '../../corpus/recipes.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { compareEntries } from '../../ranking/compare-entries.ts'
import { sharedFolder } from '../../temporary.ts'
import { evaluate, pinOf, prepare, retrieved, transformed } from '../strategies/prepared.ts'

const folder = sharedFolder()
const before = retrieved('naive').ranking
const changed = (name: string, params: object) => transformed(name, params, before)

/** Params that must change the ranking's key, for each transform at least one. */
const POINTS: Record<string, readonly object[]> = {
  'chapter-routing': [
    {},
    { top: 1 },
    { by: 'document' },
    { score: 'sum' },
    { rest: 'below' },
    { share: 0.9 },
  ],
  diversify: [{}, { relevance: 0.2 }],
  'domain-codes': [{}, { patterns: ['\\b1\\d{3}\\b'] }, { patterns: ['\\b1\\d{3}\\b'], bonus: 1 }],
  'graph-boost': [
    {},
    { over: 'similar' },
    { over: 'similar', threshold: 0.1, most: 2 },
    { onto: 'raw' },
    { top: 1 },
    { limit: 2 },
    { hops: 1 },
  ],
  'merge-adjacent': [{}, { top: 4 }],
  'min-score': [{}, { least: 0.2 }, { least: 0.3, by: 'cosine' }],
  rerank: [{}, { top: 4 }, { keep: 3 }, { minScore: 0.3 }, { by: 'embedding' }],
}
const cases = rankingTransforms.all.flatMap(({ name }) =>
  (POINTS[name] ?? [{}]).map((params) => [name, JSON.stringify(params), params] as const),
)

test('each point of a transform is another computation', () => {
  const keys = cases.map(([name, , params]) => changed(name, params).key)
  expect(new Set(keys).size).toBe(keys.length)
})

test.each(cases)('%s %s gives unique rows in our order, and the same again', async (name, _, params) => {
  const root = changed(name, params)
  expect(changed(name, params).key).toBe(root.key)
  const shard = [...questions, { id: 'empty', text: '', metadata: {} }]
  const store = await prepare(folder, [root])
  const rankings = await evaluate(store, root, shard)
  for (const { rows, scores } of rankings) {
    expect(new Set(rows).size).toBe(rows.length)
    for (let i = 1; i < rows.length; i++)
      expect(compareEntries(scores[i - 1], rows[i - 1], scores[i], rows[i])).toBeLessThan(0)
  }
  expect(rankings[shard.length - 1].rows.length).toBe(0)
  expect(pinOf(rankings)).toMatchSnapshot()
  expect(await evaluate(store, root, shard)).toEqual(rankings)
})

describe('min-score', () => {
  it('by cosine keeps the order and the scores of a fusion, of the chunks near the query alone', async () => {
    const { ranking } = retrieved('hybrid', { fusion: 'rrf' })
    const root = transformed('min-score', { least: 0.3, by: 'cosine' }, ranking)
    const store = await prepare(folder, [root, before])
    const [fused, restricted, cosines] = await Promise.all(
      [ranking, root, before].map((expression) => evaluate(store, expression, questions)),
    )
    questions.forEach((_, place) => {
      const near = new Set(cosines[place].rows.filter((_, rank) => cosines[place].scores[rank] >= 0.3))
      const { rows, scores } = fused[place]
      expect([...restricted[place].rows]).toEqual([...rows].filter((row) => near.has(row)))
      expect([...restricted[place].scores]).toEqual([...scores].filter((_, rank) => near.has(rows[rank])))
    })
    const sizes = restricted.map(({ rows }) => rows.length)
    expect(Math.max(...sizes)).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThan(Math.max(...fused.map(({ rows }) => rows.length)))
  })
})

describe('domain-codes', () => {
  it('counts a chunk with a code of the query 1.5 times, and no other', async () => {
    const root = changed('domain-codes', { patterns: ['\\b1\\d{3}\\b'] })
    const store = await prepare(folder, [root])
    const queries = [{ id: 'q', text: 'the lighthouse of 1839', metadata: {} }]
    const [[plain], [boosted]] = [
      await evaluate(store, before, queries),
      await evaluate(store, root, queries),
    ]
    const lifted = [...boosted.rows].filter(
      (row, rank) => boosted.scores[rank] !== plain.scores[plain.rows.indexOf(row)],
    )
    expect(lifted.map((row) => documents[row].id)).toEqual(['gull'])
    const [gull] = lifted
    const scoreIn = ({ rows, scores }: Ranking) => scores[rows.indexOf(gull)]
    expect(scoreIn(boosted)).toBeCloseTo(1.5 * scoreIn(plain), 12)
  })
  it('finds the codes of its default patterns', () => {
    const { patterns } = find(rankingTransforms, 'domain-codes').params.parse({}) as { patterns: string[] }
    const text = 'See ERR-042 and ERR-7, TICKET-12, v1.2.3 and v1.2'
    expect(patterns.flatMap((pattern) => matchesOf(pattern, text))).toEqual([
      'ERR-042',
      'TICKET-12',
      'v1.2.3',
    ])
  })
})

describe('graph-boost', () => {
  /** A chain of chunks 0 - 1 - 2 - 3. */
  const chain: Neighbors = () => (chunk, visit) => {
    if (chunk > 0) visit(chunk - 1)
    if (chunk < 3) visit(chunk + 1)
  }

  it('adds boost * decay ^ (d - 1) for every start', () => {
    const gained = gains(chain, [0, 1], { hops: 2, boost: 0.1, decay: 0.5 })
    expect([...gained].sort()).toEqual([
      [0, 0.1],
      [1, 0.1],
      [2, 0.05 + 0.1],
      [3, 0.05],
    ])
  })
})

describe('diversify', () => {
  it('takes the greatest of relevance less the greatest cosine to any before, negative ones too', () => {
    const point = fc.record({ score: fc.integer({ min: 0, max: 8 }), angle: fc.integer({ min: 0, max: 15 }) })
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 2, maxLength: 7 }),
        fc.integer({ min: 0, max: 4 }),
        (points, part) => {
          const relevance = part / 4
          const scores = Float64Array.from(points, ({ score }) => score / 8)
          const vectors = points.map(({ angle }) =>
            Float32Array.of(Math.cos((angle * Math.PI) / 8), Math.sin((angle * Math.PI) / 8)),
          )
          const cosine = (a: number, b: number) =>
            vectors[a].reduce((sum, value, at) => sum + value * vectors[b][at], 0)
          const order = mmr(scores, vectors, relevance)
          expect([...order].sort()).toEqual([...points.keys()])
          order.forEach((row, place) => {
            const before = order.slice(0, place)
            const value = (i: number) =>
              relevance * scores[i] -
              (1 - relevance) *
                (before.length === 0 ? 0 : Math.max(...before.map((other) => cosine(i, other))))
            for (const other of order.slice(place)) expect(value(row)).toBeGreaterThan(value(other) - 1e-6)
          })
        },
      ),
    )
  })
})

describe('merge-adjacent', () => {
  it('moves the first `top` chunks of a ranking, and loses none of the others', async () => {
    const bodies = ['salt', 'peat', 'salt salt herring', 'salt', 'herring', 'salt herring herring']
    const text = bodies.map((body, at) => `## Part ${at}\n\nThe ${body} of the harbour.`).join('\n\n')
    const chapters = {
      ...recipeOf([{ id: 'a', title: 'Trade', text, metadata: {} }]),
      chunk: { name: 'headings', params: {} },
    }
    const query = sourceQuery(chapters)
    const { ranking } = retrieved('bm25', {}, query)
    const merged = [{ top: 3 }, {}].map((params) => transformed('merge-adjacent', params, ranking))
    const store = await prepare(folder, [ranking, ...merged])
    const queries = [{ id: 'q', text: 'salt herring', metadata: {} }]
    const rowsOf = async (root: typeof ranking) => [...(await evaluate(store, root, queries))[0].rows]
    expect(await rowsOf(ranking)).toEqual([5, 2, 4, 3, 0])
    expect(await Promise.all(merged.map(rowsOf))).toEqual([
      [4, 5, 2, 3, 0],
      [2, 3, 4, 5, 0],
    ])
  })
})
