import { resolve } from '../../registry.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { chatModel } from '../chat-model.ts'
import { chunkColumns, textUnits } from '../corpus.ts'
import { type FromModel, modelArtifact } from '../model-artifact.ts'
import { keyOf, oncePerRecipe, type Recipe } from '../recipe.ts'
import { type ChunkHeaders, contexts } from './contexts.ts'

/** The context of a recipe and its params. */
export function headerContext(recipe: Recipe) {
  return resolve(contexts, recipe.context ?? { name: 'title', params: {} })
}

/** Sentences of a language model on each chunk; undefined if `prepare.context` uses no model. */
export const modelHeaders = oncePerRecipe((recipe: Recipe): Artifact<FromModel<ChunkHeaders>> | undefined => {
  const { definition, params } = headerContext(recipe)
  if (!definition.situate) return undefined
  return modelArtifact({
    name: 'heard_headers',
    version: 1,
    params: { name: `context: ${definition.name}`, ...keyOf(definition, params) },
    inputs: { chunks: textUnits(recipe), documents: recipe.documents },
    model: chatModel(recipe, String(params.model)),
    write: async (chat, corpus): Promise<ChunkHeaders> => definition.situate?.(chat, corpus, params) ?? [],
  })
})

/** Extra text for the context of each chunk; undefined if the context reads only the chunk. */
export function contextTexts(recipe: Recipe): Artifact<readonly string[]> | undefined {
  const heard = modelHeaders(recipe)
  if (heard)
    return derived('chunk_headers', { heard }, ({ heard }) => heard.value.map((sentence) => sentence ?? ''))
  if (!headerContext(recipe).definition.readsDocument) return undefined
  const inputs = { chunks: chunkColumns(recipe, 'documentId'), documents: recipe.documents }
  return derived('document_titles', inputs, ({ chunks, documents }) => {
    const titles = new Map(documents.map(({ id, title }) => [id, title]))
    return chunks.map(({ documentId }) => titles.get(documentId) ?? '')
  })
}
