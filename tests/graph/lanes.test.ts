import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LANES, openSweep } from '../../src/graph/pagerank/sweep.ts'
import { createWalk } from '../../src/graph/pagerank/walk.ts'
import { csrOf, randomGraph } from './random-graph.ts'

const numbers = (length: number) =>
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: length, maxLength: length })

const problem = randomGraph.chain((graph) =>
  fc.record({
    graph: fc.constant(graph),
    from: fc.integer({ min: 0, max: graph.nodes - 1 }),
    weights: numbers(graph.nodes),
    z: numbers(LANES * graph.nodes),
    lanes: fc.constantFrom<1 | typeof LANES>(1, LANES),
    lane: fc.nat(LANES - 1),
    place: fc.nat(LANES - 1),
    share: fc.double({ min: 0.1, max: 2, noNaN: true }),
    bound: fc.double({ min: 0, max: 0.2, noNaN: true }),
    floor: fc.double({ min: 0, max: 3, noNaN: true }),
  }),
)

it('lanes are filled, read and cleared as plain loops do it, bit for bit, and no lane touches another', () => {
  fc.assert(
    fc.property(problem, ({ graph, from, weights, z, lanes, share, bound, floor, ...given }) => {
      const lane = given.lane % lanes
      const walk = createWalk(csrOf(graph))
      const { nodes } = walk.csr
      const sweep = openSweep(walk, { from, to: nodes })
      const { order, connected, heads, ranked, constant } = sweep
      const isRanked = (place: number) => order[place] >= from
      const at = (place: number) => place * lanes + lane
      const strength = (place: number) => walk.strengths[order[place]]

      const plain = Float64Array.from(z.slice(0, lanes * nodes))
      constant.set(plain)
      sweep.lay(lanes, lane, weights.slice(from), share)
      for (let p = 0; p < connected; p++)
        if (isRanked(p)) plain[at(p)] += share * weights[order[p]] * (1 / strength(p))
      expect(constant.slice(0, lanes * nodes)).toEqual(plain)

      sweep.clear(lanes, lane)
      for (let p = 0; p < heads; p++) plain[at(p)] = 0
      expect(constant.slice(0, lanes * nodes)).toEqual(plain)

      plain.set(z.slice(0, lanes * nodes))
      sweep.z.set(plain)
      sweep.start.set(weights)
      const begin = Math.min(given.place, nodes)
      sweep.begin(lanes, lane, begin)
      for (let p = begin; p < nodes; p++) plain[at(p)] = weights[p]
      expect(sweep.z.slice(0, lanes * nodes)).toEqual(plain)

      sweep.ranked.score(lanes, lane)
      const places = [...order.keys()].filter(isRanked)
      expect([...ranked.places]).toEqual(places)
      const scores = places.map((p) => (strength(p) > 0 ? strength(p) * plain[at(p)] : plain[at(p)]))
      expect([...ranked.scores]).toEqual(scores)
      const reaching = places.flatMap((p, i) => (scores[i] + bound * strength(p) >= floor ? [i] : []))
      expect([...ranked.reaching(bound, floor)]).toEqual(reaching)
    }),
  )
})

it('a large graph has lanes in float32 too', () => {
  const nodes = 1500
  // Each of 1499 nodes with the next ones of their ring; one stays alone.
  const edges = Array.from({ length: 2 ** 19 }, (_, i) => {
    const u = i % 1499
    return [u, (u + 1 + Math.floor(i / 1499)) % 1499, 1 + (i % 5)] as const
  })
  const walk = createWalk(csrOf({ nodes, edges }))
  const from = 400
  const { rough, order, connected, heads, start, z } = openSweep(walk, { from, to: nodes })
  if (!rough) throw new Error('the graph is too small')
  expect([connected, heads]).toEqual([nodes - 1, nodes - 1 - from])
  for (let p = 0; p < nodes; p++) start[p] = Math.sqrt(p)
  for (const lanes of [1, 16] as const) {
    rough.begin(lanes)
    const spread = Float32Array.from({ length: lanes * nodes }, (_, i) => start[Math.floor(i / lanes)])
    expect(rough.z.slice(0, lanes * nodes)).toEqual(spread)

    const weights = Float64Array.from({ length: nodes - from }, (_, row) => 1 / (row + 3))
    const plain = Float32Array.from({ length: lanes * nodes }, (_, i) => i / 7)
    rough.constant.set(plain)
    rough.lay(lanes, lanes - 1, weights, 0.3)
    for (let p = 0; p < heads; p++)
      plain[p * lanes + lanes - 1] += 0.3 * weights[order[p] - from] * (1 / walk.strengths[order[p]])
    expect(rough.constant.slice(0, lanes * nodes)).toEqual(plain)

    rough.z[5 * lanes] = Number.POSITIVE_INFINITY
    rough.z[7 * lanes] = Number.NaN
    z.fill(-1)
    rough.take(lanes, LANES, [
      [0, 3],
      [lanes - 1, 6],
    ])
    const taken = new Float64Array(LANES * nodes).fill(-1)
    for (let p = 0; p < connected; p++) {
      taken[p * LANES + 3] = p === 5 || p === 7 ? 0 : spread[p * lanes]
      taken[p * LANES + 6] = lanes === 1 ? taken[p * LANES + 3] : spread[p * lanes]
    }
    expect(z.slice(0, LANES * nodes)).toEqual(taken)
  }
})
