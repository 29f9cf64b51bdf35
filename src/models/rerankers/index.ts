import { createRegistry } from '../../registry.ts'
import type { RerankerDefinition } from '../reranker.ts'
import { cohere } from './cohere.ts'
import { embedding } from './embedding.ts'
import { identity } from './identity.ts'
import { jina } from './jina.ts'
import { lexical } from './lexical.ts'
import { tei } from './tei.ts'
import { transformersReranker } from './transformers.ts'

export const rerankers = createRegistry<RerankerDefinition>('reranker', [
  identity,
  lexical,
  embedding,
  transformersReranker,
  cohere,
  jina,
  tei,
])
