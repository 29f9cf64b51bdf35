import { z } from 'zod'
import { wellFormed } from '../../text/well-formed.ts'
import { defineDatasetFormat, oneFile } from '../format.ts'
import { policyShape } from '../policies.ts'
import { poolPassages } from '../questions-file.ts'
import { eachRecord } from '../rows.ts'
import { hasKeys } from '../source.ts'
import { anId, wrongFields } from '../supporting-facts.ts'
import { questionsOf } from '../write-questions.ts'

const question = z.object({
  id: anId,
  question: z.string(),
  answer: z.string().optional(),
  answer_aliases: z
    .array(z.string())
    .nullish()
    .transform((aliases) => aliases ?? []),
  answerable: z.boolean().default(true),
  paragraphs: z.array(
    z.object({
      title: z
        .string()
        .nullable()
        .transform((title) => title ?? ''),
      paragraph_text: z.string(),
      is_supporting: z.boolean().default(false),
    }),
  ),
})

/**
 * MuSiQue's own JSONL (Trivedi et al., TACL 2022). The category is the first part of the id, as `3hop1`. MuSiQue-Full
 * holds each question twice, once without a passage that it needs; in the union of all passages that one is there
 * after all, so these twins are left out and counted.
 */
export const musique = defineDatasetFormat({
  name: 'musique',
  summary: 'original JSONL of MuSiQue; the corpus is the union of its paragraphs',
  drops: 'question_decomposition; twins that their paragraphs do not answer, counted',
  params: z.strictObject({
    path: z.string().describe('the JSONL or JSON file, plain or .gz'),
    ...policyShape,
  }),
  sniff: oneFile((shape) => hasKeys(shape, 'question', 'paragraphs')),
  async load({ path }, sink) {
    const pool = poolPassages(sink)
    let twins = 0
    await eachRecord(path, sink, (fields, location) => {
      const parsed = question.safeParse(fields)
      if (!parsed.success) return wrongFields(parsed.error, fields, location, sink)
      const { id, question: text, answer, answer_aliases: aliases, answerable, paragraphs } = parsed.data
      const gold = new Set<string>()
      for (const { title, paragraph_text: paragraph, is_supporting: supports } of paragraphs) {
        const passage = pool(wellFormed(title), wellFormed(paragraph), location)
        if (supports) gold.add(passage)
      }
      if (!answerable) {
        twins++
        return
      }
      const answers = answer === undefined ? [] : [...new Set([answer, ...aliases])]
      const category = categoryOf(id)
      sink.query({ id, text, metadata: {}, category, answers, answerable: true }, location)
      for (const passage of gold) sink.qrel({ queryId: id, id: passage, grade: 1 }, location)
    })
    if (twins > 0) sink.notice(`${twins} questions that their own paragraphs do not answer are left out`)
  },
  write(dataset) {
    const questions = questionsOf(dataset, {
      name: 'musique',
      byTitle: false,
      why: ({ id, category }) =>
        category === categoryOf(id) ? '' : `its category is ${category}, and its id says ${categoryOf(id)}`,
    })
    return questions
      .map(({ query: { id, text, answers }, passages }) => {
        const [answer, ...aliases] = answers
        return `${JSON.stringify({
          id,
          paragraphs: passages.map(({ document, gold }, idx) => ({
            idx,
            title: document.title,
            paragraph_text: document.text,
            is_supporting: gold,
          })),
          question: text,
          ...(answer === undefined ? {} : { answer, answer_aliases: aliases }),
          answerable: true,
        })}\n`
      })
      .join('')
  },
})

/** `3hop1__482757_…` -> `3hop1`. */
function categoryOf(id: string): string | null {
  return /^\dhop\d?(?=__)/.exec(id)?.[0] ?? null
}
