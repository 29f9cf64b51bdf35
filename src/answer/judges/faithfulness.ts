import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, pinPromptFile, stepPromptParams } from '../../models/prompts/params.ts'
import { builtInPrompt, fillPrompt } from '../../models/prompts/prompt.ts'
import { textsAsContext } from '../context.ts'
import { defineJudge } from './define.ts'
import { labelFiles, labelsParam } from './labels.ts'
import { forEachNumber, numbered, reasonLines } from './lines.ts'
import { statementsOf } from './statements.ts'

const HOLES = ['context', 'statements']
const STATEMENT_HOLES = ['query', 'answer']

const verdictsSchema = (statements: number) =>
  z.strictObject({
    verdicts: forEachNumber(statements, z.strictObject({ reasoning: z.string(), follows: z.boolean() })),
  })

/**
 * Share of the answer's statements, as a language model lists them, that follow from the passages sent:
 *
 *     faithfulness = statements that follow / all statements
 *
 * A refusal does not count, nor an answer without a statement, nor an answer without passages.
 */
export const faithfulness = defineJudge({
  name: 'faithfulness',
  summary: "share of the answer's statements that follow from the sent texts",
  source: 'Es et al., RAGAS, EACL 2024 (demonstrations), section 3',
  params: z.strictObject({
    ...modelParams(HOLES),
    ...stepPromptParams('statements', STATEMENT_HOLES),
    labels: labelsParam,
  }),
  pin: pinPromptFile(HOLES, { statements: STATEMENT_HOLES }),
  files: labelFiles,
  asks: (
    { question, answer, context, written },
    {
      template = builtInPrompt('judge-faithfulness'),
      statementsTemplate = builtInPrompt('judge-statements'),
    },
  ) => [
    { prompt: fillPrompt(statementsTemplate, { query: question, answer }), calls: 1, json: true },
    { prompt: fillPrompt(template, { context, statements: written }), calls: 1, json: true },
  ],
  async judge(
    { question, text, passages, refused, failed },
    { template = builtInPrompt('judge-faithfulness'), statementsTemplate, seed },
    { chat },
  ) {
    if (failed || refused || passages.length === 0) return Number.NaN
    const statements = await statementsOf(chat as Chat, { question, text, seed }, statementsTemplate)
    if (statements.length === 0) return Number.NaN
    const values = { context: textsAsContext(passages), statements: numbered(statements) }
    const { verdicts } = await (chat as Chat).json(
      { template, values, seed },
      verdictsSchema(statements.length),
    )
    return {
      value: Object.values(verdicts).filter(({ follows }) => follows).length / statements.length,
      reason: reasonLines(
        statements.map((statement, at) => {
          const { follows, reasoning } = verdicts[at + 1]
          return [follows ? 'follows' : 'does not follow', statement, reasoning]
        }),
      ),
    }
  },
})
