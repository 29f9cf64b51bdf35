import { z } from 'zod'
import { idError } from '../text/ids.ts'
import { isMap } from '../text/json.ts'
import { jsonIn } from '../text/printed-lists.ts'
import { fieldComplaint } from '../text/schema-words.ts'
import { wellFormed } from '../text/well-formed.ts'
import type { Json } from '../types.ts'
import { poolPassages } from './questions-file.ts'
import { eachRecord } from './rows.ts'
import type { DataLocation, DatasetSink } from './sink.ts'
import { hasKeys, type Shape } from './source.ts'
import type { Dataset } from './types.ts'
import { questionsOf } from './write-questions.ts'

/** An id of a question: a text, or a whole number, read as its digits. */
export const anId = z
  .custom<unknown>((value) => idError(value) === undefined, { error: ({ input }) => idError(input) ?? '' })
  .transform(String)

const question = z.object({
  _id: anId,
  question: z.string(),
  answer: z.string().optional(),
  type: z.string().optional(),
  supporting_facts: z.array(z.tuple([z.string(), z.int()]).rest(z.unknown())).default([]),
  context: z.array(z.tuple([z.string(), z.array(z.string())]).rest(z.unknown())),
  /** 2Wiki's facts: subject, relation, object. */
  evidences: z
    .array(z.tuple([z.string(), z.string(), z.string()]))
    .optional()
    .catch(undefined),
})

/**
 * Questions in HotpotQA's form, each with its own passages (the distractor setting): the corpus is the union of these,
 * gold are the passages that a supporting fact names by title. `joint` joins a passage's sentences.
 */
export async function readSupportingFacts(path: string, joint: string, sink: DatasetSink): Promise<void> {
  const pool = poolPassages(sink)
  let shared = 0
  await eachRecord(path, sink, (fields, location) => {
    const parsed = question.safeParse(fromColumns(fields))
    if (!parsed.success) return wrongFields(parsed.error, fields, location, sink)
    const {
      _id: id,
      question: text,
      answer,
      type = null,
      supporting_facts: facts,
      context,
      evidences,
    } = parsed.data
    const byTitle = new Map<string, string[]>()
    for (const [title, sentences] of context) {
      const passage = pool(wellFormed(title), wellFormed(sentences.join(joint).trim()), location)
      byTitle.set(title, [...(byTitle.get(title) ?? []), passage])
    }
    const answers = answer === undefined ? [] : [answer]
    const metadata: Record<string, Json> = evidences?.length ? { path: evidences } : {}
    sink.query({ id, text, metadata, category: type, answers, answerable: true }, location)
    for (const title of new Set(facts.map(([fact]) => fact))) {
      const gold = byTitle.get(title)
      const message = `the supporting fact "${title}" is not one of the question's passages`
      if (!gold) sink.missing(id, { name: title, message }, location)
      const passages = new Set(gold)
      if (passages.size > 1) shared++
      for (const passage of passages) sink.qrel({ queryId: id, id: passage, grade: 1 }, location)
    }
  })
  if (shared > 0)
    sink.notice(
      `supporting facts whose title several passages of their question have, all taken for gold: ${shared}`,
    )
}

/** True if the records have HotpotQA's fields. */
export function isSupportingFacts(shape: Shape): boolean {
  return hasKeys(shape, 'question', 'supporting_facts', 'context')
}

/** True for 2Wiki, false for HotpotQA, undefined if fields and kinds of questions fit both. */
export function isTwoWiki({ keys, head }: Shape): boolean | undefined {
  if (keys.some((key) => /^evidences|^entity_ids$/.test(key))) return true
  if (/"(?:compositional|inference|bridge_comparison)"/.test(head)) return true
  return keys.includes('level') ? false : undefined
}

/** Rows of Hugging Face, which have parallel lists of titles and texts, objects or JSON, in the form of the original files. */
function fromColumns(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const pairs = (given: unknown, ...seconds: string[]) => {
    const value = typeof given === 'string' ? (jsonIn(given) ?? given) : given
    const secondOf = (one: Readonly<Record<string, unknown>>) =>
      seconds.map((name) => one[name]).find((found) => found !== undefined)
    if (Array.isArray(value))
      return value.map((one: unknown) => (isMap(one) ? [one.title, secondOf(one)] : one))
    if (!isMap(value) || !Array.isArray(value.title)) return value
    const others = secondOf(value)
    return Array.isArray(others) ? value.title.map((title, index) => [title, others[index]]) : value
  }
  return {
    ...fields,
    ...(fields._id === undefined && fields.id !== undefined ? { _id: fields.id } : {}),
    context: pairs(fields.context, 'sentences', 'content'),
    supporting_facts: pairs(fields.supporting_facts, 'sent_id'),
  }
}

/** Writes a dataset in this format, one JSON array. Throws a UserError if the format cannot hold a value. */
export function writeSupportingFacts(name: string, dataset: Dataset): string {
  const questions = questionsOf(dataset, {
    name,
    byTitle: true,
    // 2Wiki's evidences.
    metadata: name === '2wiki' ? ['path'] : [],
    why: ({ answers }) => (answers.length > 1 ? `has ${answers.length} answers, not one` : ''),
  })
  const items = questions.map(({ query: { id, text, answers, category, metadata }, passages }) => {
    const gold = passages.filter((passage) => passage.gold)
    return {
      _id: id,
      question: text,
      ...(answers.length > 0 ? { answer: answers[0] } : {}),
      ...(category === null ? {} : { type: category }),
      supporting_facts: [...new Set(gold.map(({ document }) => document.title))].map((title) => [title, 0]),
      ...(metadata.path !== undefined && { evidences: metadata.path }),
      // A document's sentences are no longer known: its text is one.
      context: passages.map(({ document: { title, text } }) => [title, [text]]),
    }
  })
  return `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`
}

/** One error per field: its name, its value, the allowed values. */
export function wrongFields(
  error: z.ZodError,
  fields: unknown,
  location: DataLocation,
  sink: DatasetSink,
): void {
  for (const issue of error.issues) sink.diagnostic({ ...location, message: fieldComplaint(issue, fields) })
}
