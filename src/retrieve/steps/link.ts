import { entityIndex, relationshipIndex, reportIndex } from '../../corpus/dense/dense.ts'
import { embedder } from '../../corpus/dense/embeddings.ts'
import type { VectorIndex } from '../../corpus/dense/vectors.ts'
import { entitiesTable } from '../../corpus/graph/artifacts.ts'
import { entityRows } from '../../corpus/graph/graph.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import type { ReachedEntities } from './entities.ts'

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

/** Links by name and description; rows are entities. */
export const linkEntities = linkBy('link-entities', 'entities', (recipe) =>
  entityIndex(recipe, 'description'),
)
/** Links by relationship; rows are relationships. */
export const linkRelationships = linkBy('link-relationships', 'relationships', relationshipIndex)
/** Links by summaries of community reports; rows are reports. */
export const linkReports = linkBy('link-reports', 'communities', reportIndex)

/**
 * Each name linked to the entity that it is (score 1), else to the nearest by embedding (its cosine): entities of one cosine,
 * as those of the same words in another order, would leave it to chance. Rows are entities, distinct, in the order of the
 * names. Counted as `links`.
 */
export const linkNames = defineStep({
  name: 'link-names',
  version: 1,
  artifacts: (recipe, _params: null) => ({
    embedder: embedder(recipe, recipe.graphEmbedder, 'query'),
    index: entityIndex(recipe, 'name'),
    entities: entitiesTable(recipe),
  }),
  counts: ({ rows }: ReachedEntities) => ({ links: rows.length }),
  async runBlock(
    block: readonly (readonly [readonly string[]])[],
    { artifacts: { embedder, index, entities } },
  ): Promise<ReachedEntities[]> {
    const { embed, dims } = embedder
    const exact = entityRows(entities)
    const all = block.flat(2)
    const matrix = await embed(all)
    const vectors = all.map((_, i) => matrix.subarray(i * dims, (i + 1) * dims))
    const nearest = index.search(vectors, 1)
    let next = 0
    return block.map(([names]) => {
      const found = new Map<number, number>()
      for (const name of names) {
        const { rows, scores } = nearest[next++]
        const row = exact(name)
        if (row !== undefined) found.set(row, 1)
        else if (rows.length > 0) found.set(rows[0], Math.max(found.get(rows[0]) ?? -1, scores[0]))
      }
      return { rows: Uint32Array.from(found.keys()), scores: Float64Array.from(found.values()) }
    })
  },
})
