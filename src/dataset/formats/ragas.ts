import { UserError } from '../../errors.ts'
import { isBrokenList, isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { column, optional } from '../columns.ts'
import { defineFormat } from '../format.ts'
import type { Fields } from '../lines.ts'
import { answersIn, passagesIn, textsOf } from '../mappers.ts'
import { hasKeys, type Source } from '../source.ts'

/** Contexts that somebody marked as right go before those that a system retrieved. */
const MARKED = [
  'reference_contexts',
  'gold_contexts',
  'expected_contexts',
  'ground_truth_contexts',
  'ground_truth_context',
]
const CONTEXTS = [MARKED, ['contexts', 'context', 'documents', 'passages', 'source_documents']]

/**
 * Test sets of ragas: `user_input, reference_contexts, reference` (since 0.2), `question, contexts, ground_truth, evolution_type` (0.1),
 * or `ground_truth_context` (before). Gold are the reference contexts.
 */
export const ragas = defineFormat({
  name: 'ragas',
  summary:
    'test set of ragas (JSONL, JSON, CSV, Parquet, Arrow); the corpus is the union of reference contexts',
  drops: 'retrieved_contexts, response, rubrics, persona',
  path: 'the file',
  place: 'file',
  roles: {
    questions: {
      name: 'questions.jsonl',
      rows: byColumns,
      columns: {
        id: optional(column('id', ['id'], ['item_id', 'example_id', 'uid'])),
        text: column(
          'query',
          ['user_input', 'question', 'query'],
          ['input', 'prompt', 'text', 'user_query', 'message'],
        ),
        contexts: column('contexts', ...CONTEXTS),
        answers: optional(
          column(
            'answer',
            ['reference', 'ground_truth', 'ground_truths', 'reference_answer', 'expected_answer', 'expected'],
            ['answer', 'answers', 'output'],
          ),
        ),
        category: optional(
          column('category', ['synthesizer_name', 'evolution_type', 'question_type'], ['category']),
        ),
      },
      refuse(columns) {
        if (!CONTEXTS.flat().some((name) => columns.includes(name)))
          return `holds questions of ragas and no contexts, so no gold (its fields: ${columns.join(', ')}); call the field that holds them \`contexts\`, or attach the questions to a folder of documents with \`questions\``
        // Without the field that test sets have, `contexts` of ragas 0.1 are what a system retrieved.
        const isMarked = [...MARKED, 'evolution_type'].some((name) => columns.includes(name))
        return columns.includes('contexts') && !isMarked
          ? 'has `contexts` that may be what a system retrieved, or what a test set was made from; if they are the gold, call them `reference_contexts`'
          : undefined
      },
    },
  },
  recognises({ shape, files }: Source) {
    const has = (...keys: readonly string[]) => keys.some((key) => hasKeys(shape(files[0]), key))
    return (
      has('user_input') ||
      (has('question') && has('ground_truth', 'ground_truths') && has('contexts', 'ground_truth_context'))
    )
  },
  question({ id, text, contexts, answers, category }, { number }) {
    const questions = questionsIn(text)
    if (questions.length > 1)
      throw new UserError(`holds ${questions.length} questions in one field; write a record for each`)
    if (isBrokenList(contexts))
      throw new UserError(
        `the contexts are no readable list: ${JSON.stringify(String(contexts).slice(0, 60))}; write them as a JSON list of texts`,
      )
    return {
      id: id ?? number,
      text: questions[0] ?? '',
      answers: answersIn(answers),
      category: textsOf(category)[0],
      // Contexts of questions over several passages begin with `<1-hop>`.
      contexts: passagesIn(contexts).map((passage) => ({
        ...passage,
        text: passage.text.replace(/^<\d+-hop>\s*\n+/, ''),
        isGold: true,
      })),
    }
  },
})

/** Questions in a field; of a chat, the messages of its user. */
function questionsIn(value: Json): string[] {
  if (!Array.isArray(value)) return textsOf(value)
  return value.flatMap((item: Json) => {
    if (!isMap(item)) return textsOf(item)
    const isUser = /^(?:user|human)$/.test(String(item.role ?? item.type))
    return isUser ? textsOf(item.content as Json) : []
  })
}

/** Rows of a table written by columns, `{"question": ["x", "y"]}` or `{"question": {"0": "x", "1": "y"}}`; else the record. */
function byColumns(fields: Fields): readonly Fields[] {
  const columns = Object.entries(fields)
  const keysOf = (cells: Json) => (typeof cells === 'object' && cells !== null ? Object.keys(cells) : [])
  const keys = keysOf(columns[0]?.[1] ?? null)
  const isTable =
    columns.length > 1 &&
    keys.every((key) => /^\d+$/.test(key)) &&
    columns.every(([, cells]) => keys.length > 0 && keysOf(cells).join() === keys.join())
  if (!isTable) return [fields]
  return keys.map((key) =>
    Object.fromEntries(
      columns.map(([name, cells]) => [name, (cells as Readonly<Record<string, Json>>)[key]]),
    ),
  )
}
