import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCsr } from '../../src/graph/csr.ts'
import { blockPower } from '../../src/graph/pagerank/block.ts'
import { power } from '../../src/graph/pagerank/power.ts'
import { push } from '../../src/graph/pagerank/push.ts'
import { sparsePower } from '../../src/graph/pagerank/sparse.ts'
import type { SparseReset } from '../../src/graph/pagerank/walk.ts'
import { createWalk } from '../../src/graph/pagerank/walk.ts'
import { rankPairs, rankScores } from '../../src/ranking/order.ts'
import { createRandom } from '../../src/statistics/random.ts'
import { plainPush } from './plain-push.ts'
import { csrOf, dense, type RandomGraph, randomGraph } from './random-graph.ts'

/** Solves (I - d (P^T + v dangling^T)) x = (1 - d) v by Gaussian elimination with pivoting. */
function solve(graph: RandomGraph, reset: readonly number[], damping: number): number[] {
  const n = graph.nodes
  const weights = dense(graph)
  const strength = weights.map((row) => row.reduce((sum, weight) => sum + weight, 0))
  const total = reset.reduce((sum, weight) => sum + weight, 0)
  const v = reset.map((weight) => weight / total)
  const rows = Array.from({ length: n }, (_, u) =>
    Array.from({ length: n + 1 }, (_, w) => {
      if (w === n) return (1 - damping) * v[u]
      return (u === w ? 1 : 0) - damping * (strength[w] > 0 ? weights[w][u] / strength[w] : v[u])
    }),
  )
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column; row < n; row++)
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    for (let row = 0; row < n; row++) {
      if (row === column) continue
      const factor = rows[row][column] / rows[column][column]
      for (let k = column; k <= n; k++) rows[row][k] -= factor * rows[column][k]
    }
  }
  return rows.map((row, u) => row[n] / row[u])
}

const everywhere = (weights: readonly number[]) => ({ nodes: weights.map((_, u) => u), weights })

const problem = randomGraph.chain((graph) =>
  fc.record({
    graph: fc.constant(graph),
    resets: fc.array(
      fc
        .array(fc.integer({ min: 0, max: 8 }), { minLength: graph.nodes, maxLength: graph.nodes })
        .filter((reset) => reset.some((weight) => weight > 0)),
      { minLength: 1, maxLength: 11 },
    ),
    damping: fc.constantFrom(0, 0.1, 0.5, 0.85, 0.95),
    depth: fc.integer({ min: 1, max: 30 }),
  }),
)

describe('personalised PageRank', () => {
  it('power iteration solves the equation', () => {
    fc.assert(
      fc.property(problem, ({ graph, resets, damping }) => {
        const scores = power(createWalk(csrOf(graph)), resets[0], damping)
        solve(graph, resets[0], damping).forEach((exact, u) => {
          expect(Math.abs(scores[u] - exact)).toBeLessThan(1e-12)
        })
      }),
    )
  })

  it('push stays within its bound', () => {
    fc.assert(
      fc.property(problem, fc.constantFrom(1e-3, 1e-6, 1e-10), ({ graph, resets, damping }, epsilon) => {
        const reset = resets[0]
        const result = push(createWalk(csrOf(graph)), everywhere(reset), damping, {
          epsilon,
          edges: Number.POSITIVE_INFINITY,
        })
        const exact = solve(graph, reset, damping)
        let error = 0
        const scores = new Float64Array(graph.nodes)
        result.nodes.forEach((u, i) => {
          scores[u] = result.scores[i]
        })
        for (let u = 0; u < graph.nodes; u++) {
          expect(scores[u]).toBeLessThan(exact[u] + 1e-12)
          error += exact[u] - scores[u]
        }
        expect(error).toBeLessThan(result.bound + 1e-12)
        expect(result.epsilon).toBeLessThanOrEqual(epsilon)
        if (epsilon === 1e-10) expect(result.bound).toBeLessThan(1e-6)
      }),
    )
  })

  it('push does what a plain loop does, bit for bit, walk after walk', () => {
    fc.assert(
      fc.property(problem, fc.integer({ min: 1, max: 200 }), ({ graph, resets, damping }, edges) => {
        const walk = createWalk(csrOf(graph))
        for (const weights of resets) {
          const reset = { nodes: weights.map((_, u) => u), weights }
          const { nodes, scores, bound } = push(walk, reset, damping, { epsilon: 1e-9, edges })
          const plain = plainPush(walk, reset, damping, { epsilon: 1e-9, edges })
          expect({ nodes: [...nodes], scores: [...scores], bound }).toEqual(plain)
        }
      }),
    )
  })

  it('push weighs edges alike that float32 cannot hold', () => {
    const graph = (size: number) =>
      ({
        nodes: 3,
        edges: [
          [0, 1, size],
          [1, 2, 3 * size],
        ],
      }) as RandomGraph
    const scores = [1, 2 ** -100].map((size) =>
      [...sparsePower(createWalk(csrOf(graph(size))), { nodes: [1], weights: [1] }, 0.5).scores].map((x) =>
        x.toFixed(9),
      ),
    )
    expect(scores[1]).toEqual(scores[0])
    expect(scores[0][1]).not.toBe(scores[0][2])
  })

  it('push that runs out of edges says how far it came', () => {
    fc.assert(
      fc.property(problem, fc.integer({ min: 0, max: 60 }), ({ graph, resets, damping }, edges) => {
        const reset = resets[0]
        const result = push(createWalk(csrOf(graph)), everywhere(reset), damping, {
          epsilon: 1e-14,
          edges,
        })
        const exact = solve(graph, reset, damping)
        let error = 0
        exact.forEach((score, u) => {
          const place = result.nodes.indexOf(u)
          error += Math.abs(score - (place < 0 ? 0 : result.scores[place]))
        })
        // Where nodes without edges have not been pushed yet, normalising may err as much again.
        expect(error).toBeLessThan(2 * result.bound + 1e-12)
      }),
    )
  })

  it('a push that runs out of edges is swept to the exact scores', () => {
    fc.assert(
      fc.property(problem, fc.integer({ min: 0, max: 200 }), ({ graph, resets, damping }, edges) => {
        const walk = createWalk(csrOf(graph))
        for (const reset of resets) {
          const found = sparsePower(walk, everywhere(reset), damping, { epsilon: 1e-14, edges })
          expect(found.cut).toBe(false)
          const scores = new Float64Array(graph.nodes)
          found.nodes.forEach((u, i) => {
            scores[u] = found.scores[i]
          })
          solve(graph, reset, damping).forEach((exact, u) => {
            expect(Math.abs(scores[u] - exact)).toBeLessThan(1e-11)
          })
        }
      }),
    )
  })

  it('a long walk ranks as power iteration does, one over too large a graph is cut and says so', () => {
    const random = createRandom(5)
    const walkOf = (nodes: number, edges: number) => {
      const ends = () => Array.from({ length: edges }, () => random.below(nodes))
      const weights = new Array(edges).fill(1)
      return createWalk(buildCsr(nodes, { sources: ends(), targets: ends(), weights }).csr)
    }
    const reset = { nodes: [3, 5, 8], weights: [1, 2, 3] }
    const dense = (nodes: number) => {
      const weights = new Array<number>(nodes).fill(0)
      reset.nodes.forEach((u, i) => {
        weights[u] = reset.weights[i]
      })
      return weights
    }
    const whole = walkOf(3000, 30_000)
    for (const damping of [0.85, 0.95, 0.99]) {
      const { nodes, scores, cut } = sparsePower(whole, reset, damping)
      expect(cut).toBe(false)
      const exact = power(whole, dense(3000), damping)
      expect([...rankPairs(nodes, scores, 100).rows]).toEqual([...rankScores(exact, 100).rows])
    }
    const large = walkOf(20_000, 120_000)
    const { nodes, scores, bound, cut } = sparsePower(large, reset, 0.95)
    expect(cut).toBe(true)
    const exact = power(large, dense(20_000), 0.95)
    nodes.forEach((u, i) => {
      exact[u] -= scores[i]
    })
    const error = exact.reduce((sum, x) => sum + Math.abs(x), 0)
    expect(error).toBeGreaterThan(1e-3)
    expect(error).toBeLessThan(bound + 1e-9)
  })

  it('blocks give the order of the exact scores, and the same bits alone', () => {
    fc.assert(
      fc.property(problem, ({ graph, resets, damping, depth }) => {
        const walk = createWalk(csrOf(graph))
        const from = Math.floor(graph.nodes / 3)
        const start = power(walk, new Array(graph.nodes).fill(1), damping)
        const options = { damping, depth, from, to: graph.nodes, start }
        const apart = (reset: number[]) => ({
          ...everywhere(reset.slice(0, from)),
          ranked: reset.slice(from),
        })
        const together = blockPower(walk, resets.map(apart), options)
        resets.forEach((reset, query) => {
          expect(blockPower(walk, [apart(reset)], options)[0]).toEqual(together[query])
          const exact = solve(graph, reset, damping).slice(from)
          const { rows } = together[query]
          expect(rows.length).toBe(Math.min(depth, exact.length))
          // Rows may change places only where the exact scores are equal.
          const best = rankScores(Float64Array.from(exact), depth).rows
          rows.forEach((row, place) => {
            expect(Math.abs(exact[row] - exact[best[place]])).toBeLessThan(1e-13)
          })
        })
      }),
    )
  })

  it('blocks from nothing give the order of the exact scores, what no walk reaches last', () => {
    fc.assert(
      fc.property(problem, ({ graph, resets, damping, depth }) => {
        const walk = createWalk(csrOf(graph))
        const options = { damping, depth, from: 0, to: graph.nodes }
        const together = blockPower(walk, resets.map(everywhere), options)
        resets.forEach((reset, query) => {
          expect(blockPower(walk, [everywhere(reset)], options)[0]).toEqual(together[query])
          const exact = solve(graph, reset, damping)
          const { rows } = together[query]
          expect(rows.length).toBe(Math.min(depth, exact.length))
          const best = rankScores(Float64Array.from(exact), depth).rows
          rows.forEach((row, place) => {
            expect(Math.abs(exact[row] - exact[best[place]])).toBeLessThan(1e-13)
          })
        })
      }),
    )
  })

  it.each([
    ['from a start', 1, true],
    ['from nothing', 1, false],
    ['with weights beyond float32', 2 ** 200, true],
  ])(
    'a large graph is approached in float32 %s: the same order, and the same bits alone',
    (_, unit, started) => {
      const nodes = 4000
      const from = 100
      const random = createRandom(7)
      const edges = Array.from({ length: 640_000 }, () => {
        const weight = unit * (0.1 + random.uniform())
        return [random.below(nodes - 5), Math.floor((nodes - 5) * random.uniform() ** 3), weight] as const
      })
      const walk = createWalk(csrOf({ nodes, edges }))
      expect(walk.csr.targets.length).toBeGreaterThan(2 ** 20)
      const resets = Array.from({ length: 35 }, (_, query) => ({
        nodes: Array.from({ length: 30 }, (_, i) =>
          i === 0 ? nodes - 1 : random.below(130) + (i - 1) * 130,
        ),
        weights: Array.from({ length: 30 }, () => random.uniform()),
        ...(query % 3 > 0 && { ranked: Array.from({ length: nodes - from }, () => random.uniform() / 100) }),
      }))
      const everyRanked = new Float64Array(nodes).fill(1, from)
      const start = started ? power(walk, everyRanked, 0.5) : undefined
      const options = { damping: 0.5, depth: 50, from, to: nodes, start }
      const together = blockPower(walk, resets, options)
      // The first and the last of a float32 sweep's sixteen, and of the queries.
      for (const query of [0, 7, 15, 16, 31, 32, 34]) {
        expect(blockPower(walk, [resets[query]], options)[0]).toEqual(together[query])
        const { nodes: at, weights, ranked = [] } = resets[query]
        const reset = new Float64Array(nodes)
        reset.set(ranked, from)
        at.forEach((u, i) => {
          reset[u] += weights[i]
        })
        const best = rankScores(power(walk, reset, 0.5, 1e-15).slice(from), 50)
        expect(together[query].rows).toEqual(best.rows)
      }
    },
  )

  it('twins with the same reset have the same score, however few sweeps were needed', () => {
    // A hub with leaves 1 to 9, and a path behind it.
    const leaves = Array.from({ length: 9 }, (_, i) => [0, i + 1, 1.5] as const)
    const walk = createWalk(csrOf({ nodes: 12, edges: [...leaves, [0, 10, 1], [10, 11, 1]] }))
    const resets = [
      { nodes: [11], weights: [1] },
      { nodes: [2, 5, 11], weights: [0.1, 0.1, 3] },
      { nodes: [4, 3], weights: [0.3, 0.2] },
    ]
    const [far, two, apart] = blockPower(walk, resets, { damping: 0.85, from: 1, to: 12, depth: 11 })
    expect([...far.rows]).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    expect(new Set(far.scores.slice(2)).size).toBe(1)
    expect([...two.rows]).toEqual([10, 9, 4, 1, 8, 7, 6, 5, 3, 2, 0])
    expect(two.scores[2]).toBe(two.scores[3])
    expect(new Set(two.scores.slice(4)).size).toBe(1)
    expect([...apart.rows]).toEqual([3, 2, 9, 8, 7, 6, 5, 4, 1, 0, 10])
    expect(new Set(apart.scores.slice(3, 10)).size).toBe(1)
  })

  it('sizes of weights beyond float32 change nothing', () => {
    const edges = [
      [0, 1, 3],
      [1, 2, 0.1],
      [2, 3, 1 / 3],
    ] as const
    const scores = [1, 2 ** -200, 2 ** 200].map((factor) => {
      const scaled = edges.map(([a, b, weight]) => [a, b, weight * factor] as const)
      const walk = createWalk(csrOf({ nodes: 4, edges: scaled }))
      return blockPower(walk, [everywhere([1, 0, 0, 1])], { damping: 0.5, from: 0, to: 4, depth: 4 })[0]
    })
    expect(scores[1]).toEqual(scores[0])
    expect(scores[2]).toEqual(scores[0])
  })

  it('refuses a reset that is no distribution', () => {
    const walk = createWalk(csrOf({ nodes: 2, edges: [[0, 1, 1]] }))
    expect(() => power(walk, [0, 0], 0.5)).toThrow('zero everywhere')
    expect(() => power(walk, [1, Number.NaN], 0.5)).toThrow('NaN')
    expect(() => power(walk, [1], 0.5)).toThrow('1 entries')
    expect(() => power(walk, [1, 1], 1)).toThrow('damping')
    const options = { damping: 0.5, from: 0, to: 2, depth: 2 }
    for (const refuses of [
      (reset: SparseReset) => sparsePower(walk, reset, 0.5),
      (reset: SparseReset) => blockPower(walk, [reset], options),
    ]) {
      expect(() => refuses({ nodes: [], weights: [] })).toThrow('sum to 0')
      expect(() => refuses({ nodes: [2], weights: [1] })).toThrow('of node 2')
      expect(() => refuses({ nodes: [0, 1], weights: [2, -1] })).toThrow('reset weight -1')
    }
    const ranked = (...weights: number[]) =>
      blockPower(walk, [{ nodes: [], weights: [], ranked: weights }], options)
    expect(() => ranked(1)).toThrow('1 weights for 2 ranked nodes')
    expect(() => ranked(1, Number.NaN)).toThrow('reset weight NaN of node 1')
    expect(() => ranked(-1, 2)).toThrow('reset weight -1 of node 0')
    expect(() => ranked(1, Number.POSITIVE_INFINITY)).toThrow('sum to Infinity')
    expect(() => ranked(0, 0)).toThrow('sum to 0')
    expect(() => blockPower(walk, [], { ...options, damping: 1 })).toThrow('damping')
  })
})
