import { describe, expect, it } from 'vitest'
import { buildCsr } from '../../../src/corpus/graph/csr.ts'
import { createWalk } from '../../../src/corpus/graph/pagerank.ts'
import { resetTitles, walkTitles } from '../../../src/retrieve/strategies/title-ppr.ts'
import { outputsOf } from './prepared.ts'

/** Passages 0 and 1 are linked, and 2 is alone. */
const { csr } = buildCsr(3, { sources: [0], targets: [1], weights: [1] })
const artifacts = { links: { csr, walk: createWalk(csr) } }
const reset = (nodes: number[], weights: number[]) => ({
  nodes: Uint32Array.from(nodes),
  weights: Float64Array.from(weights),
})

describe("title-ppr's steps", () => {
  const start = (prior: number[], scores: number[], titled = reset([], []), more: object = {}) =>
    outputsOf(
      resetTitles,
      [[{ rows: Uint32Array.from(prior), scores: Float64Array.from(scores) }, titled]],
      { top: 3, power: 2, titleWeight: 2, ...more },
      artifacts,
    )[0]

  it('start from the best passages of the prior and those that are titled', () => {
    expect(start([0, 1, 2], [1, 0.5, 0], reset([2], [0.5]))).toEqual({
      ...reset([0, 1, 2], [1, 0.25, 1]),
      leads: true,
    })
    expect(start([0, 1, 2], [1, 0.5, 0]).leads).toBe(true)
    // Passage 2 has no link; a title leads on, unless titles count for nothing.
    expect(start([2, 0, 1], [1, 0, 0])).toEqual({ ...reset([2], [1]), leads: false })
    expect(start([2, 0, 1], [1, 0, 0], reset([2], [1])).leads).toBe(true)
    expect(start([2, 0, 1], [1, 0, 0], reset([2], [1]), { titleWeight: 0 }).leads).toBe(false)
  })

  it('walk where a reset leads on, and rank what is reached', () => {
    const walk = (depth: number, ...block: unknown[][]) =>
      outputsOf(walkTitles, block, { damping: 0.5, depth }, artifacts).map(({ rows, scores }) => [
        [...rows],
        Array.from(scores, (score) => Math.round(score * 3e6) / 1e6),
      ])
    const from = (node: number, leads = true) => ({ ...reset([node], [1]), leads })
    const kept = (...rows: number[]) => ({ kept: Uint8Array.from(rows) })
    // p = 1/2 + 1/2 q and q = 1/2 p: p is 2/3, q is 1/3.
    expect(
      walk(10, [from(0)], [from(0, false)], [from(1)], [from(0), kept(0, 1, 1)], [from(0), kept(0, 0, 1)]),
    ).toEqual([
      [
        [0, 1],
        [2, 1],
      ],
      [[], []],
      [
        [1, 0],
        [2, 1],
      ],
      [[1], [1]],
      [[], []],
    ])
    expect(walk(1, [from(1)])).toEqual([[[1], [2]]])
  })
})
