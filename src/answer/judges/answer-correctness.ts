import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import type { Embedding } from '../../models/embedder.ts'
import { embedderParam } from '../../models/embedder-choice.ts'
import { modelParams, promptFiles, stepPromptParams } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { cosine } from './cosine.ts'
import { defineJudge } from './define.ts'
import { forEachNumber, numbered, reasonLines } from './lines.ts'
import { statementsOf } from './statements.ts'

const HOLES = ['query', 'statements', 'reference']
const STATEMENT_HOLES = ['query', 'answer']

const verdictsSchema = (answer: number, reference: number) =>
  z.strictObject({
    answer: forEachNumber(answer, z.strictObject({ reasoning: z.string(), supported: z.boolean() })),
    reference: forEachNumber(reference, z.strictObject({ reasoning: z.string(), found: z.boolean() })),
  })

/**
 * Agreement with the reference answer, statement by statement and as a whole:
 *
 *     answer correctness = 3/4 F1 + 1/4 (1 + cosine) / 2
 *     F1 = TP / (TP + (FP + FN) / 2)
 *
 * TP and FP are statements of the answer that the reference supports, and the others; FN are statements of the reference that
 * the answer lacks. Reference answers are alternatives; the first one is read. A missing answer gets 0 without a request.
 */
export const answerCorrectness = defineJudge({
  name: 'answer_correctness',
  summary: 'F1 of the statements of the answer and of the reference answer, with the cosine of both texts',
  source:
    'Xiang et al., When to use Graphs in RAG (GraphRAG-Bench), 2025: Evaluation/metrics/answer_accuracy.py, after answer correctness of the ragas package; prompts of our own',
  params: z.strictObject({
    ...modelParams(HOLES),
    ...stepPromptParams('statements', STATEMENT_HOLES),
    embedder: embedderParam,
  }),
  files: promptFiles(HOLES, { statements: STATEMENT_HOLES }),
  embeds: true,
  async judge(
    { question, references, answerable, refused, failed, text },
    { prompt, statementsPrompt, seed },
    tools,
  ) {
    if (!answerable || references.length === 0) return Number.NaN
    if (failed || refused) return 0
    const chat = tools.chat as Chat
    const listed = (one: string) => statementsOf(chat, { question, text: one, seed }, statementsPrompt)
    const statements = await listed(text)
    const reference = await listed(references[0])
    const values = {
      query: withoutMarks(question),
      statements: numbered(statements),
      reference: numbered(reference),
    }
    const verdicts = await chat.json(
      { template: promptText(prompt, 'judge-classify'), values, seed },
      verdictsSchema(statements.length, reference.length),
    )
    const supported = Object.values(verdicts.answer).filter((one) => one.supported).length
    const missing = Object.values(verdicts.reference).filter((one) => !one.found).length
    const wrong = statements.length - supported
    const all = supported + (wrong + missing) / 2
    const [near] = await cosine(tools.embed as Embedding, text, [references[0]])
    const f1 = statements.length + reference.length === 0 ? 1 : all === 0 ? 0 : supported / all
    return {
      value: 0.75 * f1 + 0.25 * Math.min(1, (1 + near) / 2),
      reason: reasonLines([
        ...statements.map((statement, at) => {
          const { supported, reasoning } = verdicts.answer[at + 1]
          return [supported ? 'supported' : 'not supported', statement, reasoning] as const
        }),
        ...reference.flatMap((statement, at) => {
          const { found, reasoning } = verdicts.reference[at + 1]
          return found ? [] : [['missing', statement, reasoning] as const]
        }),
      ]),
    }
  },
})
