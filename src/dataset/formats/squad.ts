import { z } from 'zod'
import { isMap, jsonIn } from '../../text/json.ts'
import { defineFormat, type QuestionRecord } from '../format.ts'
import { textsOf } from '../mappers.ts'
import { anId, parsed } from '../schema.ts'
import { hasKeys, type Source } from '../source.ts'

const answers = z.preprocess(answersOf, z.array(z.string()).default([]))
const QUESTION = z.object({ id: anId, question: z.string(), answers, is_impossible: z.boolean().nullish() })
const ROW = QUESTION.extend({ title: z.string().nullish(), context: z.string() })
const ARTICLE = z.object({
  title: z.string().default(''),
  paragraphs: z.array(z.object({ context: z.string(), qas: z.array(QUESTION) })),
})

/**
 * SQuAD 1.1 and 2.0 (Rajpurkar et al., 2016 and 2018), as the original JSON or as rows of Hugging Face. Each paragraph is a document,
 * titled by its article, and the gold of its questions; those that it does not answer are unanswerable.
 */
export const squad = defineFormat({
  name: 'squad',
  summary:
    'SQuAD 1.1 and 2.0 JSON, and rows with context, question and answers; the corpus is the union of paragraphs',
  drops: 'answer_start, plausible_answers',
  path: 'the JSON file, plain or .gz, or a Parquet, Arrow, JSON, JSONL, CSV or TSV file of its rows',
  place: 'file',
  roles: {
    questions: {
      name: 'questions.json',
      rows: (fields) => (Array.isArray(fields.data) ? fields.data : [fields]),
    },
  },
  recognises({ shape, files }: Source) {
    const firstShape = shape(files[0])
    const holds = (key: string) => firstShape.head.includes(`"${key}"`)
    const isOriginal = firstShape.kind === 'object' && hasKeys(firstShape, 'data')
    const isKnown = holds('paragraphs') || ['context', 'question', 'answers'].every(holds)
    const isRows =
      hasKeys(firstShape, 'context', 'question', 'answers') && !hasKeys(firstShape, 'supporting_facts')
    return (isOriginal && isKnown) || isRows
  },
  question(values) {
    if ('context' in values) return questionRecord(parsed(ROW, values))
    const { title, paragraphs } = parsed(ARTICLE, values)
    return paragraphs.flatMap(({ context, qas }): QuestionRecord[] =>
      qas.length === 0
        ? [{ contexts: [{ title, text: context }], skip: '' }]
        : qas.map((question) => questionRecord({ ...question, title, context })),
    )
  },
})

function questionRecord({
  id,
  question,
  answers,
  is_impossible,
  title,
  context,
}: z.output<typeof ROW>): QuestionRecord {
  const answerable = is_impossible !== true && answers.length > 0
  return {
    id,
    text: question,
    answers: answerable ? [...new Set(answers)] : [],
    answerable,
    contexts: [{ title, text: context, isGold: answerable }],
  }
}

/** Texts of `{text: [...], answer_start: [...]}`, which CSV holds as JSON, or of a list of answers. */
function answersOf(raw: unknown): unknown {
  const value = typeof raw === 'string' ? (jsonIn(raw) ?? raw) : raw
  if (Array.isArray(value)) return textsOf(value.map((item) => (isMap(item) ? item.text : item) as never))
  return isMap(value) ? value.text : value
}
