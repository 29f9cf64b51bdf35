import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import type { Chat } from '../../models/completions/chat.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'

/** Statements of an answer at most. */
const STATEMENTS = 50

const schema = z.strictObject({ statements: listOf(z.string(), STATEMENTS) })

/** Statements of a text that answers a question, as a language model lists them. */
export async function statementsOf(
  chat: Chat,
  { question, text, seed }: { readonly question: string; readonly text: string; readonly seed: number },
  prompt: string | undefined,
): Promise<readonly string[]> {
  const values = { query: withoutMarks(question), answer: withoutMarks(text) }
  const { statements } = await chat.json(
    { template: promptText(prompt, 'judge-statements'), values, seed },
    schema,
  )
  return statements
}
