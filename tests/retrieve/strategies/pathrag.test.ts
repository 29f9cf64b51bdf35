import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Csr } from '../../../src/corpus/graph/csr.ts'
import { heaviestPaths } from '../../../src/retrieve/strategies/pathrag.ts'
import { csrOf, randomGraph } from '../../corpus/graph/random-graph.ts'

const OPTIONS = { threshold: 0.3, decay: 0.8, paths: 15 }

const shown = (paths: ReturnType<typeof heaviestPaths>) =>
  paths.map(({ nodes, weight }) => [nodes.join('-'), Number(weight.toFixed(6))])

describe('paths between linked entities', () => {
  it('equals the original, written out plainly, on any graph', () => {
    fc.assert(
      fc.property(
        randomGraph,
        fc.integer({ min: 0, max: 8 }),
        fc.constantFrom(0, 0.1, 0.3, 0.5),
        fc.constantFrom(1, 2, 15),
        (graph, count, threshold, paths) => {
          const csr = csrOf(graph)
          const linked = [...new Set(Array.from({ length: count }, (_, i) => (i * 7) % csr.nodes))]
          const options = { ...OPTIONS, threshold, paths }
          expect(shown(heaviestPaths(linked, csr, options))).toEqual(shown(plain(linked, csr, options)))
        },
      ),
      { numRuns: 100 },
    )
  })
})

/** Depth-first search of all simple paths, then three nested loops, as BUPT-GAMMA/PathRAG has them. */
function plain(linked: readonly number[], csr: Csr, { threshold, decay, paths: most }: typeof OPTIONS) {
  const neighboursOf = (node: number) => [...csr.targets.subarray(csr.offsets[node], csr.offsets[node + 1])]
  const all: { nodes: number[]; weight: number }[] = []
  for (const source of linked)
    for (const target of linked) {
      if (source === target) continue
      const paths: number[][] = []
      const visit = (path: number[]) => {
        const current = path[path.length - 1]
        if (path.length > 4) return
        if (current === target) {
          paths.push(path)
          return
        }
        for (const next of neighboursOf(current)) if (!path.includes(next)) visit([...path, next])
      }
      visit([source])
      const followers = (node: number) =>
        [
          ...new Set(
            paths.flatMap((path) => path.flatMap((at, i) => (at === node ? path.slice(i + 1, i + 2) : []))),
          ),
        ].sort((a, b) => a - b)
      const flow = new Map<string, number>()
      const at = (a: number, b: number) => flow.get(`${a} ${b}`) ?? 0
      const first = followers(source)
      for (const a of first) {
        flow.set(`${source} ${a}`, at(source, a) + 1 / first.length)
        if (a === target || at(source, a) <= threshold) continue
        for (const b of followers(a)) {
          flow.set(`${a} ${b}`, at(a, b) + (at(source, a) * decay) / followers(a).length)
          if (b === target || at(a, b) <= threshold) continue
          for (const c of followers(b))
            flow.set(`${b} ${c}`, at(b, c) + (at(a, b) * decay) / followers(b).length)
        }
      }
      for (const nodes of paths) {
        const sum = nodes.slice(1).reduce((total, node, i) => total + at(nodes[i], node), 0)
        all.push({ nodes, weight: sum / (nodes.length - 1) })
      }
    }
  const seen = new Set<string>()
  return all
    .sort((a, b) => b.weight - a.weight)
    .filter(({ nodes }) => {
      const key = [...nodes].sort().join(' ')
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, most)
}
