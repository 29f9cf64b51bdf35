import { z } from 'zod'
import type { Embedding } from '../../models/embedder.ts'
import { embedderParam } from '../../models/embedder-choice.ts'
import { cosine } from './cosine.ts'
import { defineJudge } from './define.ts'

/**
 * The cosine of the answer's vector to the nearest reference answer's, or of the nearest passage's that was sent; negative ones
 * are 0, and so is no answer. No language model is asked.
 */
export const similarity = defineJudge({
  name: 'answer_similarity',
  summary: 'cosine of the answer, or of the nearest sent passage, to the nearest reference answer',
  source:
    'Risch et al., Semantic Answer Similarity, MRQA 2021, the bi-encoder; answer similarity of the ragas package',
  params: z.strictObject({
    of: z
      .enum(['answer', 'sent'])
      .default('answer')
      .describe('compared text: the answer, or the nearest passage that was sent'),
    embedder: embedderParam,
  }),
  embeds: true,
  async judge({ references, answerable, refused, failed, text, passages }, { of }, { embed }) {
    if (!answerable || references.length === 0) return Number.NaN
    const texts = of === 'sent' ? passages : failed || refused || text === '' ? [] : [text]
    if (texts.length === 0) return 0
    const near = await Promise.all(references.map((one) => cosine(embed as Embedding, one, texts)))
    return Math.min(1, Math.max(0, ...near.flat()))
  },
})
