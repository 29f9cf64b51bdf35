import { z } from 'zod'
import { type Chat, together } from '../../models/completions/chat.ts'
import type { Embedding } from '../../models/embedder.ts'
import { embedderParam } from '../../models/embedder-choice.ts'
import { modelParams, promptFiles } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { cosine } from './cosine.ts'
import { defineJudge } from './define.ts'
import { reasonLines } from './lines.ts'

const HOLES = ['answer']

const schema = z.strictObject({ question: z.string(), noncommittal: z.boolean() })

/**
 * Similarity of the query to the questions that, according to a language model, the answer answers:
 *
 *     relevancy = mean over n of cos(query, question i of the answer), and 0 if every one calls it noncommittal
 *
 * Negative means become 0. A missing answer and a refusal get 0 without a request. The measure says nothing about
 * truth.
 */
export const answerRelevancy = defineJudge({
  name: 'answer_relevancy',
  summary: 'similarity of the question to the questions that the answer would answer',
  source:
    'Es et al., RAGAS, EACL 2024 (demonstrations), section 3; noncommittal answers as in the ragas package',
  params: z.strictObject({
    ...modelParams(HOLES),
    questions: z.int().min(1).max(20).default(3).describe('questions to generate, one call each'),
    embedder: embedderParam,
  }),
  files: promptFiles(HOLES),
  embeds: true,
  async judge({ question, text, refused, failed }, { prompt, seed, questions }, { chat, embed }) {
    if (failed || refused) return 0
    const values = { answer: withoutMarks(text) }
    const written = await together([...Array(questions).keys()], (index) =>
      (chat as Chat).json(
        { template: promptText(prompt, 'judge-question'), values, seed: seed * questions + index },
        schema,
      ),
    )
    const reason = reasonLines(
      written.map(({ question, noncommittal }) => [
        noncommittal ? 'noncommittal; answers' : 'answers',
        question,
      ]),
    )
    if (written.every(({ noncommittal }) => noncommittal)) return { value: 0, reason }
    const near = await cosine(
      embed as Embedding,
      question,
      written.map((one) => one.question),
    )
    return { value: Math.max(0, near.reduce((sum, value) => sum + value, 0) / questions), reason }
  },
})
