import { denseIndex } from '../../../corpus/dense/dense.ts'
import { entitiesTable } from '../../../corpus/graph/artifacts.ts'
import { neighboursOf } from '../../../corpus/graph/csr.ts'
import { pagerank } from '../../../corpus/graph/pagerank.ts'
import type { Mask } from '../../../ranking/mask.ts'
import { EMPTY_RANKING, rankScores } from '../../../ranking/order.ts'
import { derived } from '../../../store/artifact.ts'
import { defineStep } from '../../step.ts'
import type { ReachedEntities } from '../../steps/entities.ts'
import type { Walked } from '../../walked.ts'
import { type Activated, activate, type BridgingOptions, type PassageOptions, triReset } from './activate.ts'
import { sentenceIndex, triGraph } from './tri-graph.ts'

interface Bridge extends Activated {
  readonly names: readonly string[]
}

/** The entities that a query activates by way of sentences. */
export const bridgeEntities = defineStep({
  name: 'bridge-entities',
  version: 1,
  artifacts: (recipe, _params: BridgingOptions) => ({
    tri: triGraph(recipe),
    sentences: sentenceIndex(recipe),
    table: entitiesTable(recipe),
  }),
  counts: ({ rows }: Bridge) => ({ activated: rows.length }),
  notes: ({ names }) => ({ 'activated entities': names.join('; ') || 'none' }),
  run(
    [linked, vector]: readonly [ReachedEntities, Float32Array],
    { params, artifacts: { tri, sentences, table } },
  ): Bridge {
    const found = activate(linked, tri, (rows) => sentences.cosines(rows, vector), params)
    return { ...found, names: Array.from(found.rows, (row) => table.names[row]) }
  },
})

type WalkParams = PassageOptions & { readonly damping: number; readonly depth: number }

/** The `depth` passages with the highest personalised PageRank over entities and passages. Nothing activated finds nothing. */
export const walkTriGraph = defineStep({
  name: 'tri-graph-walk',
  version: 1,
  within: true,
  channel: 'graph',
  yields: 'ranking',
  artifacts: (recipe, _params: WalkParams) => ({ tri: triGraph(recipe), dense: denseIndex(recipe) }),
  walked: (recipe) =>
    derived(
      'walked_tri_graph',
      { tri: triGraph(recipe), table: entitiesTable(recipe) },
      ({ tri: { entities, walk }, table }) =>
        ([{ rows, weights }]: readonly [Activated]): Walked => ({
          starts: { nodes: rows, weights },
          neighbours: (node) => neighboursOf(walk.csr, node),
          entries: (row) => [entities + row],
          endOf: (node) => (node < entities ? table.names[node] : node - entities),
        }),
    ),
  runBlock(
    block: readonly (readonly [Activated, Float32Array, Mask?])[],
    { params, artifacts: { tri, dense } },
  ) {
    const { damping, depth } = params
    const { entities, occurrences, walk } = tri
    const cosines = dense.scores(block.map(([, vector]) => vector))
    const resets = block.map(([activated], i) => triReset(activated, cosines[i], occurrences, params))
    const walked = [...block.keys()].filter((i) => resets[i].weights.some((weight) => weight > 0))
    const rankings = pagerank(
      walk,
      walked.map((i) => resets[i]),
      damping,
      (scores, at) => rankScores(scores.subarray(entities), depth, { within: block[walked[at]][2]?.kept }),
    )
    const found = new Map(walked.map((i, at) => [i, rankings[at]]))
    return block.map((_, i) => found.get(i) ?? EMPTY_RANKING)
  },
})
