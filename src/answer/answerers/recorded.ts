import { basename } from 'node:path'
import { z } from 'zod'
import { partReasoning } from '../../models/chat/reasoning.ts'
import { readRecorded } from '../../runs/recorded.ts'
import { hashFile } from '../../store/input.ts'
import { isBlank } from '../../text/characters.ts'
import { countTokens } from '../../text/tokens.ts'
import { defineAnswerer } from './index.ts'

export default defineAnswerer({
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
  make({ path }) {
    const records = readRecorded(path, 'answer')
    return {
      closedBook: true,
      records,
      context(question) {
        const passages = records
          .get(question.trim())
          ?.contexts.map((text) => ({ heading: '', text, rows: [] }))
        return (
          passages && { passages, tokens: passages.reduce((sum, { text }) => sum + countTokens(text), 0) }
        )
      },
      answer(question) {
        const record = records.get(question.trim())
        if (record?.answer === undefined)
          throw new Error(`${basename(path)} holds no answer to this question`)
        const { text, reasoning } = partReasoning(record.answer)
        if (!isBlank(text)) return text
        throw new Error(
          `the answer in ${basename(path)} ${reasoning === '' ? 'is empty' : 'ends in its reasoning'}`,
        )
      },
    }
  },
})
