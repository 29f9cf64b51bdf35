import { expect, test } from 'vitest'
import { buildCsr } from '../../../src/corpus/graph/csr.ts'
import { node2vec } from '../../../src/corpus/graph/node2vec.ts'
import { nearFirst } from '../../../src/retrieve/transforms/graph-embedding.ts'

test('vectors are those of the version that keys them in a store', () => {
  const csr = buildCsr(4, { sources: [0, 1, 0, 1], targets: [1, 2, 2, 3], weights: [2, 1, 1, 4] })
  const rounds: [number, number][] = []
  const options = { dims: 2, walks: 40, length: 6, window: 2, p: 0.5, q: 2, seed: 5 }
  const vectors = node2vec(csr, options, (done, total) => rounds.push([done, total]))
  expect(rounds).toEqual(Array.from({ length: 40 }, (_, round) => [round, 40]))
  const wanted = [0.98732, 0.15876, 0.82083, -0.57117, 0.99615, 0.08771, 0.66889, -0.74336]
  expect([...vectors].map((value) => Number(value.toFixed(5)))).toEqual(wanted)
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
