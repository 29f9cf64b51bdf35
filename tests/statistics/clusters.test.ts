import { describe, expect, test } from 'vitest'
import { clusteredGrid } from '../../simulations/clusters.simulation.ts'
import {
  byCluster,
  clusterFirsts,
  clusterSums,
  linkedClusters,
  numberClusters,
} from '../../src/statistics/clusters.ts'
import { type CompareInput, compareTrials } from '../../src/statistics/compare.ts'
import { dropTest } from '../../src/statistics/drop.ts'
import { makeFolds, makeSplit } from '../../src/statistics/folds.ts'
import { selectedTail } from '../../src/statistics/mean-interval.ts'
import { createRandom } from '../../src/statistics/random.ts'
import { SHARE } from '../../src/statistics/range.ts'
import { momentsOf } from '../../src/statistics/summarize.ts'

const HOW = { level: 0.05, correction: 'max-t', draws: 500, seed: 1, better: 'higher', range: SHARE } as const

/** Queries in fives, of which each differs as the first of its five does. */
const fives = (count: number) => Float64Array.from({ length: 5 * count }, (_, query) => Math.floor(query / 5))

describe('clusters of queries', () => {
  test('keep the mean, have the error of their own number, and change nothing where each query is alone', () => {
    const { uniform } = createRandom(3)
    const one = Float64Array.from({ length: 20 }, uniform)
    const repeated = Float64Array.from({ length: 100 }, (_, query) => one[Math.floor(query / 5)])
    const units = byCluster(repeated, fives(20))
    expect(units).toHaveLength(20)
    expect(momentsOf(units).mean).toBeCloseTo(momentsOf(repeated).mean, 12)
    expect(momentsOf(units).sd).toBeCloseTo(momentsOf(one).sd, 12)
    expect(byCluster(one, [...one.keys()])).toEqual(one)
  })

  test('have the sum of their values, and the value of their first query, in the order of first queries', () => {
    expect([...clusterSums([1, 2, 3, 4], [7, 7, 2, 7])]).toEqual([7, 3])
    expect(clusterFirsts([1, 2, 3, 4], [7, 7, 2, 7])).toEqual([1, 3])
  })

  test('of copies give what one query of each would give', () => {
    const { uniform } = createRandom(7)
    const rows = [0, 1, 2].map((row) =>
      Float64Array.from({ length: 30 }, () => (uniform() < 0.5 + row / 10 ? 1 : 0)),
    )
    const input = (matrix: Float64Array[]): CompareInput => ({
      ...{ ...HOW, names: ['a', 'b', 'c'], matrix },
      family: ['b', 'c'].map((name) => ({ name, baseline: 'a' })),
    })
    const copied = rows.map((row) =>
      Float64Array.from({ length: 150 }, (_, query) => row[Math.floor(query / 5)]),
    )
    const alone = compareTrials(input(rows))
    const clustered = compareTrials({ ...input(copied), clusters: fives(30) })
    for (const [index, row] of clustered.entries()) {
      expect(row).toMatchObject({ n: 150, clusters: 30, adjusted: alone[index].adjusted, p: alone[index].p })
      for (const key of ['difference', 'low', 'high', 'detectable'] as const)
        expect(row[key]).toBeCloseTo(alone[index][key] as number, 9)
    }
    // Without clusters the copies count as queries.
    for (const [index, row] of compareTrials(input(copied)).entries())
      expect(row.high - row.low).toBeLessThan(alone[index].high - alone[index].low)
  })

  test('fewer than fifteen decide nothing, however many queries they hold', () => {
    const matrix = [new Float64Array(70), new Float64Array(70).fill(1)]
    const input = { ...HOW, names: ['a', 'b'], matrix, family: [{ name: 'b', baseline: 'a' }] }
    expect(compareTrials(input)[0].verdict).toBe('better')
    expect(compareTrials({ ...input, clusters: fives(14) })[0].verdict).toBe('cannot tell')
  })

  test('hold the level where noise is shared, with and without folds, and queries alone do not', () => {
    const shares = (how: 'queries' | 'clusters') => {
      let found = 0
      for (let run = 0; run < 150; run++) {
        const { matrix, clusters } = clusteredGrid(4, run)
        const rows = compareTrials({
          ...{ ...HOW, names: matrix.map((_, row) => `${row}`), matrix, draws: 300, seed: run },
          family: [1, 2, 3].map((row) => ({ name: `${row}`, baseline: '0' })),
          ...(how === 'clusters' && { clusters }),
        })
        if (rows.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) found++
      }
      return found / 150
    }
    expect(shares('queries')).toBeGreaterThan(0.12)
    expect(shares('clusters')).toBeLessThan(0.08)
  })

  test('widen what a mean’s tail leaves out no less than single queries do', () => {
    const { matrix, clusters } = clusteredGrid(6, 1)
    const how = { level: 0.05, draws: 400, seed: 2 }
    const tail = selectedTail(
      matrix.map((row) => [byCluster(row, clusters)]),
      how,
    )
    expect(tail).toBeGreaterThan(0)
    expect(tail).toBeLessThanOrEqual(0.025)
  })

  test('are dropped together by the gate', () => {
    const lost = Float64Array.from({ length: 60 }, (_, query) => (query < 15 ? 1 : 0))
    const how = { draws: 2000, seed: 1 }
    const alone = dropTest(lost, 0, how)
    // Three clusters of twelve lost all of it.
    expect(dropTest(lost, 0, { ...how, clusters: fives(12) })).toBeGreaterThan(5 * alone)
  })

  test('are whole in folds and splits, which stay nearly as large as their shares', () => {
    const { below } = createRandom(5)
    const ids = Array.from({ length: 200 }, (_, query) => `q${query}`)
    const clusters = Int32Array.from(ids, () => below(60))
    const categories = ids.map(() => null)
    const whole = (parts: Uint8Array) =>
      expect(new Set(ids.map((_, query) => `${clusters[query]} ${parts[query]}`)).size).toBe(
        new Set(clusters).size,
      )
    const folds = makeFolds({ ids, categories, clusters, folds: 5, seed: 1 })
    whole(folds)
    for (let fold = 0; fold < 5; fold++)
      expect(Math.abs(folds.filter((one) => one === fold).length - 40)).toBeLessThanOrEqual(4)
    const split = makeSplit({ ids, categories, clusters, dev: 0.3, seed: 1 })
    whole(split)
    expect(Math.abs(split.filter((part) => part === 0).length - 60)).toBeLessThanOrEqual(4)
    const reversed = [...ids.keys()].reverse()
    const again = makeFolds({
      ...{ ids: reversed.map((at) => ids[at]), categories, folds: 5, seed: 1 },
      clusters: reversed.map((at) => clusters[at]),
    })
    expect(reversed.map((at, place) => again[place] === folds[at])).not.toContain(false)
  })

  test('are found by shared ids, over others too, and by keys', () => {
    expect([...linkedClusters([['a'], ['b', 'c'], ['d'], ['c', 'a'], [], []])]).toEqual([0, 0, 2, 0, 4, 5])
    expect([...numberClusters(['x', null, 'x', null, 'y'])]).toEqual([0, 1, 0, 2, 3])
  })
})
