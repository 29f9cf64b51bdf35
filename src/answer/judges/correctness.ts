import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, promptFiles } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { defineJudge } from './define.ts'
import { listed } from './lines.ts'

const HOLES = ['query', 'references', 'answer']

const schema = z.strictObject({ reasoning: z.string(), correct: z.boolean() })

/**
 * 1 if a language model finds that the answer says the same as a reference answer, else 0. A missing answer gets 0
 * without a request.
 */
export const correctness = defineJudge({
  name: 'correctness',
  summary: '1 if the answer says the same as a reference answer',
  source:
    'answer accuracy of the ragas package, as one verdict; Zheng et al., Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, NeurIPS 2023, reference-guided',
  params: z.strictObject({ ...modelParams(HOLES) }),
  files: promptFiles(HOLES),
  async judge({ question, references, answerable, refused, failed, text }, { prompt, seed }, { chat }) {
    if (!answerable || references.length === 0) return Number.NaN
    if (failed || refused) return 0
    const values = {
      query: withoutMarks(question),
      references: listed(references),
      answer: withoutMarks(text),
    }
    const { correct, reasoning } = await (chat as Chat).json(
      { template: promptText(prompt, 'judge-correctness'), values, seed },
      schema,
    )
    return { value: Number(correct), reason: reasoning }
  },
})
