import { UserError } from '../errors.ts'
import { cachingEmbedder } from '../models/caching.ts'
import type { Embedder } from '../models/embedder.ts'
import { embedders } from '../models/embedders/index.ts'
import { openVectorCache, type VectorCache } from '../models/vector-cache.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Choice, Recipe } from './recipe.ts'
import { termCounts } from './term-counts.ts'

/**
 * The recipe's embedder, or another choice fitted on the same chunks, with its vectors kept by content. Opening it
 * opens no model: that happens for the first text whose vector is not kept.
 */
export function embedder(recipe: Recipe, choice: Choice = recipe.embedder): Artifact<Embedder> {
  const definition = definitionOf(choice)
  const params = definition.params.parse(choice.params)
  const base = definition.artifact(params, { terms: (analysis) => termCounts(recipe, analysis) })
  return defineArtifact({
    name: 'embedder',
    version: 1,
    params: null,
    inputs: { base, vectors: keptVectors(base) },
    open: async (_folder, inputs) => cachingEmbedder(await inputs.vectors(), inputs.base, definition.batch),
  })
}

/** The vectors kept of one embedder. Nothing is built: its folder in the store grows as texts are embedded. */
function keptVectors(base: Artifact<Embedder>): Artifact<VectorCache> {
  return defineArtifact({
    name: 'vectors',
    version: 1,
    params: null,
    inputs: { base },
    open: openVectorCache,
  })
}

function definitionOf({ name }: Choice) {
  const definition = embedders[name]
  if (definition) return definition
  throw new UserError(`there is no embedder \`${name}\`${didYouMean(name, Object.keys(embedders))}`)
}
