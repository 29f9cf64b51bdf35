import { z } from 'zod'
import { isMap } from '../../text/json.ts'
import { wellFormed } from '../../text/well-formed.ts'
import type { Json } from '../../types.ts'
import { takeContexts, textsOf } from '../contexts.ts'
import { defineDatasetFormat, type Evidence } from '../format.ts'
import { policyShape } from '../policies.ts'
import { placeOf, type Row, readJsonObject, readRows } from '../rows.ts'
import type { DataLocation, DatasetSink } from '../sink.ts'
import { hasKeys, openSource, type Source } from '../source.ts'
import { anId, wrongFields } from '../supporting-facts.ts'

const answers = z.array(z.looseObject({ text: z.string() })).default([])
const article = z.object({
  title: z.string().default(''),
  paragraphs: z.array(
    z.object({
      context: z.string(),
      qas: z.array(
        z.object({ id: anId, question: z.string(), answers, is_impossible: z.boolean().default(false) }),
      ),
    }),
  ),
})
const flat = z.object({
  id: anId,
  title: z.string().nullish(),
  context: z.string(),
  question: z.string(),
  answers: z.object({ text: z.array(z.string()) }),
  is_impossible: z.boolean().nullish(),
})

/**
 * SQuAD 1.1 and 2.0 (Rajpurkar et al., 2016 and 2018), as the original JSON or as rows of Hugging Face. Each paragraph is a
 * document, titled by its article. A question's paragraph is its gold; one that its paragraph does not answer is
 * unanswerable.
 */
export const squad = defineDatasetFormat({
  name: 'squad',
  summary:
    'SQuAD 1.1 and 2.0 JSON, and rows with context, question and answers; the corpus is the union of paragraphs',
  drops: 'answer_start, plausible_answers',
  params: z.strictObject({
    path: z
      .string()
      .describe('the JSON file, plain or .gz, or a Parquet, Arrow, JSON, JSONL, CSV or TSV file of its rows'),
    ...policyShape,
  }),
  sniff,
  async load({ path }, sink) {
    const { folder, file } = placeOf(path)
    const contexts = takeContexts(sink)
    const add: Add = (one, location) => {
      const passage = contexts.passage({ title: one.title, text: one.context }, location)
      const id = wellFormed(one.id)
      const known = [...new Set(one.answers.map(wellFormed))]
      sink.query(
        {
          id,
          text: wellFormed(one.question),
          metadata: {},
          category: null,
          answers: one.impossible ? [] : known,
          answerable: !one.impossible,
        },
        location,
      )
      if (!one.impossible) sink.qrel({ queryId: id, id: passage, grade: 1 }, location)
    }
    if (!isOriginal(openSource(path)))
      for (const row of await readRows(folder, file, sink)) addRow(row, add, sink)
    else readArticles(path, file, add, contexts.passage, sink)
    contexts.close()
    sink.notice(`read as SQuAD: ${file}; query=question, document=context, title=title, grade=1`)
  },
})

/** True for one object with a list `data`: of articles, or of rows. */
function isOriginal(source: Source): boolean {
  const shape = source.shape(source.files[0])
  return shape.kind === 'object' && hasKeys(shape, 'data')
}

function sniff(source: Source): Evidence | undefined {
  if (source.isFolder) return undefined
  const shape = source.shape(source.files[0])
  const holds = (key: string) => shape.head.includes(`"${key}"`)
  const isKnown = holds('paragraphs') || ['context', 'question', 'answers'].every(holds)
  const original = isOriginal(source) && isKnown
  const rows = hasKeys(shape, 'context', 'question', 'answers') && !hasKeys(shape, 'supporting_facts')
  return original || rows ? { files: source.files } : undefined
}

type Add = (
  one: {
    id: string
    question: string
    title: string
    context: string
    answers: string[]
    impossible: boolean
  },
  location: DataLocation,
) => void

function readArticles(
  path: string,
  file: string,
  add: Add,
  passage: (passage: { title: string; text: string }, location: DataLocation) => string,
  sink: DatasetSink,
): void {
  const whole = readJsonObject(path, sink)
  if (!whole) return
  const articles: unknown = whole.data
  if (!Array.isArray(articles)) sink.diagnostic({ file, message: 'has no list "data" of articles' })
  else
    for (const [index, raw] of articles.entries()) {
      if (isMap(raw) && Object.hasOwn(raw, 'context')) {
        addRow({ fields: raw as Row['fields'], location: { file: `${file}, row ${index + 1}` } }, add, sink)
        continue
      }
      const parsed = article.safeParse(raw)
      const location = { file: `${file}, article ${index + 1}` }
      if (parsed.success)
        for (const { context, qas } of parsed.data.paragraphs) {
          const { title } = parsed.data
          if (qas.length === 0) passage({ title, text: context }, location)
          for (const { id, question, answers, is_impossible: impossible } of qas)
            add(
              { id, question, title, context, impossible, answers: answers.map(({ text }) => text) },
              location,
            )
        }
      else wrongFields(parsed.error, raw, location, sink)
    }
}

function addRow({ fields, location }: Row, add: Add, sink: DatasetSink): void {
  const raw = { ...fields, answers: answersOf(fields.answers) }
  const parsed = flat.safeParse(raw)
  if (!parsed.success) {
    wrongFields(parsed.error, raw, location, sink)
    return
  }
  const { id, question, title, context, answers, is_impossible: impossible } = parsed.data
  add(
    {
      id,
      question,
      title: title ?? '',
      context,
      answers: answers.text,
      impossible: impossible === true || answers.text.length === 0,
    },
    location,
  )
}

/** `{text: [...], answer_start: [...]}`, which CSV holds as JSON. */
function answersOf(value: Json | undefined): Json | undefined {
  if (Array.isArray(value))
    return { text: textsOf(value.map((one: Json) => (one as { text?: Json } | null)?.text ?? one)) }
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value) as Json
  } catch {
    return value
  }
}
