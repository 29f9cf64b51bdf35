import { z } from 'zod'
import { derived } from '../../store/artifact.ts'
import { type EmbedderChoice, embedderParam } from '../embedder.ts'
import { defineReranker, type Reranker } from '../reranker.ts'

/** Prepared for all chunks. */
export const embedding = defineReranker({
  name: 'embedding',
  summary: "the cosine by an embedder, such as a stronger one than the search's",
  params: z.strictObject({ embedder: embedderParam }),
  embeds: ({ embedder }) => embedder as EmbedderChoice | undefined,
  artifact({ embedder: choice }, { vectors }) {
    return derived(
      'embedding_reranker',
      vectors(choice as EmbedderChoice | undefined),
      ({ embedder, chunks }): Reranker => ({
        async score({ text }, rows) {
          const vector = await embedder.embed([text])
          return Float64Array.from(chunks.cosines(rows, vector))
        },
      }),
    )
  },
})
