import { basename } from 'node:path'
import { z } from 'zod'
import { partReasoning } from '../../models/chat/reasoning.ts'
import { type RecordedQuery, readRecorded } from '../../runs/recorded.ts'
import { hashFile } from '../../store/input.ts'
import { isBlank } from '../../text/fold.ts'
import { oncePer } from '../../text/once.ts'
import { countTokens } from '../../text/tokens.ts'
import type { AnswerContext } from '../context.ts'
import { defineAnswerer } from '../define.ts'

interface Recorded {
  readonly records: ReadonlyMap<string, RecordedQuery>
  readonly contexts: ReadonlyMap<string, AnswerContext>
}

/** Answers of another system, a JSON object per line: a row next to ours, with the same measures and judges. */
export const recordedAnswerer = defineAnswerer({
  name: 'recorded',
  summary: 'answers of another system, read from a file: one row, whatever the trials retrieve',
  source: 'docs/answers.md',
  only: 'path',
  params: z.strictObject({
    path: z
      .string()
      .min(1)
      .meta({ path: true })
      .describe(
        'JSONL or a JSON list: {"query": "...", "answer": "..."}, and optionally contexts, tokens, calls, cost, latency, model',
      ),
  }),
  files({ path }) {
    readRecorded(path, 'answer')
    return { answers: hashFile(path, 'answers of another system') }
  },
  closedBook: true,
  records: (params) => recorded(params).records,
  context: (question, params) => recorded(params).contexts.get(question.trim()),
  answer(question, _, params) {
    const found = recorded(params).records.get(question.trim())
    if (found?.answer === undefined)
      throw new Error(`${basename(params.path)} holds no answer to this question`)
    const { text, reasoning } = partReasoning(found.answer)
    if (isBlank(text))
      throw new Error(
        `the answer in ${basename(params.path)} ${reasoning === '' ? 'is empty' : 'ends in its reasoning'}`,
      )
    return text
  },
})

type Params = { readonly path: string }

/** Answers of a file by question, read once for each choice of the answerer. */
const recorded = oncePer((params: Params): Recorded => openRecorded(params.path))

function openRecorded(path: string): Recorded {
  const records = readRecorded(path, 'answer')
  const contexts = [...records].map(([query, { contexts }]): [string, AnswerContext] => {
    const passages = contexts.map((text) => ({ heading: '', text, rows: [] }))
    return [query, { passages, tokens: passages.reduce((sum, { text }) => sum + countTokens(text), 0) }]
  })
  return { records, contexts: new Map(contexts) }
}
