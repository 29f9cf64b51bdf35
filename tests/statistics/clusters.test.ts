import { describe, expect, test } from 'vitest'
import { createRandom } from '../../src/random.ts'
import { clusterTotals, linkedClusters, numberClusters } from '../../src/statistics/clusters.ts'
import { dropTest } from '../../src/statistics/drop.ts'
import { makeFolds, makeSplit } from '../../src/statistics/folds.ts'

/** Queries in fives, of which each differs as the first of its five does. */
const fives = (count: number) => Float64Array.from({ length: 5 * count }, (_, query) => Math.floor(query / 5))

describe('clusters of queries', () => {
  test('have the sum and the number of their values, in the order of first queries', () => {
    expect(clusterTotals([1, 2, 3, 4], [7, 7, 2, 7])).toEqual({ totals: [7, 3], sizes: [3, 1] })
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
      ids: reversed.map((at) => ids[at]),
      categories,
      folds: 5,
      seed: 1,
      clusters: reversed.map((at) => clusters[at]),
    })
    expect(reversed.map((at, place) => again[place] === folds[at])).not.toContain(false)
  })

  test('are found by shared ids, over others too, and by keys', () => {
    expect([...linkedClusters([['a'], ['b', 'c'], ['d'], ['c', 'a'], [], []])]).toEqual([0, 0, 2, 0, 4, 5])
    expect([...numberClusters(['x', null, 'x', null, 'y'])]).toEqual([0, 1, 0, 2, 3])
  })
})
