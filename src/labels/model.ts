import { z } from 'zod'
import type { Chat } from '../models/completions/chat.ts'
import { builtInPrompt } from '../models/prompts/prompt.ts'
import { withoutMarks } from '../text/passage-marks.ts'
import type { PooledPassage, PooledQuery } from './pool.ts'

const graded = z.strictObject({
  intent: z.string().optional(),
  match: z.number().optional(),
  trust: z.number().optional(),
  grade: z.int().min(0).max(3),
})

/**
 * Grade of a passage by a language model, 0 to 3, with the steps of UMBRELA (Upadhyay et al., 2024), which reproduces the
 * prompt of Thomas et al. (SIGIR 2024).
 */
export async function gradeWithModel(
  chat: Chat,
  { text }: PooledQuery,
  passage: PooledPassage,
): Promise<number> {
  const body = passage.title === '' ? passage.text : `${passage.title}\n${passage.text}`
  const values = {
    query: withoutMarks(text),
    context: `<passage kind="source 1">\n${withoutMarks(body)}\n</passage>`,
  }
  return (await chat.json({ template: builtInPrompt('judge-relevance'), values }, graded)).grade
}
