import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCsr, type Csr, incidenceOf, transpose } from '../../../src/corpus/graph/csr.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import {
  citePaths,
  findPaths,
  heaviestPaths,
  rankPaths,
  rankSources,
} from '../../../src/retrieve/steps/pathrag.ts'
import type { Walked } from '../../../src/retrieve/walked.ts'
import { csrOf, randomGraph } from '../../corpus/graph/random-graph.ts'
import { outputsOf, recipe } from './prepared.ts'

const OPTIONS = { threshold: 0.3, decay: 0.8, paths: 15 }

function graphOf(nodes: number, edges: readonly (readonly [number, number])[]): Csr {
  return buildCsr(nodes, { sources: edges.map(([a]) => a), targets: edges.map(([, b]) => b) }).csr
}

const shown = (paths: ReturnType<typeof heaviestPaths>) =>
  paths.map(({ nodes, weight }) => [nodes.join('-'), Number(weight.toFixed(6))])

describe('paths between linked entities', () => {
  it('flow that only equals the threshold stops', () => {
    const graph = graphOf(4, [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
    ])
    const found = heaviestPaths([0, 3], graph, { ...OPTIONS, threshold: 0.5 })
    expect(shown(found)).toEqual([
      ['0-1-3', 0.25],
      ['0-2-3', 0.25],
    ])
  })

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
  const beside = (node: number) => [...csr.targets.subarray(csr.offsets[node], csr.offsets[node + 1])]
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
        for (const next of beside(current)) if (!path.includes(next)) visit([...path, next])
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

describe('the steps', () => {
  /** Entities A to E, related as A - B - C - D: A and B twice, once each way. */
  const [sources, targets] = [Uint32Array.of(0, 1, 1, 2), Uint32Array.of(1, 0, 2, 3)]
  const chunksOfEntity = incidenceOf([[0], [0, 1], [2], [3], [3]], 4)
  const graph = {
    entities: { names: ['A', 'B', 'C', 'D', 'E'] },
    csr: graphOf(5, [
      [0, 1],
      [1, 2],
      [2, 3],
    ]),
    relationships: {
      sources,
      targets,
      combinedDegrees: Uint32Array.of(5, 5, 7, 1),
      weights: Float64Array.of(1, 2, 1, 9),
    },
    relationshipsOfEntity: incidenceOf([[0, 1], [0, 1, 2], [2, 3], [3], []], 4),
    chunksOfRelationship: incidenceOf([[0], [0, 1], [2], [0, 3]], 4),
    chunksOfEntity,
    entitiesOfChunk: transpose(chunksOfEntity, 4),
  }
  const [entities, relationships] = ['entity', 'relationship'].map((kind) =>
    [0, 1, 2, 3, 4].map((row) => ({ kind, id: `${kind} ${row}` })),
  )
  const texts = {
    entity: (row: number) => entities[row],
    relationship: (row: number) => relationships[row],
    sizes: { entity: (row: number) => row + 1, relationship: (row: number) => 10 * (row + 1) },
  }
  const artifacts = { graph, texts, chunks: [1, 1, 2, 1].map((tokens) => ({ tokens })) }
  const linked = (...rows: number[]) => ({ rows: Uint32Array.from(rows), scores: Float64Array.from(rows) })
  const path = (weight: number, ...nodes: number[]) => ({ nodes, weight })
  const source = sourceQuery(recipe) as never

  it('find paths whose texts fit, and name them', () => {
    const { step } = findPaths([source], { ...OPTIONS, threshold: 0 })
    const found = (size: number, ...rows: number[]) => {
      const sizes = { ...texts.sizes, relationship: (row: number) => size * (row + 1) }
      const sized = { ...artifacts, texts: { ...texts, sizes } }
      return outputsOf(findPaths, [[linked(...rows)]], { ...OPTIONS, threshold: 0 }, sized)[0]
    }
    // A, B, C and the relationships 0 and 2, of 5,000 tokens at most: 1 + 2 + 3 + size + 3 * size.
    expect(found(1248, 0, 2)).toMatchObject([{ nodes: [0, 1, 2], names: ['A', 'B', 'C'] }])
    expect(found(1249, 0, 2)).toEqual([])
    const both = found(10, 0, 1, 2)
    expect(both.map(({ nodes }) => nodes.join('-'))).toEqual(['0-1', '1-2', '0-1-2'])
    expect(step.facts?.(both).notes).toEqual({ paths: 'A → B | B → C | A → B → C' })
    expect([step.facts?.([]).notes, step.facts?.(both).counts]).toEqual([{ paths: 'none' }, { paths: 3 }])
  })

  it('rank the chunks of relationships before those of entities, each as many as fit', () => {
    const ranked = (size: number, depth: number, kept?: number[]) => {
      const mask = kept && { kept: Uint8Array.from(kept) }
      const inputs = [linked(1, 0), linked(2, 0), mask]
      const chunks = [1, 1, 2, 1].map((tokens) => ({ tokens: tokens * size }))
      return [...outputsOf(rankSources, [inputs], { depth }, { ...artifacts, chunks })[0].rows]
    }
    expect(ranked(1, 9)).toEqual([2, 0, 1])
    // Chunk 2 has all 4,000 tokens: with it chunk 0 does not fit, and of the entities both do.
    expect(ranked(2000, 9)).toEqual([2, 0, 1])
    expect(ranked(4000, 9)).toEqual([0])
    expect(ranked(1, 2)).toEqual([2, 0])
    expect(ranked(1, 9, [0, 1, 1, 1])).toEqual([2, 1])
  })

  it('rank the chunks behind paths, and show these as a walk', async () => {
    const paths = [path(0.9, 0, 1, 2), path(0.2, 0, 1)]
    const ranked = (depth: number, kept?: number[]) => {
      const mask = kept && { kept: Uint8Array.from(kept) }
      const [{ rows, scores }] = outputsOf(rankPaths, [[paths, mask]], { depth }, artifacts)
      return [[...rows], [...scores].map((score) => Number(score.toFixed(6)))]
    }
    expect(ranked(9)).toEqual([
      [1, 0, 2],
      [0.65, 0.65, 0.45],
    ])
    expect(ranked(1)[0]).toEqual([1])
    expect(ranked(9, [1, 0, 1, 1])[0]).toEqual([0, 2])
    const walked = rankPaths([source], { depth: 9 }).step.walked?.(recipe, { depth: 9 })
    const show = await walked?.open('', { graph: async () => graph } as never)
    const { starts, neighbours, entries, endOf } = (show as (inputs: unknown[]) => Walked)([paths])
    expect([Array.from(starts.nodes), Array.from(starts.weights)]).toEqual([[0], [expect.closeTo(1.1, 12)]])
    expect([0, 1, 2].map((node) => Array.from(neighbours(node)))).toEqual([[1, 1], [2], []])
    expect([Array.from(entries(0)), endOf(1)]).toEqual([[0, 1], 'B'])
  })

  it('cite what is on no path first, and the heaviest path last, each text once', () => {
    const paths = [path(0.9, 0, 1, 2), path(0.5, 1, 2, 3)]
    const [cited] = outputsOf(citePaths, [[linked(4, 0), linked(3, 1), paths]], null, artifacts)
    expect(cited.map(({ id }) => id)).toEqual([
      'relationship 1',
      'entity 4',
      'entity 3',
      'relationship 3',
      'entity 0',
      'entity 1',
      'entity 2',
      'relationship 0',
      'relationship 2',
    ])
  })
})
