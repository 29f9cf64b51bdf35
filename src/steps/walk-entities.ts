import { sparsePower } from '../graph/pagerank/sparse.ts'
import type { SparseReset } from '../graph/pagerank/walk.ts'
import { createWalk, type Walk } from '../graph/pagerank/walk.ts'
import { graph } from '../indexes/graph.ts'
import { hippoGraphV1 } from '../indexes/hippo-graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { EMPTY, rankPairs } from '../ranking/order.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

/** `relationships`: entities joined by relationships. `synonyms`: HippoRAG 1's facts and synonym edges. */
type Params = { readonly edges: 'relationships' | 'synonyms'; readonly damping: number }

/** Entities with scores, in no particular order: a walk reaches tens of thousands. */
export type Reached = Pick<Ranking, 'rows' | 'scores'>

/** `cut`: whether the walk was cut short; otherwise its scores are exact but for rounding (sparse.ts). */
type Walked = Reached & { readonly cut: boolean }

/**
 * Every entity that a personalised PageRank from the linked ones reaches: rows are entities. Walks that a large graph
 * cuts short are counted as `cutWalks`.
 */
export const walkEntities = defineStep<Params, [SparseReset], ReturnType<typeof needs>, Walked>({
  name: 'entity-walk',
  version: 3,
  artifacts: needs,
  counts: ({ cut }) => ({ cutWalks: cut ? 1 : 0 }),
  run([reset], { params, artifacts: { graph } }) {
    if (reset.nodes.length === 0) return { ...EMPTY, cut: false }
    const { nodes, scores, cut } = sparsePower(graph.walk, reset, params.damping)
    return { rows: nodes, scores, cut }
  },
})

/** The `depth` best of the entities that a walk reached. */
export const rankReached = defineStep<{ depth: number }, [Reached], Record<never, never>, Ranking>({
  name: 'rank-reached',
  version: 1,
  run([{ rows, scores }], { params }) {
    return rankPairs(rows, scores, params.depth)
  },
})

/** The linked entities as a reset of equal weights. */
export const resetEqually = defineStep<null, [Ranking], Record<never, never>, SparseReset>({
  name: 'reset-equally',
  version: 1,
  run([{ rows }]) {
    return { nodes: rows, weights: new Float64Array(rows.length).fill(1) }
  },
})

function needs(recipe: Recipe, { edges }: Params) {
  return { graph: edges === 'relationships' ? entityWalk(recipe) : hippoGraphV1(recipe) }
}

/** The entities' graph with what a walk needs besides its edges, made once a process. */
function entityWalk(recipe: Recipe): Artifact<{ readonly walk: Walk }> {
  return defineArtifact({
    name: 'entity_walk',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe) },
    open: async (_folder, inputs) => ({ walk: createWalk((await inputs.graph()).csr) }),
  })
}
