import type { EmbedderDefinition } from '../embedder.ts'
import { lsa } from './lsa.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { recorded } from './recorded.ts'
import { transformers } from './transformers.ts'

/** Every embedder there is, by name, in the order of the docs. A new one is one file and one line here. */
export const embedders = {
  lsa,
  transformers,
  recorded,
  'openai-compatible': openaiCompatible,
} as unknown as Readonly<Record<string, EmbedderDefinition>>
