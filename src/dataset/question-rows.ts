import { z } from 'zod'
import type { ColumnChoice, ColumnRole } from '../tables/roles.ts'
import { isMap } from '../text/json.ts'
import { isBrokenList } from '../text/printed-lists.ts'
import type { Json } from '../types.ts'
import { answersIn, brokenAnswers, passagesIn, takeContexts, textsOf } from './contexts.ts'
import { columnsParam } from './dataset-roles.ts'
import { policyShape } from './policies.ts'
import { idOf, pickColumns, type Row } from './rows.ts'
import type { DatasetSink } from './sink.ts'

/** Questions of evaluation tools: a question, its contexts and its answers in fields of many names. */

const ANY = { fits: () => true }

/** Contexts that somebody marked as right go before those that a system retrieved. */
const ROLES = {
  id: { name: 'id', names: [['id'], ['item_id', 'example_id', 'uid']], ...ANY, optional: true },
  query: {
    name: 'query',
    names: [
      ['user_input', 'question', 'query'],
      ['input', 'prompt', 'text', 'user_query', 'message'],
    ],
    ...ANY,
  },
  contexts: {
    name: 'contexts',
    names: [
      [
        'reference_contexts',
        'gold_contexts',
        'expected_contexts',
        'ground_truth_contexts',
        'ground_truth_context',
      ],
      ['contexts', 'context', 'documents', 'passages', 'source_documents'],
    ],
    ...ANY,
    optional: true,
  },
  answer: {
    name: 'answer',
    names: [
      ['reference', 'ground_truth', 'ground_truths', 'reference_answer', 'expected_answer', 'expected'],
      ['answer', 'answers', 'output'],
    ],
    ...ANY,
    optional: true,
  },
  category: {
    name: 'category',
    names: [['synthesizer_name', 'evolution_type', 'question_type'], ['category']],
    ...ANY,
    optional: true,
  },
} satisfies Record<string, ColumnRole>

/** Params of formats that hold such questions. */
export const questionParams = z.strictObject({
  path: z.string().describe('the file'),
  columns: columnsParam(['id', 'query', 'contexts', 'answer', 'category']),
  ...policyShape,
})

interface QuestionRows {
  /** Name of the tool, for messages. */
  readonly tool: string
  readonly file: string
  readonly columns?: ColumnChoice
  /** Reads a context as the tool wrote it. */
  readonly clean?: (text: string) => string
}

/** Hands questions and the union of their contexts to a sink. */
export function takeQuestionRows(
  rows: readonly Row[],
  { tool, file, columns, clean = (text) => text }: QuestionRows,
  sink: DatasetSink,
): void {
  if (rows.length === 0) sink.diagnostic({ file, message: 'holds no question' })
  const picked = rows.length > 0 ? pickColumns(rows, ROLES, { file, columns }, sink) : undefined
  if (!picked) return
  if (!/\bcontexts=/.test(picked.read)) {
    const names = Object.keys(rows[0].fields).join(', ')
    sink.diagnostic({
      file,
      message: `holds questions of ${tool} and no contexts, so no gold (its fields: ${names}); say which field holds them with \`columns: {contexts: NAME}\`, or attach the questions to a folder of documents with \`questions\``,
    })
    return
  }
  const contexts = takeContexts(sink)
  for (const [index, row] of rows.entries()) {
    const { location } = row
    const given = picked.of(row, 'id')
    const id = given === null ? String(index + 1) : idOf(given, 'question', location, sink)
    const asked = questionsIn(picked.of(row, 'query'))
    if (asked.length > 1)
      sink.diagnostic({
        ...location,
        message: `holds ${asked.length} questions in one field; write a record for each`,
      })
    const listed = picked.of(row, 'contexts')
    if (isBrokenList(listed))
      sink.diagnostic({
        ...location,
        message: `the contexts are no readable list: ${JSON.stringify(String(listed).slice(0, 60))}; write them as a JSON list of texts`,
      })
    const [text = ''] = asked
    if (id === undefined) continue
    const [category = null] = textsOf(picked.of(row, 'category'))
    const answers = answersIn(picked.of(row, 'answer'))
    if (answers === undefined)
      sink.diagnostic({ ...location, message: brokenAnswers(picked.of(row, 'answer')) })
    const gold = passagesIn(listed).map((one) => ({ ...one, text: clean(one.text) }))
    contexts.add({ id, text, answers: answers ?? [], category, gold }, location)
  }
  contexts.close()
  sink.notice(`read as ${tool}: ${file}; ${picked.read}, grade=1`)
}

/** Questions in a field; of a chat, the messages of its user. */
function questionsIn(value: Json): string[] {
  if (!Array.isArray(value)) return textsOf(value)
  return value.flatMap((one: Json) => {
    if (!isMap(one)) return textsOf(one)
    const isUser = /^(?:user|human)$/.test(String(one.role ?? one.type))
    return isUser ? textsOf(one.content as Json) : []
  })
}
