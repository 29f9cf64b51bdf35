import { listParts, type Part, type Resolved, resolve, typeParts } from '../../../registry.ts'
import type { Artifact } from '../../../store/artifact.ts'
import type { Chunk } from '../../../types.ts'
import type { Recipe } from '../../recipe.ts'
import type { Written } from '../../written.ts'

type ChunkContext = Part<ChunkPrefix>

export interface ChunkPrefix {
  /** Prefix of a chunk. `text` is the chunk's text of `texts`, '' if there is none. */
  prefix(chunk: Pick<Chunk, 'title' | 'section'>, text: string): string
  texts?(recipe: Recipe): Artifact<readonly string[]>
  /** Sentences by a language model, one per chunk row; null for an unreadable completion. */
  sentences?(recipe: Recipe): Artifact<Written<readonly (string | null)[]>>
}

export const defineContext = typeParts<ChunkPrefix>()

export const contexts = listParts<ChunkContext>('context', {
  title: () => import('./title.ts'),
  section: () => import('./section.ts'),
  document: () => import('./document.ts'),
  none: () => import('./none.ts'),
  llm: () => import('./llm.ts'),
})

export function contextOf(recipe: Recipe): Resolved<ChunkContext> {
  return resolve(contexts, recipe.context ?? { name: 'title', params: {} })
}
