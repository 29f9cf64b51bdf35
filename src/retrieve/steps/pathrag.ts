import { chunkSpans } from '../../corpus/corpus.ts'
import { type Csr, type Incidence, membersOf } from '../../corpus/graph/csr.ts'
import type { Graph } from '../../corpus/graph/graph.ts'
import { relationshipsBetween } from '../../corpus/graph/neighbors.ts'
import type { Reset } from '../../corpus/graph/pagerank.ts'
import { addTo, addToSet } from '../../maps.ts'
import { cutToBudget } from '../../ranking/cut.ts'
import type { Mask } from '../../ranking/mask.ts'
import { head, rankPairs } from '../../ranking/order.ts'
import { rankList } from '../../ranking/rank-list.ts'
import { derived } from '../../store/artifact.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import type { Walked } from '../walked.ts'
import { graphInput, textsInput } from './entities.ts'

/**
 * PathRAG's pruning between each ordered pair of linked entities, over all simple paths of at most 3 edges.
 * BUPT-GAMMA/PathRAG, `find_paths_and_edges_with_stats`, `bfs_weighted_paths`.
 *
 *     flow of an edge (u, v)   decay * flow into u / followers of u; the first edges: 1 / followers
 *     weight of a path         mean flow of its edges
 *
 * Followers of a node are those on some path of the pair, by entity row (the original's order changes from run to run).
 * Flow of at most `threshold` stops. Of paths over the same entities the heaviest is kept.
 */
type FlowOptions = { readonly threshold: number; readonly decay: number; readonly paths: number }

interface FlowPath {
  /** Entity rows from a linked entity to another. */
  readonly nodes: readonly number[]
  readonly weight: number
}

/** The heaviest paths between `linked` entities (distinct rows, best first), heaviest first. */
export function heaviestPaths(linked: readonly number[], csr: Csr, options: FlowOptions): FlowPath[] {
  const linkedBeside = neighboursAmong(linked, csr)
  const heaviest: FlowPath[] = []
  for (const source of linked) {
    const byTarget = pathsFrom(source, csr, new Set(linked), linkedBeside)
    for (const target of linked) {
      const paths = byTarget.get(target)
      if (!paths) continue
      const flow = flowOver(source, target, paths, csr.nodes, options)
      const weighed = paths.map((nodes): FlowPath => ({ nodes, weight: meanFlow(nodes, flow, csr.nodes) }))
      // Twice as many suffice: a pair has at most two paths over the same entities.
      heaviest.push(...weighed.sort(byWeight).slice(0, 2 * options.paths))
    }
  }
  const distinct = new Map<string, FlowPath>()
  for (const path of heaviest.sort(byWeight)) {
    const key = [...path.nodes].sort().join(' ')
    if (!distinct.has(key)) distinct.set(key, path)
  }
  return [...distinct.values()].slice(0, options.paths)
}

const byWeight = (a: FlowPath, b: FlowPath) => b.weight - a.weight

const neighbours = ({ offsets, targets }: Csr, node: number) =>
  targets.subarray(offsets[node], offsets[node + 1])

function neighboursAmong(linked: readonly number[], csr: Csr): ReadonlyMap<number, readonly number[]> {
  const linkedTo = new Map<number, number[]>()
  for (const entity of linked) for (const node of neighbours(csr, entity)) addTo(linkedTo, node, entity)
  return linkedTo
}

/** Simple paths of 1 to 3 edges from `source` to each other linked entity, in the order of their rows. */
function pathsFrom(
  source: number,
  csr: Csr,
  linked: ReadonlySet<number>,
  linkedBeside: ReadonlyMap<number, readonly number[]>,
): Map<number, number[][]> {
  const paths = new Map<number, number[][]>()
  const add = (path: number[]) => {
    const target = path[path.length - 1]
    addTo(paths, target, path)
  }
  for (const first of neighbours(csr, source)) {
    if (linked.has(first)) add([source, first])
    for (const second of neighbours(csr, first)) {
      if (second === source) continue
      if (linked.has(second)) add([source, first, second])
      for (const target of linkedBeside.get(second) ?? [])
        if (target !== source && target !== first) add([source, first, second, target])
    }
  }
  return paths
}

/** Flow by edge, keyed by `u * nodes + v`. */
function flowOver(
  source: number,
  target: number,
  paths: readonly (readonly number[])[],
  nodes: number,
  { threshold, decay }: FlowOptions,
): Map<number, number> {
  const followers = followersOn(paths)
  const flow = new Map<number, number>()
  const pass = (from: number, to: number, amount: number) => {
    const sum = (flow.get(from * nodes + to) ?? 0) + amount
    flow.set(from * nodes + to, sum)
    return sum
  }
  const spread = (from: number, arriving: number, edge: number) => {
    const next = followers.get(from) as number[]
    for (const to of next) {
      const flowing = pass(from, to, arriving / next.length)
      if (to !== target && edge < 3 && flowing > threshold) spread(to, flowing * decay, edge + 1)
    }
  }
  spread(source, 1, 1)
  return flow
}

function edgesOf(path: readonly number[]): (readonly [from: number, to: number])[] {
  return path.slice(1).map((to, i) => [path[i], to])
}

function followersOn(paths: readonly (readonly number[])[]): Map<number, number[]> {
  const sets = new Map<number, Set<number>>()
  for (const path of paths)
    for (const [from, to] of edgesOf(path)) {
      addToSet(sets, from, to)
    }
  return new Map([...sets].map(([node, next]) => [node, [...next]]))
}

function meanFlow(path: readonly number[], flow: ReadonlyMap<number, number>, nodes: number): number {
  let sum = 0
  for (const [from, to] of edgesOf(path)) sum += flow.get(from * nodes + to) ?? 0
  return sum / (path.length - 1)
}

/**
 * Chunks of entities by their first entity, then by how often a neighbour of their entities is in them too.
 * BUPT-GAMMA/PathRAG, `_find_most_related_text_unit_from_entities`.
 */
function chunksOfEntities(
  entities: readonly number[],
  { chunksOfEntity, entitiesOfChunk, csr }: Pick<Graph, 'chunksOfEntity' | 'entitiesOfChunk' | 'csr'>,
): number[] {
  const chunks = new Map<number, { order: number; neighbours: number }>()
  entities.forEach((entity, order) => {
    for (const chunk of membersOf(chunksOfEntity, entity)) {
      const neighbours = sharedWith(entity, chunk, csr, entitiesOfChunk)
      const entry = chunks.get(chunk)
      if (entry) entry.neighbours += neighbours
      else chunks.set(chunk, { order, neighbours })
    }
  })
  return [...chunks]
    .sort(([, a], [, b]) => a.order - b.order || b.neighbours - a.neighbours)
    .map(([chunk]) => chunk)
}

function sharedWith(
  entity: number,
  chunk: number,
  { offsets, targets }: Csr,
  entitiesOfChunk: Incidence,
): number {
  const inside = new Set(membersOf(entitiesOfChunk, chunk))
  return targets.subarray(offsets[entity], offsets[entity + 1]).filter((other) => inside.has(other)).length
}

function chunksOfRelationships(
  relationships: readonly number[],
  { chunksOfRelationship }: Pick<Graph, 'chunksOfRelationship'>,
): number[] {
  return [...new Set(relationships.flatMap((row) => [...membersOf(chunksOfRelationship, row)]))]
}

/**
 * Scores of chunks: the sum over paths of weight * share of the path's edges found in the chunk. The original ranks no
 * chunks by paths.
 */
function chunksOfPaths(paths: readonly FlowPath[], graph: Graph, depth: number, mask?: Mask): Ranking {
  const scores = new Map<number, number>()
  for (const { nodes, weight } of paths)
    for (const [from, to] of edgesOf(nodes)) {
      const edge = relationshipsBetween(from, to, graph)
      for (const chunk of chunksOfRelationships(edge, graph))
        if (mask?.kept[chunk] !== 0) scores.set(chunk, (scores.get(chunk) ?? 0) + weight / (nodes.length - 1))
    }
  return rankPairs([...scores.keys()], [...scores.values()], depth)
}

/** o200k tokens of parts of the context, as in PathRAG's `QueryParam`: paths, relationships, and chunks of each kind. */
const PATH_TOKENS = 5000
const RELATIONSHIP_TOKENS = 3000
const SOURCE_TOKENS = 4000

interface NamedPath extends FlowPath {
  readonly names: readonly string[]
}

/** The heaviest paths between linked entities, as many of the first as fit into their tokens. */
export const findPaths = defineStep({
  name: 'find-paths',
  artifacts: (recipe, _: FlowOptions) => ({ ...graphInput(recipe), ...textsInput(recipe) }),
  facts: (paths: readonly NamedPath[]) => ({
    counts: { paths: paths.length },
    notes: { paths: paths.map(({ names }) => names.join(' → ')).join(' | ') || 'none' },
  }),
  run([linked]: [Ranking], { params, artifacts: { graph, texts } }) {
    const tokens = ({ nodes }: FlowPath) =>
      nodes.reduce((sum, entity) => sum + texts.sizes.entity(entity), 0) +
      edgesOf(nodes).reduce(
        (sum, [a, b]) => sum + texts.sizes.relationship(relationshipsBetween(a, b, graph)[0]),
        0,
      )
    const { rows } = cutToBudget(heaviestPaths([...linked.rows], graph.csr, params), tokens, PATH_TOKENS)
    return rows.map(
      (path): NamedPath => ({ ...path, names: path.nodes.map((entity) => graph.entities.names[entity]) }),
    )
  },
})

function startsOf(paths: readonly FlowPath[]): Reset {
  const weights = new Map<number, number>()
  for (const { nodes, weight } of paths) weights.set(nodes[0], (weights.get(nodes[0]) ?? 0) + weight)
  return { nodes: [...weights.keys()], weights: [...weights.values()] }
}

export const rankPaths = defineStep({
  name: 'rank-paths',
  within: true,
  channel: 'graph',
  artifacts: (recipe, _: { readonly depth: number }) => graphInput(recipe),
  walked: (recipe) =>
    derived(
      'walked_paths',
      graphInput(recipe),
      ({ graph }) =>
        ([paths]: [readonly FlowPath[]]): Walked => ({
          starts: startsOf(paths),
          neighbours: (entity) =>
            paths.flatMap(({ nodes }) => edgesOf(nodes).flatMap(([a, b]) => (a === entity ? [b] : []))),
          entries: (row) => membersOf(graph.entitiesOfChunk, row),
          endOf: (entity) => graph.entities.names[entity],
        }),
    ),
  run: ([paths, mask]: [readonly FlowPath[], Mask?], { params: { depth }, artifacts: { graph } }) =>
    chunksOfPaths(paths, graph, depth, mask),
})

export const sortRelationships = defineStep({
  name: 'sort-relationships',
  artifacts: (recipe) => ({ ...graphInput(recipe), ...textsInput(recipe) }),
  run([linked]: [Ranking], { artifacts: { graph, texts } }) {
    const { combinedDegrees, weights } = graph.relationships
    const sorted = [...linked.rows].sort(
      (a, b) => combinedDegrees[b] - combinedDegrees[a] || weights[b] - weights[a],
    )
    return rankList(cutToBudget(sorted, texts.sizes.relationship, RELATIONSHIP_TOKENS).rows)
  },
})

/** The chunks of the original's context: of relationships, then of entities, each cut at their tokens. */
export const rankSources = defineStep({
  name: 'rank-sources',
  within: true,
  channel: 'graph',
  artifacts: (recipe, _: { readonly depth: number }) => ({
    ...graphInput(recipe),
    chunks: chunkSpans(recipe),
  }),
  run(
    [entities, relationships, mask]: [Ranking, Ranking, Mask?],
    { params: { depth }, artifacts: { graph, chunks } },
  ) {
    const fitting = (list: readonly number[]) =>
      cutToBudget(
        list.filter((chunk) => mask?.kept[chunk] !== 0),
        (chunk) => chunks[chunk].tokens,
        SOURCE_TOKENS,
      ).rows
    const themes = fitting(chunksOfRelationships([...relationships.rows], graph))
    const things = fitting(chunksOfEntities([...entities.rows], graph))
    return head(rankList([...new Set([...themes, ...things])]), depth)
  },
})

/** Relationships found by themes, linked entities, then the paths' texts: the heaviest path last, as in the original's prompt. */
export const citePaths = defineStep({
  name: 'cite-paths',
  artifacts: (recipe) => ({ ...graphInput(recipe), ...textsInput(recipe) }),
  run(
    [entities, relationships, paths]: [Ranking, Ranking, readonly FlowPath[]],
    { artifacts: { graph, texts } },
  ) {
    const along = [...paths]
      .reverse()
      .flatMap(({ nodes }) => [
        ...nodes.map(texts.entity),
        ...edgesOf(nodes).map(([a, b]) => texts.relationship(relationshipsBetween(a, b, graph)[0])),
      ])
    const onPaths = new Set(along)
    const others = [
      ...[...relationships.rows].map(texts.relationship),
      ...[...entities.rows].map(texts.entity),
    ].filter((text) => !onPaths.has(text))
    // A text that several paths share goes with the heaviest.
    return [...others, ...[...new Set(along.reverse())].reverse()]
  },
})
