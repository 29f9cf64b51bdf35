import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  align,
  complete,
  FUSIONS,
  type Fusion,
  type FusionSide,
  fuse as fuseAligned,
} from '../../src/ranking/fuse.ts'
import { NORMS, type Norm, normalize } from '../../src/ranking/normalize.ts'
import { rankPairs } from '../../src/ranking/order.ts'
import type { Ranking } from '../../src/types.ts'

const fuse = (lists: readonly (FusionSide & { ranking: Ranking })[], how: Fusion) =>
  fuseAligned(align(lists.map(({ ranking }) => ranking)), lists, how)

/** Readable rankings: letters stand for rows, a for the lowest. */
const rowOf = (name: string) => name.charCodeAt(0) - 'a'.charCodeAt(0)
const ranking = (scores: Record<string, number>) =>
  rankPairs(Object.keys(scores).map(rowOf), Object.values(scores), 100)
const names = ({ rows }: Ranking) =>
  [...rows].map((row) => String.fromCharCode(row + 'a'.charCodeAt(0))).join(' ')
const scoreOf = (fused: Ranking, name: string) => fused.scores[fused.rows.indexOf(rowOf(name))]

const dense = ranking({ a: 0.9, b: 0.8, c: 0.4 })
const lexical = ranking({ c: 12, d: 7, a: 2 })
const both = (alpha: number, floor?: [number, number]) => [
  { ranking: dense, weight: alpha, floor: floor?.[0] },
  { ranking: lexical, weight: 1 - alpha, floor: floor?.[1] },
]

describe('fuse', () => {
  it('rrf adds weight / (rrfK + rank) with ranks from 1; a list that misses a chunk adds nothing', () => {
    const fused = fuse(both(0.5), { fusion: 'rrf', rrfK: 60 })
    expect(names(fused)).toBe('c a d b')
    expect(scoreOf(fused, 'a')).toBeCloseTo(0.5 / 61 + 0.5 / 63, 15)
    expect(scoreOf(fused, 'b')).toBeCloseTo(0.5 / 62, 15)
  })

  it('rrf of any number of lists sums 1 / (rrfK + rank), whatever rrfK: equal weights keep the order', () => {
    const rows = fc.uniqueArray(fc.nat(20), { maxLength: 12 })
    const constants = fc.constantFrom(0, 1, 20, 40, 60)
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 5 }), constants, (lists, rrfK) => {
        const rankings = lists.map((list) => ({
          rows: Uint32Array.from(list),
          scores: Float64Array.from(list, (_, i) => list.length - i),
        }))
        const sums = new Map<number, number>()
        for (const list of lists)
          for (const [i, row] of list.entries()) sums.set(row, (sums.get(row) ?? 0) + 1 / (rrfK + i + 1))
        const plain = rankPairs([...sums.keys()], [...sums.values()], sums.size)
        const weighted = (weight: number) =>
          fuse(
            rankings.map((ranking) => ({ ranking, weight })),
            { fusion: 'rrf', rrfK },
          )
        expect({ ...weighted(1) }).toEqual({ ...plain })
        expect({ ...weighted(0.5) }).toEqual({ ...plain, scores: plain.scores.map((score) => score / 2) })
      }),
    )
  })

  it('weighted minmax puts each list on 0 to 1 first', () => {
    const fused = fuse(both(0.6), { fusion: 'weighted', norm: 'minmax' })
    expect(names(fused)).toBe('a b c d')
    expect(scoreOf(fused, 'b')).toBeCloseTo(0.6 * 0.8, 15)
    expect(scoreOf(fused, 'd')).toBeCloseTo(0.4 * 0.5, 15)
  })

  it('max takes the better side, multiplicative only what both sides found, combmnz rewards being found twice', () => {
    expect(scoreOf(fuse(both(0.5), { fusion: 'max', norm: 'minmax' }), 'c')).toBe(1)
    expect(names(fuse(both(0.5), { fusion: 'multiplicative', norm: 'none' }))).toBe('c a')
    expect(scoreOf(fuse(both(0.5), { fusion: 'multiplicative', norm: 'none' }), 'a')).toBeCloseTo(1.8, 12)
    expect(scoreOf(fuse(both(0.5), { fusion: 'combmnz', norm: 'none' }), 'a')).toBeCloseTo(2 * 2.9, 12)
  })

  /** A search's list: of all chunks one has -6 and one 21. */
  const listed = (rows: number[], scores: number[]): Ranking => ({
    ...rankPairs(rows, scores, rows.length),
    extremes: { min: -6, max: 21 },
  })
  const list = fc
    .uniqueArray(fc.nat(30), { maxLength: 15 })
    .chain((rows) =>
      fc
        .array(fc.oneof(fc.constantFrom(0, -0, 1), fc.double({ min: -5, max: 20, noNaN: true })), {
          minLength: rows.length,
          maxLength: rows.length,
        })
        .map((scores) => listed(rows, scores)),
    )
  const fusion = fc.constantFrom(
    ...FUSIONS.flatMap((name): Fusion[] =>
      name === 'rrf' ? [{ fusion: name, rrfK: 60 }] : NORMS.map((norm) => ({ fusion: name, norm })),
    ),
  )

  it('finds the union once each, in our order, whatever the fusion', () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 4 }), fusion, (lists, how) => {
        const fused = fuse(
          lists.map((list) => ({ ranking: list, weight: 1 })),
          how,
        )
        const union = new Set(lists.flatMap((list) => [...list.rows]))
        const common = [...union].filter((row) => lists.every((list) => list.rows.includes(row)))
        expect(new Set(fused.rows)).toEqual(how.fusion === 'multiplicative' ? new Set(common) : union)
        expect([...fused.rows]).toEqual([...rankPairs(fused.rows, fused.scores, fused.rows.length).rows])
      }),
    )
  })
})

describe('complete', () => {
  /** A search's scores of all 12 chunks; NaN for a chunk that it does not find. Few distinct values, so that ties and constant sides are common. */
  const search = fc.record({
    all: fc.array(fc.constantFrom(Number.NaN, Number.NaN, -0.5, 0, 0.3, 0.30001, 2.5, 7), {
      minLength: 12,
      maxLength: 12,
    }),
    pool: fc.integer({ min: 1, max: 12 }),
    weight: fc.constantFrom(0.2, 0.5, 0.6),
  })
  const how = fc.constantFrom(...(['weighted', 'max', 'multiplicative', 'combmnz'] as const))

  it('gives each row the score that it has where all chunks are scored, and loses none that must be first', () => {
    fc.assert(
      fc.property(fc.array(search, { minLength: 2, maxLength: 3 }), how, (searches, fusion) => {
        const scaled = searches.map(({ all }) => {
          const { min, max } = extremesOf(all)
          return all.map((score) => (Number.isNaN(score) || max === min ? 0 : (score - min) / (max - min)))
        })
        const isFound = (row: number) => searches.map(({ all }) => !Number.isNaN(all[row]))
        /** The fusion as it is printed, over scaled scores. */
        const fused = (values: number[], isFound: boolean[]) => {
          const sum = values.reduce((total, value) => total + value, 0)
          if (fusion === 'weighted')
            return values.reduce((total, value, i) => total + searches[i].weight * value, 0)
          if (fusion === 'max') return Math.max(...values.filter((_, i) => isFound[i]))
          if (fusion === 'combmnz') return sum * isFound.filter((isIn) => isIn).length
          return values.reduce((product, value) => product * Math.max(value, 0), 1)
        }
        const lists = searches.map(({ all, pool }) => {
          const rows = [...all.keys()].filter((row) => !Number.isNaN(all[row]))
          const list = rankPairs(
            rows,
            rows.map((row) => all[row]),
            pool,
          )
          return { ...list, extremes: extremesOf(all) }
        })
        const aligned = align(lists)
        const scores = searches.map(({ all }) => Float64Array.from(aligned.rows, (row) => all[row]))
        const sides = searches.map(({ weight }) => ({ weight }))
        const list = fuseAligned(complete(aligned, scores), sides, { fusion, norm: 'corpus' })
        list.rows.forEach((row, i) => {
          const presence = isFound(row)
          expect(list.scores[i]).toBe(
            fused(
              scaled.map((scores) => scores[row]),
              presence,
            ) + 0,
          )
        })
        if (fusion === 'multiplicative') return
        // A row of no list scores at most as the lists' last rows together (Fagin's threshold).
        const lasts = lists.map(({ rows }, i) => (rows.length > 0 ? scaled[i][rows[rows.length - 1]] : 0))
        const bar = fused(
          lasts,
          lasts.map(() => true),
        )
        for (let row = 0; row < 12; row++) {
          const presence = isFound(row)
          const score = fused(
            scaled.map((scores) => scores[row]),
            presence,
          )
          if (presence.includes(true) && score > bar + 1e-12) expect(list.rows).toContain(row)
        }
      }),
    )
  })

  /** Over all chunks; one that is not found has 0. */
  function extremesOf(all: readonly number[]) {
    const scores = all.map((score) => (Number.isNaN(score) ? 0 : score))
    return { min: Math.min(...scores), max: Math.max(...scores) }
  }
})

describe('normalize', () => {
  const scale = (norm: Norm, ...scores: number[]) => [
    ...normalize({ scores: Float64Array.from(scores) }, norm),
  ]

  it('corpus measures between the extremes of all chunks, and a list of one keeps what it has', () => {
    const single = { scores: Float64Array.of(6), extremes: { min: 0, max: 8 } }
    expect([...normalize(single, 'corpus')]).toEqual([0.75])
    expect([...normalize({ ...single, extremes: { min: 6, max: 6 } }, 'corpus')]).toEqual([0])
    expect(() => normalize({ scores: single.scores }, 'corpus')).toThrow('which know all their scores')
  })

  it('zscore has mean 0 and deviation 1, dbsf puts the mean at one half', () => {
    const z = scale('zscore', 1, 2, 3, 6)
    expect(z.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12)
    expect(z.reduce((sum, value) => sum + value ** 2, 0) / 4).toBeCloseTo(1, 12)
    expect(scale('dbsf', 1, 2, 3)[1]).toBeCloseTo(0.5, 12)
    expect(scale('dbsf', 1, 3)).toEqual([1 / 3, 2 / 3])
  })
})
