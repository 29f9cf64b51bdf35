import { UserError } from '../errors.ts'
import type { EmbedderChoice, Reranker, RerankerDefinition } from '../models/reranker.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { type Resolved, resolve } from '../registry.ts'
import type { Artifact } from '../store/artifact.ts'
import { chunkTexts } from './corpus.ts'
import { denseIndex } from './dense.ts'
import { embedder } from './embeddings.ts'
import type { Choice, Recipe } from './recipe.ts'
import { analyzer, termCounts } from './term-counts.ts'
import { chunkTokens } from './tokens.ts'

/** The reranker of a name in `rerankers`, or of a kind that needs no params. */
export function reranker(recipe: Recipe, name: string): Artifact<Reranker> {
  const { definition, params } = kindOf(recipe, name)
  return definition.artifact(params, {
    texts: chunkTexts(recipe),
    terms: (analysis) => ({
      counts: termCounts(recipe, analysis),
      analyze: analyzer(recipe, analysis),
    }),
    vectors(choice = recipe.embedder) {
      return {
        embedder: embedder(recipe, choice, 'query'),
        chunks: denseIndex({ ...recipe, embedder: choice }),
      }
    },
    tokens: (choice) => chunkTokens(recipe, choice),
  })
}

/** What a reranker embeds the query by, where it does. */
export function rerankerEmbeds(recipe: Recipe, name: string): Choice | undefined {
  const { definition, params } = kindOf(recipe, name)
  const choice: EmbedderChoice | undefined = definition.embeds?.(params)
  return definition.embeds && (choice ?? recipe.embedder)
}

function kindOf(recipe: Recipe, name: string): Resolved<RerankerDefinition> {
  const choice = recipe.rerankers?.[name]
  if (!choice && !rerankers.byName.has(name))
    throw new UserError(`there is no reranker \`${name}\` in \`rerankers\``)
  return resolve(rerankers, choice ?? { name, params: {} })
}
