import { z } from 'zod'
import { chunkSpans } from '../../corpus/corpus.ts'
import { type Csr, membersOf, neighboursOf } from '../../corpus/graph/csr.ts'
import type { Graph } from '../../corpus/graph/graph.ts'
import { relationshipsBetween } from '../../corpus/graph/neighbors.ts'
import { addTo, addToSet } from '../../maps.ts'
import { promptFiles } from '../../models/prompts/prompt.ts'
import { cutToBudget } from '../../ranking/cut.ts'
import type { Mask } from '../../ranking/mask.ts'
import { head, rankList, rankMap } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import type { Ranking } from '../../types.ts'
import { defineStep, type Walked } from '../step.ts'
import { refuseIdleRole, roleParams } from '../steps/asking.ts'
import { appendRanking, fallback } from '../steps/combine.ts'
import { graphInput, textsInput, walkedEntities } from '../steps/entities.ts'
import { embedKeywords, keywordsOf } from '../steps/keywords.ts'
import { linkEntities, linkRelationships } from '../steps/link.ts'
import { count, pool, share } from '../steps/params.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

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
  const linkedBeside = new Map<number, number[]>()
  for (const entity of linked) for (const node of neighboursOf(csr, entity)) addTo(linkedBeside, node, entity)
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

/** Simple paths of 1 to 3 edges from `source` to each other linked entity, in the order of their rows. */
function pathsFrom(
  source: number,
  csr: Csr,
  linked: ReadonlySet<number>,
  linkedBeside: ReadonlyMap<number, readonly number[]>,
): Map<number, number[][]> {
  const paths = new Map<number, number[][]>()
  for (const first of neighboursOf(csr, source)) {
    if (linked.has(first)) addTo(paths, first, [source, first])
    for (const second of neighboursOf(csr, first)) {
      if (second === source) continue
      if (linked.has(second)) addTo(paths, second, [source, first, second])
      for (const target of linkedBeside.get(second) ?? [])
        if (target !== source && target !== first) addTo(paths, target, [source, first, second, target])
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
  const followers = new Map<number, Set<number>>()
  for (const [from, to] of paths.flatMap(edgesOf)) addToSet(followers, from, to)
  const flow = new Map<number, number>()
  const spread = (from: number, arriving: number, edge: number) => {
    const next = followers.get(from) as Set<number>
    for (const to of next) {
      const flowing = (flow.get(from * nodes + to) ?? 0) + arriving / next.size
      flow.set(from * nodes + to, flowing)
      if (to !== target && edge < 3 && flowing > threshold) spread(to, flowing * decay, edge + 1)
    }
  }
  spread(source, 1, 1)
  return flow
}

function edgesOf(path: readonly number[]): (readonly [from: number, to: number])[] {
  return path.slice(1).map((to, i) => [path[i], to])
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
  { chunksOfEntity, entitiesOfChunk, csr }: Graph,
): number[] {
  const chunks = new Map<number, { order: number; neighbours: number }>()
  entities.forEach((entity, order) => {
    for (const chunk of membersOf(chunksOfEntity, entity)) {
      const inside = new Set(membersOf(entitiesOfChunk, chunk))
      const neighbours = neighboursOf(csr, entity).filter((other) => inside.has(other)).length
      const entry = chunks.get(chunk)
      if (entry) entry.neighbours += neighbours
      else chunks.set(chunk, { order, neighbours })
    }
  })
  return [...chunks]
    .sort(([, a], [, b]) => a.order - b.order || b.neighbours - a.neighbours)
    .map(([chunk]) => chunk)
}

function chunksOfRelationships(relationships: readonly number[], { chunksOfRelationship }: Graph): number[] {
  return [...new Set(relationships.flatMap((row) => [...membersOf(chunksOfRelationship, row)]))]
}

/** o200k tokens of parts of the context, as in PathRAG's `QueryParam`: paths, relationships, and chunks of each kind. */
const PATH_TOKENS = 5000
const RELATIONSHIP_TOKENS = 3000
const SOURCE_TOKENS = 4000

interface NamedPath extends FlowPath {
  readonly names: readonly string[]
}

const findPaths = defineStep({
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

function walkedPaths(graph: Graph, paths: readonly FlowPath[]): Walked {
  const starts = new Map<number, number>()
  for (const { nodes, weight } of paths) starts.set(nodes[0], (starts.get(nodes[0]) ?? 0) + weight)
  const edges = paths.flatMap(({ nodes }) => edgesOf(nodes))
  return walkedEntities(graph, { nodes: [...starts.keys()], weights: [...starts.values()] }, (entity) =>
    edges.flatMap(([from, to]) => (from === entity ? [to] : [])),
  )
}

/**
 * Chunks by the sum over paths of weight * share of the path's edges found in the chunk. The original ranks no chunks by
 * paths.
 */
const rankPaths = defineStep({
  name: 'rank-paths',
  within: true,
  channel: 'graph',
  artifacts: (recipe, _: { readonly depth: number }) => graphInput(recipe),
  walked: (recipe) =>
    derived(
      'walked_paths',
      graphInput(recipe),
      ({ graph }) =>
        ([paths]: [readonly FlowPath[]]) =>
          walkedPaths(graph, paths),
    ),
  run([paths, mask]: [readonly FlowPath[], Mask?], { params: { depth }, artifacts: { graph } }) {
    const scores = new Map<number, number>()
    for (const { nodes, weight } of paths)
      for (const [from, to] of edgesOf(nodes))
        for (const chunk of chunksOfRelationships(relationshipsBetween(from, to, graph), graph))
          if (mask?.kept[chunk] !== 0)
            scores.set(chunk, (scores.get(chunk) ?? 0) + weight / (nodes.length - 1))
    return rankMap(scores, depth)
  },
})

const sortRelationships = defineStep({
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
const rankSources = defineStep({
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

/** Relationships, entities, then the paths' texts: the heaviest path last, as in the original's prompt. */
const citePaths = defineStep({
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

const HOLES = ['query']

/** Minimum cosine of linked entities and relationships: `cosine_better_than_threshold` of PathRAG. */
const ABOVE = 0.2

const params = z
  .strictObject({
    entities: count(40, 'entities linked by names', 200),
    relationships: count(40, 'relationships linked by themes'),
    threshold: share(0.3, 'a path stops if its flow is at most this'),
    decay: share(0.8, 'share of the flow that an edge passes on'),
    paths: count(15, 'maximum number of paths'),
    order: z
      .enum(['paths', 'sources'])
      .default('paths')
      .describe(
        "chunks of the paths first, or the order of the original's context, with paths as evidence only",
      ),
    pool: pool(),
    ...roleParams('finds the keywords, in place of rules', HOLES),
  })
  .superRefine(refuseIdleRole)

export default defineStrategy({
  name: 'pathrag',
  summary:
    'finds paths in a graph between entities that the query names, and ranks the chunks of the strongest paths',
  source: 'Chen et al., PathRAG, 2025; BUPT-GAMMA/PathRAG',
  params,
  files: promptFiles(HOLES),
  make: (params) => ({
    retrieve(query) {
      const { entities, relationships, threshold, decay, paths: most, pool: depth } = params
      const keywords = keywordsOf(query, params)
      const things = linkEntities([embedKeywords([keywords], { kind: 'low' })], { entities, above: ABOVE })
      const linked = linkRelationships([embedKeywords([keywords], { kind: 'high' })], {
        relationships,
        above: ABOVE,
      })
      const themes = sortRelationships([linked])
      const paths = findPaths([things], { threshold, decay, paths: most })
      const sources = rankSources([things, themes], { depth })
      const ranking =
        params.order === 'sources'
          ? sources
          : appendRanking([rankPaths([paths], { depth }), sources], { depth })
      const dense = searchQuery(query, depth)
      return {
        ranking: fallback(ranking, dense, 'no entity and no relationship is linked'),
        evidence: citePaths([things, themes, paths]),
      }
    },
  }),
})
