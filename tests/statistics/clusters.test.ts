import { describe, expect, test } from 'vitest'
import { createRandom } from '../../src/random.ts'
import { linkedClusters, numberClusters } from '../../src/statistics/moments.ts'
import { makeFolds, makeSplit } from '../../src/statistics/tuned.ts'

describe('clusters of queries', () => {
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
      expect(Math.abs(folds.filter((part) => part === fold).length - 40)).toBeLessThanOrEqual(4)
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
