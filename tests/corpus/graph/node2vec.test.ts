import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildCsr } from '../../../src/corpus/graph/csr.ts'
import { node2vec, secondOrder } from '../../../src/corpus/graph/node2vec.ts'
import { createRandom } from '../../../src/random.ts'
import { nearFirst } from '../../../src/retrieve/transforms/graph-embedding.ts'

const OPTIONS = { dims: 16, walks: 20, length: 20, window: 3, p: 1, q: 1, seed: 1 }

/** Two cliques of `size` nodes with one edge between them, and a node that stands alone. */
function cliques(size: number) {
  const [sources, targets]: number[][] = [[], []]
  for (const begin of [0, size])
    for (let a = 0; a < size; a++)
      for (let b = a + 1; b < size; b++) {
        sources.push(begin + a)
        targets.push(begin + b)
      }
  return buildCsr(2 * size + 1, { sources: [...sources, 0], targets: [...targets, size] }).csr
}

const row = (vectors: Float32Array, node: number) =>
  vectors.subarray(node * OPTIONS.dims, (node + 1) * OPTIONS.dims)
const cosine = (vectors: Float32Array, a: number, b: number) =>
  row(vectors, a).reduce((sum, value, i) => sum + value * row(vectors, b)[i], 0)

test('nodes of one clique are near, those of the other are not, and one alone has no place', () => {
  const vectors = node2vec(cliques(8), OPTIONS)
  const pairs = (begin: number, other: number) =>
    Array.from({ length: 7 }, (_, i) => cosine(vectors, begin + i, other + i + (begin === other ? 1 : 0)))
  const within = [...pairs(0, 0), ...pairs(8, 8)]
  const across = pairs(1, 9).slice(0, 6)
  expect(Math.min(...within)).toBeGreaterThan(Math.max(...across))
  expect(row(vectors, 16)).toEqual(new Float32Array(OPTIONS.dims))
  for (let node = 0; node < 16; node++) expect(cosine(vectors, node, node)).toBeCloseTo(1, 5)
})

test('vectors are those of the version that keys them in a store', () => {
  const { csr } = buildCsr(4, { sources: [0, 1, 0, 1], targets: [1, 2, 2, 3], weights: [2, 1, 1, 4] })
  const rounds: [number, number][] = []
  const options = { dims: 2, walks: 40, length: 6, window: 2, p: 0.5, q: 2, seed: 5 }
  const vectors = node2vec(csr, options, (done, total) => rounds.push([done, total]))
  expect(rounds).toEqual(Array.from({ length: 40 }, (_, round) => [round, 40]))
  const wanted = [0.98732, 0.15876, 0.82083, -0.57117, 0.99615, 0.08771, 0.66889, -0.74336]
  expect([...vectors].map((value) => Number(value.toFixed(5)))).toEqual(wanted)
})

test('steps are drawn as the formula says', () => {
  // 0 - 1 - 2, 0 - 2 a triangle with a tail 1 - 3, weights differ.
  const { csr } = buildCsr(4, { sources: [0, 1, 0, 1], targets: [1, 2, 2, 3], weights: [2, 1, 1, 4] })
  const factor = fc.constantFrom(0.25, 0.5, 1, 2, 4)
  fc.assert(
    fc.property(factor, factor, fc.integer({ min: 0, max: 1000 }), (p, q, seed) => {
      const step = secondOrder(csr, { p, q }, createRandom(seed))
      const draws = 4000
      const counts = new Float64Array(4)
      for (let draw = 0; draw < draws; draw++) counts[step(0, 1)]++
      // From 0 to 1: back to 0 (2 / p), to 2, which 0 knows (1), or to 3 (4 / q).
      const wanted = [2 / p, 0, 1, 4 / q]
      const sum = wanted.reduce((a, b) => a + b)
      // Five standard errors.
      for (const [node, weight] of wanted.entries()) {
        const share = weight / sum
        const error = Math.sqrt((share * (1 - share)) / draws)
        expect(Math.abs(counts[node] / draws - share)).toBeLessThanOrEqual(5 * error)
      }
    }),
    { numRuns: 20 },
  )
})

test('chunks near the mean of the best ones rise, by the cosine times the weight', () => {
  // Vectors by row: east, north, east, west, nowhere.
  const vectors = Float32Array.of(1, 0, 0, 1, 1, 0, -1, 0, 0, 0)
  const ranking = { rows: Uint32Array.of(1, 3, 0, 4, 2), scores: Float64Array.of(3, 2.5, 2, 1.5, 1) }
  const of = (top: number, weight: number) => {
    const { rows, scores } = nearFirst(ranking, vectors, { dims: 2, top, weight })
    return [...rows].map((row, at) => [row, Number(scores[at].toFixed(6))])
  }
  // The best one lies north: only it is near itself.
  expect(of(1, 0.5)).toEqual([
    [1, 1.5],
    [3, 0.75],
    [0, 0.5],
    [4, 0.25],
    [2, 0],
  ])
  // North and west: the mean points north-west, from which east is turned away.
  expect(of(2, 1)).toEqual([
    [1, 1.707107],
    [3, 1.457107],
    [4, 0.25],
    [0, -0.207107],
    [2, Number((-Math.SQRT1_2).toFixed(6))],
  ])
  // West, north and east: the mean points north.
  expect(of(3, 1)).toEqual([
    [1, 2],
    [3, 0.75],
    [0, 0.5],
    [4, 0.25],
    [2, 0],
  ])
  // Without a mean direction nothing moves.
  const nowhere = nearFirst(ranking, new Float32Array(10), { dims: 2, top: 2, weight: 9 })
  expect([...nowhere.rows]).toEqual([1, 3, 0, 4, 2])
})
