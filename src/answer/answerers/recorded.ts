import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { hashFile, readText } from '../../store/input.ts'
import { eachJsonLine } from '../../store/json-lines.ts'
import { countTokens } from '../../text/tokens.ts'
import type { AnswerContext } from '../context.ts'
import { defineAnswerer } from '../define.ts'

const WHAT = 'answers of another system'

const line = z.object({
  query: z.string().trim().min(1),
  answer: z.string(),
  contexts: z.array(z.string()).default([]),
})

interface Recorded {
  readonly answer: string
  readonly context: AnswerContext
}

/** Answers of another system, a JSON object per line: its row stands beside ours, with the same measures and judges. */
export const recordedAnswerer = defineAnswerer({
  name: 'recorded',
  summary: 'answers of another system, read from a file: one row, whatever the trials retrieve',
  source: 'docs/answers.md',
  params: z.strictObject({
    path: z
      .string()
      .min(1)
      .meta({ path: true })
      .describe('JSONL: {"query": "...", "answer": "...", "contexts": ["..."]}; contexts may be left out'),
  }),
  files({ path }) {
    readAnswers(path)
    return { answers: hashFile(path, WHAT) }
  },
  closedBook: true,
  context: (question, params) => recorded(params).get(question.trim())?.context,
  answer(question, _, params) {
    const found = recorded(params).get(question.trim())
    if (found) return found.answer
    throw new Error(`${params.path} holds no answer to this question`)
  },
})

type Params = { readonly path: string }

/** Answers of a file by question, read once for each choice of the answerer. */
const opened = new WeakMap<Params, ReadonlyMap<string, Recorded>>()

function recorded(params: Params): ReadonlyMap<string, Recorded> {
  const known = opened.get(params) ?? readAnswers(params.path)
  opened.set(params, known)
  return known
}

function readAnswers(path: string): ReadonlyMap<string, Recorded> {
  const answers = new Map<string, Recorded>()
  eachJsonLine(path, readText(path, WHAT), (value, wrong) => {
    const { data } = line.safeParse(value)
    if (!data) return wrong('is not {"query": "...", "answer": "...", "contexts": ["..."]}')
    if (answers.has(data.query)) return wrong('repeats a query above')
    const passages = data.contexts.map((text) => ({ heading: '', text, rows: [] }))
    const tokens = passages.reduce((sum, { text }) => sum + countTokens(text), 0)
    answers.set(data.query, { answer: data.answer, context: { passages, tokens } })
  })
  if (answers.size === 0) throw new UserError({ file: path, message: 'holds no answers' })
  return answers
}
