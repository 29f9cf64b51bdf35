import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, promptFiles } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { defineJudge } from './define.ts'

const HOLES = ['query', 'answer', 'criterion']

const schema = z.strictObject({ reasoning: z.string(), score: z.int().min(1).max(5) })

/** Grade from 1 to 5 that a language model gives the answer for a criterion, as (grade - 1) / 4. */
export const rubric = defineJudge({
  name: 'rubric',
  summary: 'grade of the answer by a custom criterion, from 1 to 5',
  source: 'Liu et al., G-Eval, EMNLP 2023, without its weighting by token probabilities',
  params: z.strictObject({
    criterion: z.string().min(1).max(2000).describe('criterion in words: `Is it safe to follow?`'),
    ...modelParams(HOLES),
  }),
  files: promptFiles(HOLES),
  async judge({ question, text, failed }, { criterion, prompt, seed }, { chat }) {
    if (failed) return 0
    const values = { query: withoutMarks(question), answer: withoutMarks(text), criterion }
    const { score, reasoning } = await (chat as Chat).json(
      { template: promptText(prompt, 'judge-rubric'), values, seed },
      schema,
    )
    return { value: (score - 1) / 4, reason: `grade ${score} of 5: ${reasoning}` }
  },
})
