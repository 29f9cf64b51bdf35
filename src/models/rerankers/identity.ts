import { z } from 'zod'
import { derived } from '../../store/artifact.ts'
import { defineReranker, type Reranker } from '../reranker.ts'

export const identity = defineReranker({
  name: 'identity',
  summary: 'keeps the order: the baseline for all other rerankers',
  params: z.strictObject({}),
  artifact: () =>
    derived(
      'identity_reranker',
      {},
      (): Reranker => ({ score: (_, rows) => Float64Array.from(rows, (_, rank) => 1 / (rank + 1)) }),
    ),
})
