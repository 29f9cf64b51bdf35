import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { denseIndex } from '../../../src/corpus/dense/dense.ts'
import { gains, type Neighbors } from '../../../src/corpus/graph/neighbors.ts'
import { rankPairs } from '../../../src/ranking/order.ts'
import { find } from '../../../src/registry.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { mmr } from '../../../src/retrieve/transforms/diversify.ts'
import { boosted, greatest } from '../../../src/retrieve/transforms/graph-boost.ts'
import { nearFirst } from '../../../src/retrieve/transforms/graph-embedding.ts'
import { rankingTransforms } from '../../../src/retrieve/transforms/index.ts'
import { mergeAdjacent } from '../../../src/retrieve/transforms/merge-adjacent.ts'
import { matchesOf } from '../../../src/text/patterns.ts'
import type { Ranking } from '../../../src/types.ts'
import { recipeOf } from '../../corpus/recipes.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { compareEntries } from '../../ranking/compare-entries.ts'
import { evaluate, names, pinOf, prepare, recipe, retrieved, transformed } from '../strategies/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-transforms-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const before = retrieved('naive').ranking
const changed = (name: string, params: object) => transformed(name, params, before)

describe.each(rankingTransforms.all.map(({ name }) => name))('%s', (name) => {
  it('gives unique rows in our order, the same twice, and survives an empty ranking', async () => {
    const root = changed(name, {})
    expect(changed(name, {}).key).toBe(root.key)
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
})

describe('min-score', () => {
  it('keeps a chunk whose score is the least', async () => {
    const store = await prepare(folder, [before])
    const [all] = await evaluate(store, before, questions)
    const [kept] = await evaluate(store, changed('min-score', { least: all.scores[2] }), questions)
    expect(kept.rows).toEqual(all.rows.slice(0, all.scores.filter((score) => score >= all.scores[2]).length))
    expect(kept.rows.length).toBeGreaterThanOrEqual(3)
  })

  it('by cosine keeps the order and the scores of a fusion, of the chunks near the query alone', async () => {
    const { ranking } = retrieved('hybrid', { fusion: 'rrf' })
    const root = transformed('min-score', { least: 0.3, by: 'cosine' }, ranking)
    const store = await prepare(folder, [root, before])
    const [fused, kept, cosines] = await Promise.all(
      [ranking, root, before].map((one) => evaluate(store, one, questions)),
    )
    questions.forEach((_, place) => {
      const near = new Set(cosines[place].rows.filter((_, rank) => cosines[place].scores[rank] >= 0.3))
      const { rows, scores } = fused[place]
      expect([...kept[place].rows]).toEqual([...rows].filter((row) => near.has(row)))
      expect([...kept[place].scores]).toEqual([...scores].filter((_, rank) => near.has(rows[rank])))
    })
    const sizes = kept.map(({ rows }) => rows.length)
    expect(Math.max(...sizes)).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThan(Math.max(...fused.map(({ rows }) => rows.length)))
  })
})

describe('domain-codes', () => {
  it('moves a chunk with the same code up', async () => {
    const root = changed('domain-codes', { patterns: ['\\b1\\d{3}\\b'], multiplier: 100 })
    const store = await prepare(folder, [root])
    const [found] = await evaluate(store, root, [{ id: 'q', text: 'the lighthouse of 1839', metadata: {} }])
    expect(names(found, 1)).toBe('gull')
  })
  it('counts a chunk with a code of the query 1.5 times, and no other', async () => {
    const root = changed('domain-codes', { patterns: ['\\b1\\d{3}\\b'] })
    const store = await prepare(folder, [root])
    const asked = [{ id: 'q', text: 'the lighthouse of 1839', metadata: {} }]
    const [[plain], [found]] = [await evaluate(store, before, asked), await evaluate(store, root, asked)]
    const lifted = [...found.rows].filter(
      (row, rank) => found.scores[rank] !== plain.scores[plain.rows.indexOf(row)],
    )
    expect(lifted.map((row) => documents[row].id)).toEqual(['gull'])
    const [gull] = lifted
    const scoreIn = ({ rows, scores }: Ranking) => scores[rows.indexOf(gull)]
    expect(scoreIn(found)).toBeCloseTo(1.5 * scoreIn(plain), 12)
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
  it('adds a bonus, which lifts a score of 0 too', async () => {
    const scored = async (bonus?: number) => {
      const root = changed('domain-codes', {
        patterns: ['\\b1\\d{3}\\b'],
        multiplier: 1,
        ...(bonus && { bonus }),
      })
      const store = await prepare(folder, [root])
      const [found] = await evaluate(store, root, [{ id: 'q', text: 'the lighthouse of 1839', metadata: {} }])
      return found
    }
    const plain = await scored()
    const lifted = await scored(1000)
    expect(names(lifted, 1)).toBe('gull')
    const gull = [...plain.rows].indexOf(lifted.rows[0])
    expect(lifted.scores[0]).toBe(plain.scores[gull] + 1000)
  })
})

describe('graph-boost', () => {
  /** A chain of chunks 0 - 1 - 2 - 3. */
  const chain: Neighbors = (chunk, visit) => {
    if (chunk > 0) visit(chunk - 1)
    if (chunk < 3) visit(chunk + 1)
  }
  const plain = ({ rows, scores }: Ranking) => [...rows].map((row, i) => [row, Number(scores[i].toFixed(6))])

  it('adds boost * decay ^ (d - 1) for every start', () => {
    const gained = gains(chain, [0, 1], { hops: 2, boost: 0.1, decay: 0.5 })
    expect([...gained].sort()).toEqual([
      [0, 0.1],
      [1, 0.1],
      [2, 0.05 + 0.1],
      [3, 0.05],
    ])
  })
  it('adds to scores on one scale, or as they are', () => {
    const ranking = rankPairs([0, 1, 2], [8, 6, 4], 3)
    const gained = new Map([[2, 3]])
    expect(plain(boosted(ranking, greatest(gained, 5).best))).toEqual([
      [2, 3],
      [0, 1],
      [1, 0.5],
    ])
    expect(plain(boosted(ranking, greatest(gained, 5).best, 'raw'))).toEqual([
      [0, 8],
      [2, 7],
      [1, 6],
    ])
  })
  it('starts from the `top` best chunks alone', async () => {
    const boost = { over: 'titles', boost: 100, hops: 1, onto: 'raw' }
    const roots = [1, 3].map((top) => changed('graph-boost', { ...boost, top }))
    const store = await prepare(folder, roots)
    const [first] = await evaluate(store, before, questions)
    // 100 a start: a chunk beside k starts has k hundred more.
    const [one, three] = await Promise.all(
      roots.map(async (root) => Math.max(...(await evaluate(store, root, questions))[0].scores)),
    )
    expect(first.rows.length).toBeGreaterThan(3)
    expect(one).toBeLessThan(200)
    expect(three).toBeGreaterThan(200)
  })
  it('walks from the best chunk to those that are similar', async () => {
    const boost = { over: 'similar', boost: 100, top: 1, hops: 1, limit: 10_000, onto: 'raw' }
    const thresholds = [0.2, 0.4, 0.9]
    const roots = thresholds.map((threshold) => changed('graph-boost', { ...boost, threshold, most: 1000 }))
    const store = await prepare(folder, [before, ...roots])
    const index = await store.open(denseIndex(recipe))
    const every = [...documents.keys()]
    const [{ rows }] = await evaluate(store, before, questions)
    const cosines = [...index.cosines(every, index.vector(rows[0]))]
    const sizes: number[] = []
    for (const [place, threshold] of thresholds.entries()) {
      const [found] = await evaluate(store, roots[place], questions)
      const lifted = [...found.rows].filter((_, rank) => found.scores[rank] >= 99)
      const near = every.filter((row) => row !== rows[0] && cosines[row] >= threshold)
      expect(lifted.sort((a, b) => a - b)).toEqual(near)
      sizes.push(near.length)
    }
    expect(sizes[0]).toBeGreaterThan(sizes[1])
    expect(sizes[1]).toBeGreaterThan(sizes[2])
  })
  it('lets in chunks that were not found, and at most `limit` gain', () => {
    const ranking = rankPairs([0, 1], [4, 2], 2)
    const gained = new Map([
      [2, 0.3],
      [1, 0.2],
      [3, 0.1],
    ])
    expect(plain(boosted(ranking, greatest(gained, 2).best))).toEqual([
      [0, 1],
      [2, 0.3],
      [1, 0.2],
    ])
  })
})

describe('graph-embedding', () => {
  // Chunks 0 and 2 stand in one place, 1 across from them; 3 stands nowhere.
  const vectors = Float32Array.of(1, 0, 0, 1, 1, 0, 0, 0)
  const ranking = rankPairs([0, 1, 2, 3], [4, 3, 2, 0], 4)
  const rows = (top: number, weight: number) => [
    ...nearFirst(ranking, vectors, { dims: 2, top, weight }).rows,
  ]
  it('adds the cosine to the best chunks, and takes nothing in or out', () => {
    expect(rows(1, 0)).toEqual([0, 1, 2, 3])
    expect(rows(1, 0.3)).toEqual([0, 2, 1, 3])
    const { scores } = nearFirst(ranking, vectors, { dims: 2, top: 1, weight: 0.3 })
    expect([...scores].map((score) => Number(score.toFixed(6)))).toEqual([1.3, 0.8, 0.75, 0])
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
          const around = points.map(({ angle }) =>
            Float32Array.of(Math.cos((angle * Math.PI) / 8), Math.sin((angle * Math.PI) / 8)),
          )
          const cosine = (a: number, b: number) =>
            around[a].reduce((sum, value, at) => sum + value * around[b][at], 0)
          const taken = mmr(scores, around, relevance)
          expect([...taken].sort()).toEqual([...points.keys()])
          taken.forEach((one, place) => {
            const before = taken.slice(0, place)
            const value = (i: number) =>
              relevance * scores[i] -
              (1 - relevance) *
                (before.length === 0 ? 0 : Math.max(...before.map((other) => cosine(i, other))))
            for (const other of taken.slice(place)) expect(value(one)).toBeGreaterThan(value(other) - 1e-6)
          })
        },
      ),
    )
  })
})

describe('merge-adjacent', () => {
  it('brings neighbours together at the place of the best, in reading order', () => {
    const chunks = ['a', 'a', 'a', 'b', 'b'].map((documentId, row) => ({
      documentId,
      position: row < 3 ? row : row - 3,
    }))
    expect(mergeAdjacent([2, 4, 0, 1], chunks)).toEqual([0, 1, 2, 4])
    expect(mergeAdjacent([4, 2, 0], chunks)).toEqual([4, 2, 0])
  })

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
    const asked = [{ id: 'q', text: 'salt herring', metadata: {} }]
    const rowsOf = async (root: typeof ranking) => [...(await evaluate(store, root, asked))[0].rows]
    expect(await rowsOf(ranking)).toEqual([5, 2, 4, 3, 0])
    expect(await Promise.all(merged.map(rowsOf))).toEqual([
      [4, 5, 2, 3, 0],
      [2, 3, 4, 5, 0],
    ])
  })
})

describe('rerank', () => {
  it('keeps as many as it is told, and none below the minimum score', async () => {
    const [all, kept, above] = [{ top: 5 }, { top: 5, keep: 2 }, { top: 5, minScore: 0.2 }].map((params) =>
      changed('rerank', params),
    )
    const store = await prepare(folder, [all, kept, above])
    const [whole, few, good] = await Promise.all(
      [all, kept, above].map((root) => evaluate(store, root, questions)),
    )
    questions.forEach((_, at) => {
      expect([...few[at].rows]).toEqual([...whole[at].rows].slice(0, 2))
      const best = [...whole[at].scores].slice(0, 5)
      expect([...good[at].scores]).toEqual(best.filter((score) => score >= 0.2))
    })
    expect(good.some(({ rows }) => rows.length < 5)).toBe(true)
    expect(good.some(({ rows }) => rows.length > 0)).toBe(true)
  })
})
