import { createRegistry } from '../../registry.ts'
import type { RerankerDefinition } from '../reranker.ts'
import { embedding } from './embedding.ts'
import { identity } from './identity.ts'
import { lexical } from './lexical.ts'
import { maxsim } from './maxsim.ts'

/** Every kind of reranker, in the order of the docs. A new one is one file and one line here. */
export const rerankers = createRegistry<RerankerDefinition>('reranker', [
  identity,
  lexical,
  embedding,
  maxsim,
])
