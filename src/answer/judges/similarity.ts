import { z } from 'zod'
import type { Embedding } from '../../models/embedder.ts'
import { embedderParam } from '../../models/embedder-choice.ts'
import { cosine } from './cosine.ts'
import { defineJudge } from './define.ts'
import { labelFiles, labelsParam } from './labels.ts'

/**
 * The cosine of the answer's vector to the nearest reference answer's; negative ones are 0, and so is no answer. No language
 * model is asked.
 */
export const similarity = defineJudge({
  name: 'answer_similarity',
  summary: 'cosine of the vectors of the answer and of the nearest reference answer',
  source:
    'Risch et al., Semantic Answer Similarity, MRQA 2021, the bi-encoder; answer similarity of the ragas package',
  params: z.strictObject({ embedder: embedderParam, labels: labelsParam }),
  files: labelFiles,
  embeds: true,
  async judge({ references, answerable, refused, failed, text }, _, { embed }) {
    if (!answerable || references.length === 0) return Number.NaN
    if (failed || refused || text === '') return 0
    return Math.min(1, Math.max(0, ...(await cosine(embed as Embedding, text, references))))
  },
})
