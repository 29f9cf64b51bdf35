import { createRegistry } from '../../registry.ts'
import type { EmbedderDefinition } from '../embedder.ts'
import { lsa } from './lsa.ts'
import { openaiCompatibleEmbedder } from './openai-compatible.ts'
import { recordedEmbedder } from './recorded.ts'
import { transformersEmbedder } from './transformers.ts'

/** Every embedder, in the order of the docs. A new one is one file and one line here. */
export const embedders = createRegistry<EmbedderDefinition>(
  'embedder',
  [lsa, transformersEmbedder, recordedEmbedder, openaiCompatibleEmbedder],
  'there are lsa, transformers, recorded, openai-compatible; write a model of the hub as `hf:owner/name`, a model folder as {transformers: {model: FOLDER}}',
)
