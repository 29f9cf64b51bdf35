import { entityIndex, relationshipIndex, reportIndex } from '../../prepare/dense.ts'
import type { Recipe } from '../../prepare/recipe.ts'
import type { VectorIndex } from '../../prepare/vectors.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'

/**
 * The rows of an index that are nearest to a vector, as many as the param `count` says: scores are cosines, only those
 * strictly above `above` where given. A zero vector links nothing. Counted as `links`.
 */
function linkBy<K extends string>(name: string, count: K, index: (recipe: Recipe) => Artifact<VectorIndex>) {
  return defineStep({
    name,
    version: 1,
    artifacts: (recipe, _params: { readonly [P in K]: number } & { readonly above?: number }) => ({
      index: index(recipe),
    }),
    counts: ({ rows }: Ranking) => ({ links: rows.length }),
    runBlock(block: readonly (readonly [Float32Array])[], { params, artifacts }) {
      return artifacts.index.search(block.flat(), params[count], { above: params.above })
    },
  })
}

/** By name and description: rows are entities. */
export const linkEntities = linkBy('link-entities', 'entities', (recipe) =>
  entityIndex(recipe, 'description'),
)
/** Rows are relationships. */
export const linkRelationships = linkBy('link-relationships', 'relationships', relationshipIndex)
/** By their summaries: rows are reports. */
export const linkReports = linkBy('link-reports', 'communities', reportIndex)
