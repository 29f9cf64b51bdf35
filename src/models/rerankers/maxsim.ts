import { z } from 'zod'
import { derived } from '../../store/artifact.ts'
import { type EmbedderChoice, embedderParam } from '../embedder-choice.ts'
import { defineReranker, type Reranker } from '../reranker.ts'

/** Late interaction: MaxSim over the vectors of tokens (src/corpus/dense/token-index.ts), made for all chunks beforehand. */
export const maxsim = defineReranker({
  name: 'maxsim',
  summary:
    "late interaction: each token of the query with its nearest token of the chunk, by an embedder's token vectors",
  params: z.strictObject({ embedder: embedderParam }),
  artifact({ embedder: choice }, { tokens }) {
    return derived(
      'maxsim_reranker',
      { tokens: tokens(choice as EmbedderChoice | undefined) },
      ({ tokens: { embed, scores } }): Reranker => ({
        score: async ({ text }, rows) => scores(await embed(text), rows),
      }),
    )
  },
})
