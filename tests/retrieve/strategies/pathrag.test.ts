import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCsr, type Csr, incidenceOf, transpose } from '../../../src/corpus/graph/csr.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { heaviestPaths } from '../../../src/retrieve/strategies/pathrag/flow.ts'
import { chunksOfEntities, chunksOfPaths } from '../../../src/retrieve/strategies/pathrag/sources.ts'
import {
  citePaths,
  findPaths,
  rankPaths,
  rankSources,
  sortRelationships,
} from '../../../src/retrieve/strategies/pathrag/steps.ts'
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
  it('a direct edge beside a way over two entities', () => {
    // From 0 to 3: 0-3, 0-1-3, 0-1-2-3. Followers: 0 {1, 3}, 1 {2, 3}, 2 {3}.
    // Flow: 0-1 and 0-3 1/2; 1-2 and 1-3 0.5 * 0.8 / 2 = 0.2, which is at most 0.3: nothing flows from 2 to 3.
    const graph = graphOf(4, [
      [0, 1],
      [1, 2],
      [2, 3],
      [1, 3],
      [0, 3],
    ])
    expect(shown(heaviestPaths([0, 3], graph, OPTIONS))).toEqual([
      ['0-3', 0.5],
      ['0-1-3', (0.5 + 0.2) / 2],
      // Back from 3: 1/3 to each of 0, 1, 2. From 1 on to 0, and from 2 on to 1: 1/3 * 0.8, at most 0.3.
      ['3-2-1-0', Number(((1 / 3 + 0.8 / 3 + 0.8 / 3) / 3).toFixed(6))],
    ])
  })

  it('a threshold of 0 lets flow reach every edge', () => {
    const chain = graphOf(4, [
      [0, 1],
      [1, 2],
      [2, 3],
    ])
    // 1, 0.8, 0.64: the mean of a chain that no hub divides.
    expect(shown(heaviestPaths([0, 3], chain, { ...OPTIONS, threshold: 0 }))).toEqual([['0-1-2-3', 0.813333]])
    // 4 edges apart is no path.
    expect(
      heaviestPaths(
        [0, 4],
        graphOf(5, [
          [0, 1],
          [1, 2],
          [2, 3],
          [3, 4],
        ]),
        OPTIONS,
      ),
    ).toEqual([])
  })

  it('an edge adds up what flows to it on several ways, and passes nothing on behind the third', () => {
    // From 0 to 4: 0-1-2-4, 0-2-4, 0-2-3-4. Edge 2-3 gets 0.16 behind 0-1-2, as a third edge, and 0.2 behind 0-2:
    // 0.36 * 0.8 = 0.288 go on to 4. Back from 4 it is 2-0 that has 0.16 and 0.2.
    const graph = graphOf(5, [
      [0, 1],
      [1, 2],
      [2, 4],
      [0, 2],
      [2, 3],
      [3, 4],
    ])
    const found = (paths: number) => shown(heaviestPaths([0, 4], graph, { ...OPTIONS, threshold: 0, paths }))
    expect(found(15)).toEqual([
      ['0-2-4', (0.5 + 0.36) / 2],
      ['0-1-2-4', 0.42],
      ['4-3-2-0', 0.42],
    ])
    expect(found(2)).toHaveLength(2)
  })

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

  it('the heaviest of many paths of a pair is found, in whichever place it was met', () => {
    // 1 / 3 flows directly; over 1 or 2 the mean is (1 / 3 + 0.8 / 3) / 2.
    const graph = graphOf(4, [
      [0, 1],
      [1, 3],
      [0, 2],
      [2, 3],
      [0, 3],
    ])
    expect(shown(heaviestPaths([0, 3], graph, { ...OPTIONS, paths: 1 }))).toEqual([['0-3', 0.333333]])
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

describe('chunks of the context', () => {
  it('of entities: by the first entity, then by how many of its neighbours are in them', () => {
    // Entity 0 is related to 1; chunk 0 holds 0, chunk 1 holds 0 and 1, chunk 2 holds 1.
    const chunksOfEntity = incidenceOf(
      [
        [0, 1],
        [1, 2],
      ],
      3,
    )
    const csr = graphOf(2, [[0, 1]])
    const graph = { chunksOfEntity, entitiesOfChunk: transpose(chunksOfEntity, 3), csr }
    expect(chunksOfEntities([0, 1], graph)).toEqual([1, 0, 2])
  })

  it('of entities: the neighbours that stand in a chunk count, not all of them', () => {
    // 0 is related to 1 and 2, and 3 to 1.
    const csr = graphOf(4, [
      [0, 1],
      [0, 2],
      [3, 1],
    ])
    const entitiesOfChunk = incidenceOf([[0], [0, 1, 2], [0, 1], [3], [1, 3]], 4)
    const graph = { entitiesOfChunk, chunksOfEntity: transpose(entitiesOfChunk, 4), csr }
    expect(chunksOfEntities([3, 0], graph)).toEqual([4, 3, 1, 2, 0])
    expect(chunksOfEntities([0, 3], graph)).toEqual([1, 2, 0, 4, 3])
  })

  it('of paths: by weight and the share of the path that a chunk holds', () => {
    // Relationships 0-1 in chunk 0, 1-2 in chunks 0 and 1, 2-3 in chunk 2.
    const relationships = { sources: Uint32Array.of(0, 1, 3), targets: Uint32Array.of(1, 2, 2) }
    const graph = {
      relationships,
      relationshipsOfEntity: incidenceOf([[0], [0, 1], [1, 2], [2]], 3),
      chunksOfRelationship: incidenceOf([[0], [0, 1], [2]], 3),
    }
    const paths = [
      { nodes: [0, 1, 2], weight: 0.6 },
      { nodes: [2, 3], weight: 0.5 },
    ]
    const { rows, scores } = chunksOfPaths(paths, graph as never, 9)
    expect([...rows]).toEqual([0, 2, 1])
    expect([...scores].map((score) => Number(score.toFixed(6)))).toEqual([0.6, 0.5, 0.3])
    const kept = { kept: Uint8Array.of(0, 1, 1) }
    expect([...chunksOfPaths(paths, graph as never, 9, kept as never).rows]).toEqual([2, 1])
  })
})

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
    expect(step.notes?.(both)).toEqual({ paths: 'A → B | B → C | A → B → C' })
    expect([step.notes?.([]), step.counts?.(both)]).toEqual([{ paths: 'none' }, { paths: 3 }])
  })

  it('sort relationships by the degrees of their ends, then by weight, as many as fit', () => {
    const sorted = (size: number) => {
      const sizes = { ...texts.sizes, relationship: (row: number) => size * (row + 1) }
      const sized = { ...artifacts, texts: { ...texts, sizes } }
      return [...outputsOf(sortRelationships, [[linked(0, 1, 2, 3)]], null, sized)[0].rows]
    }
    // Of 3,000 tokens at most.
    expect([sorted(300), sorted(500), sorted(501)]).toEqual([
      [2, 1, 0, 3],
      [2, 1, 0],
      [2, 1],
    ])
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
