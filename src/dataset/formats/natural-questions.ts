import { z } from 'zod'
import { wellFormed } from '../../text/well-formed.ts'
import { takeContexts } from '../contexts.ts'
import { defineDatasetFormat, oneFile } from '../format.ts'
import { policyShape } from '../policies.ts'
import { eachRecord, placeOf } from '../rows.ts'
import { hasKeys } from '../source.ts'
import { anId, wrongFields } from '../supporting-facts.ts'

const range = z.looseObject({ start_token: z.int(), end_token: z.int() })
const question = z.object({
  example_id: anId,
  question_text: z.string(),
  document_text: z.string(),
  document_title: z.string().default(''),
  long_answer_candidates: z.array(range.extend({ top_level: z.boolean().default(true) })),
  annotations: z
    .array(z.looseObject({ long_answer: range, short_answers: z.array(range).default([]) }))
    .default([]),
})

/**
 * Natural Questions, simplified JSONL (Kwiatkowski et al., TACL 2019). Each top-level candidate of a page is a document;
 * gold is the one that holds the long answer. Annotators may name different ones: one of these is enough. Of five
 * annotators two must have found an answer, as in the official evaluation.
 */
export const naturalQuestions = defineDatasetFormat({
  name: 'natural-questions',
  summary: 'simplified JSONL of Natural Questions; the corpus is the union of top-level candidates',
  drops: 'markup; yes_no_answer; questions without long answer, counted',
  params: z.strictObject({
    path: z.string().describe('the JSONL file, plain or .gz'),
    ...policyShape,
  }),
  sniff: oneFile((shape) => hasKeys(shape, 'question_text', 'document_text')),
  async load({ path }, sink) {
    const { file } = placeOf(path)
    const contexts = takeContexts(sink)
    let left = 0
    await eachRecord(path, sink, (fields, location) => {
      const parsed = question.safeParse(fields)
      if (!parsed.success) return wrongFields(parsed.error, fields, location, sink)
      const { example_id: id, question_text: text, document_title: title, annotations } = parsed.data
      const tokens = parsed.data.document_text.split(' ')
      const tops = parsed.data.long_answer_candidates.filter((one) => one.top_level)
      const words = (start: number, end: number) =>
        wellFormed(
          tokens
            .slice(start, end)
            .filter((token) => !/^<\/?[A-Za-z][^>]*>$/.test(token))
            .join(' '),
        )
      const passages = tops.map(({ start_token: start, end_token: end }) => words(start, end))
      const ids = passages.map((passage) =>
        passage.trim() === '' ? '' : contexts.passage({ title, text: passage }, location),
      )
      const found = annotations.filter(({ long_answer: { start_token: start } }) => start >= 0)
      const gold = new Set<string>()
      for (const {
        long_answer: { start_token: start, end_token: end },
      } of found) {
        const at = tops.findIndex((top) => top.start_token <= start && end <= top.end_token)
        if (at < 0)
          sink.diagnostic({
            ...location,
            message: `the long answer of tokens ${start} to ${end} is in no top-level candidate`,
          })
        else if (ids[at] !== '') gold.add(ids[at])
      }
      if (found.length < (annotations.length >= 5 ? 2 : 1) || gold.size === 0) {
        left++
        return
      }
      const short = found.flatMap((one) =>
        one.short_answers.map((answer) => words(answer.start_token, answer.end_token)),
      )
      const answers = [...new Set(short)].filter((one) => one !== '')
      sink.query(
        { id, text: wellFormed(text), metadata: {}, category: null, answers, answerable: true },
        location,
      )
      for (const one of gold)
        sink.qrel({ queryId: id, id: one, grade: 1, ...(gold.size > 1 ? { group: '1' } : {}) }, location)
    })
    contexts.close()
    if (left > 0) sink.notice(`${left} questions that no long answer answers are left out`)
    sink.notice(
      `read as Natural Questions: ${file}; query=question_text, document=long_answer_candidates, grade=1`,
    )
  },
})
