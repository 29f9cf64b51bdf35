import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, promptFiles, stepPromptParams } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { textsAsContext } from '../context.ts'
import { defineJudge } from './define.ts'
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
  params: z.strictObject({ ...modelParams(HOLES), ...stepPromptParams('statements', STATEMENT_HOLES) }),
  files: promptFiles(HOLES, { statements: STATEMENT_HOLES }),
  async judge({ question, text, passages, refused, failed }, { prompt, statementsPrompt, seed }, { chat }) {
    if (failed || refused || passages.length === 0) return Number.NaN
    const statements = await statementsOf(chat as Chat, { question, text, seed }, statementsPrompt)
    if (statements.length === 0) return Number.NaN
    const values = { context: textsAsContext(passages), statements: numbered(statements) }
    const { verdicts } = await (chat as Chat).json(
      { template: promptText(prompt, 'judge-faithfulness'), values, seed },
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
