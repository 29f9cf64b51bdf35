import type { Choice, Recipe } from '../../src/corpus/recipe.ts'
import { defineArtifact } from '../../src/store/artifact.ts'
import { hashOf } from '../../src/store/hash.ts'
import type { Document } from '../../src/types.ts'

/** A recipe over documents given in the test: passages, `lsa` or another embedder. */
export function recipeOf(
  documents: readonly Document[],
  embedder: Choice = { name: 'lsa', params: {} },
): Recipe {
  return {
    documents: defineArtifact({
      name: 'documents',
      version: 1,
      params: { hash: hashOf(documents as never) },
      inputs: {},
      open: () => documents,
    }),
    chunk: { name: 'passages', params: {} },
    embedder,
  }
}

/** Documents `d00`, `d01`, ... with these texts. */
export function documentsOf(texts: readonly string[], title = ''): Document[] {
  return texts.map((text, i) => ({ id: `d${String(i).padStart(2, '0')}`, title, text, metadata: {} }))
}
