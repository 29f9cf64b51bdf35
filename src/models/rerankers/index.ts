import { createRegistry } from '../../registry.ts'
import type { RerankerDefinition } from '../reranker.ts'
import { embedding } from './embedding.ts'
import { lexical } from './lexical.ts'
import { cohere, jina, tei } from './servers.ts'
import { transformersReranker } from './transformers.ts'

export const rerankers = createRegistry<RerankerDefinition>('reranker', [
  lexical,
  embedding,
  transformersReranker,
  cohere,
  jina,
  tei,
])
