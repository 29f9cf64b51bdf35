import { z } from 'zod'
import { type Chat, together } from '../../models/completions/chat.ts'
import { modelParams, pinPromptFile } from '../../models/prompts/params.ts'
import { builtInPrompt, fillPrompt } from '../../models/prompts/prompt.ts'
import { answerWords } from '../../text/answers.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { type Better, defineJudge, type JudgeScore } from './define.ts'
import { labelFiles, labelsParam } from './labels.ts'
import { reasonLines } from './lines.ts'

const HOLES = ['query', 'first', 'second']

const schema = z.strictObject({ reasoning: z.string(), better: z.enum(['first', 'second', 'tie']) })

const NAMED = { this: 'this answer', tie: 'neither', other: 'the baseline’s' } as const
const WORTH = { this: 1, tie: 0.5, other: 0 } as const

/**
 * Preference of a language model for the answer over the same answerer's on the baseline trial, asked in both orders:
 * the mean of 1, .5 (tie) and 0. A preference that depends on the order alone becomes .5. Equal answers tie and a
 * missing answer loses, both without a request. The baseline's own answers do not count.
 */
export const preference = defineJudge({
  name: 'preference',
  summary: "1 if the answer is preferred to the same answerer's over the baseline, asked in both orders",
  source: 'Zheng et al., Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, NeurIPS 2023, section 3.4',
  params: z.strictObject({ ...modelParams(HOLES), labels: labelsParam }),
  pin: pinPromptFile(HOLES),
  files: labelFiles,
  pairs: true,
  asks: ({ question, answer }, { template = builtInPrompt('judge-preference') }) => [
    {
      prompt: fillPrompt(template, { query: question, first: answer, second: answer }),
      calls: 2,
      json: true,
    },
  ],
  async judge(
    { question, text, against },
    { template = builtInPrompt('judge-preference'), seed },
    { chat },
  ): Promise<JudgeScore> {
    if (against === null) return Number.NaN
    if (against === text) return 0.5
    if (against === '' || text === '') return text === '' ? 0 : 1
    const [own, other] = [withoutMarks(text), withoutMarks(against)]
    const pairs = [
      { first: own, second: other },
      { first: other, second: own },
    ]
    const [forth, back] = await together(pairs, async (pair) => {
      const values = { query: withoutMarks(question), ...pair }
      return (chat as Chat).json({ template, values, seed }, schema)
    })
    const orders: [Better, Better] = [
      forth.better === 'tie' ? 'tie' : forth.better === 'first' ? 'this' : 'other',
      back.better === 'tie' ? 'tie' : back.better === 'second' ? 'this' : 'other',
    ]
    return {
      value: (WORTH[orders[0]] + WORTH[orders[1]]) / 2,
      orders,
      reason: reasonLines([
        [`prefers ${NAMED[orders[0]]} when it is first`, forth.reasoning],
        [`prefers ${NAMED[orders[1]]} when it is second`, back.reasoning],
      ]),
      longer: answerWords(text).length - answerWords(against).length,
    }
  },
})
