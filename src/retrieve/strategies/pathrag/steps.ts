import { chunkSpans } from '../../../corpus/corpus.ts'
import { membersOf } from '../../../corpus/graph/csr.ts'
import { relationshipsBetween } from '../../../corpus/graph/neighbors.ts'
import type { Reset } from '../../../corpus/graph/pagerank.ts'
import { cutToBudget } from '../../../ranking/cut.ts'
import type { Mask } from '../../../ranking/mask.ts'
import { head } from '../../../ranking/order.ts'
import { rankList } from '../../../ranking/rank-list.ts'
import { derived } from '../../../store/artifact.ts'
import type { Ranking } from '../../../types.ts'
import { defineStep } from '../../step.ts'
import { graphInput, textsInput } from '../../steps/entities.ts'
import type { Walked } from '../../walked.ts'
import { type FlowOptions, type FlowPath, heaviestPaths } from './flow.ts'
import { chunksOfEntities, chunksOfPaths, chunksOfRelationships } from './sources.ts'

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
  version: 1,
  artifacts: (recipe, _params: FlowOptions) => ({ ...graphInput(recipe), ...textsInput(recipe) }),
  counts: (paths: readonly NamedPath[]) => ({ paths: paths.length }),
  notes: (paths) => ({ paths: paths.map(({ names }) => names.join(' → ')).join(' | ') || 'none' }),
  run([linked]: readonly [Ranking], { params, artifacts: { graph, texts } }) {
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

const edgesOf = (nodes: readonly number[]) => nodes.slice(1).map((node, i) => [nodes[i], node] as const)

/** First entities of paths, each with the weight of its paths. */
function startsOf(paths: readonly FlowPath[]): Reset {
  const weights = new Map<number, number>()
  for (const { nodes, weight } of paths) weights.set(nodes[0], (weights.get(nodes[0]) ?? 0) + weight)
  return { nodes: [...weights.keys()], weights: [...weights.values()] }
}

/** The chunks behind paths. */
export const rankPaths = defineStep({
  name: 'rank-paths',
  version: 1,
  within: true,
  channel: 'graph',
  yields: 'ranking',
  artifacts: (recipe, _params: { readonly depth: number }) => graphInput(recipe),
  walked: (recipe) =>
    derived(
      'walked_paths',
      graphInput(recipe),
      ({ graph }) =>
        ([paths]: readonly [readonly FlowPath[]]): Walked => ({
          starts: startsOf(paths),
          neighbours: (entity) =>
            paths.flatMap(({ nodes }) => edgesOf(nodes).flatMap(([a, b]) => (a === entity ? [b] : []))),
          entries: (row) => membersOf(graph.entitiesOfChunk, row),
          endOf: (entity) => graph.entities.names[entity],
        }),
    ),
  run: ([paths, mask]: readonly [readonly FlowPath[], Mask?], { params: { depth }, artifacts: { graph } }) =>
    chunksOfPaths(paths, graph, depth, mask),
})

/** Linked relationships by degree of their ends and weight, as many as fit into their tokens. */
export const sortRelationships = defineStep({
  name: 'sort-relationships',
  version: 1,
  artifacts: (recipe, _params: null) => ({ ...graphInput(recipe), ...textsInput(recipe) }),
  run([linked]: readonly [Ranking], { artifacts: { graph, texts } }) {
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
  version: 1,
  within: true,
  channel: 'graph',
  yields: 'ranking',
  artifacts: (recipe, _params: { readonly depth: number }) => ({
    ...graphInput(recipe),
    chunks: chunkSpans(recipe),
  }),
  run(
    [entities, relationships, mask]: readonly [Ranking, Ranking, Mask?],
    { params: { depth }, artifacts: { graph, chunks } },
  ) {
    const fitting = (found: readonly number[]) =>
      cutToBudget(
        found.filter((chunk) => mask?.kept[chunk] !== 0),
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
  version: 1,
  artifacts: (recipe, _params: null) => ({ ...graphInput(recipe), ...textsInput(recipe) }),
  run(
    [entities, relationships, paths]: readonly [Ranking, Ranking, readonly FlowPath[]],
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
