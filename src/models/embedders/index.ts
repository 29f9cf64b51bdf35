import { createRegistry } from '../../registry.ts'
import type { EmbedderDefinition } from '../embedder.ts'
import { lsa } from './lsa.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { recorded } from './recorded.ts'
import { transformers } from './transformers.ts'

/** Every embedder, in the order of the docs. A new one is one file and one line here. */
export const embedders = createRegistry<EmbedderDefinition>('embedder', [
  lsa,
  transformers,
  recorded,
  openaiCompatible,
])
