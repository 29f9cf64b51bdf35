import { z } from 'zod'
import { embedder } from '../../corpus/dense/embeddings.ts'
import type { VectorIndex } from '../../corpus/dense/vectors.ts'
import { entitiesTable } from '../../corpus/graph/extraction.ts'
import { entityRows } from '../../corpus/graph/graph.ts'
import { entityIndex, relationshipIndex, reportIndex } from '../../corpus/graph/vectors.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { type ReachedEntities, rankReachedEntities } from './entities.ts'
import { namesFile, queryNames } from './keywords.ts'
import { embedGraphQuery } from './search.ts'

/**
 * The rows of an index that are nearest to a vector, as many as the param `count` says: scores are cosines, only those
 * strictly above `above` where given. A zero vector links nothing. Counted as `links`.
 */
function linkNearest<K extends string>(
  name: string,
  count: K,
  index: (recipe: Recipe) => Artifact<VectorIndex>,
) {
  return defineStep({
    name,
    artifacts: (recipe, _: { readonly [P in K]: number } & { readonly above?: number }) => ({
      index: index(recipe),
    }),
    facts: countLinks,
    runBlock(block: readonly [Float32Array][], { params, artifacts }) {
      return artifacts.index.search(block.flat(), params[count], { above: params.above })
    },
  })
}

export const countLinks = ({ rows }: Pick<Ranking, 'rows'>) => ({ counts: { links: rows.length } })

export const linkEntities = linkNearest('link-entities', 'entities', (recipe) =>
  entityIndex(recipe, 'description'),
)
export const linkRelationships = linkNearest('link-relationships', 'relationships', relationshipIndex)
/** Links by summaries of community reports; rows are reports. */
export const linkReports = linkNearest('link-reports', 'communities', reportIndex)

/**
 * Each name linked to the entity that it is (score 1), else to the nearest by cosine. Rows are distinct, in the order of
 * the names.
 */
export const linkNames = defineStep({
  name: 'link-names',
  artifacts: (recipe) => ({
    embedder: embedder(recipe, recipe.graphEmbedder, 'query'),
    index: entityIndex(recipe, 'name'),
    entities: entitiesTable(recipe),
  }),
  facts: countLinks,
  async runBlock(
    block: readonly [readonly string[]][],
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
      const cosines = new Map<number, number>()
      for (const name of names) {
        const { rows, scores } = nearest[next++]
        const row = exact(name)
        if (row !== undefined) cosines.set(row, 1)
        else if (rows.length > 0) cosines.set(rows[0], Math.max(cosines.get(rows[0]) ?? -1, scores[0]))
      }
      return { rows: Uint32Array.from(cosines.keys()), scores: Float64Array.from(cosines.values()) }
    })
  },
})

export const linkShape = {
  link: z
    .enum(['embedding', 'names'])
    .default('embedding')
    .describe('links of entities to the query: by its embedding, or by each name in it'),
  names: namesFile().describe(
    'a file of names in the questions, found by another program; default: by rules; `link: names`',
  ),
}

type Links = z.output<z.ZodObject<typeof linkShape>>

/** The argument of a schema's `superRefine`: refuses a file of names that would not be read. */
export function refuseIdleNames({ link, names }: Links, { addIssue }: z.RefinementCtx): void {
  if (link !== 'names' && names !== undefined)
    addIssue({ code: 'custom', path: ['names'], message: 'are linked with `link: names` only' })
}

export function linkBy(query: Expression<Query>, { link, names }: Links, count: number): Expression<Ranking> {
  if (link === 'embedding') return linkEntities([embedGraphQuery(query)], { entities: count })
  return rankReachedEntities([linkNames([queryNames(query, names)])], { depth: count })
}
