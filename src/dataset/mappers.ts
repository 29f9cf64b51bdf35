import { isMap, jsonIn } from '../text/json.ts'
import { answersIn, joined, textsOf } from './cells.ts'
import { isFilterable } from './columns.ts'
import type { DocumentRecord, QuestionRecord, RecordContext, Values } from './format.ts'

/** Mappers of tables of documents and questions in BEIR's form, by the roles of `columns.ts`. */

/** A document; other fields are metadata, those of an object `metadata` first. */
export function documentOf(
  { id, title, text, metadata }: Values,
  { fields, taken }: RecordContext,
): DocumentRecord {
  const inner = mapIn(metadata)
  // An object of other programs goes into the metadata by its fields; anything else there is the schema's to refuse.
  if (metadata != null && !isMap(inner))
    return { id, title: joined(title, ' '), text: joined(text), metadata }
  const entries: [string, unknown][] = []
  for (const name of Object.keys(fields))
    if (!taken.includes(name) && isFilterable(fields[name])) entries.push([name, fields[name]])
  for (const name of Object.keys(inner ?? {})) if (inner?.[name] !== null) entries.push([name, inner?.[name]])
  return { id, title: joined(title, ' '), text: joined(text), metadata: Object.fromEntries(entries) }
}

/**
 * A question. `category`, `answers`, `answerable` and `evidence` are read from their own columns or from the metadata, and
 * removed there, so that they cannot reach a strategy.
 */
export function questionOf({ id, text, metadata, ...own }: Values): QuestionRecord {
  const inner = mapIn(metadata) ?? {}
  if (!isMap(inner)) return { id, text: joined(text, ' '), metadata }
  const { category, answers = [], answerable, evidence, ...others } = inner
  const isEvidence =
    Array.isArray(evidence) && evidence.length > 0 && evidence.every((one) => typeof one === 'string')
  const truth = { true: true, false: false }[String(own.answerable).toLowerCase()]
  return {
    id,
    text: joined(text, ' '),
    metadata: evidence === undefined || isEvidence ? others : { ...others, evidence },
    category: textsOf(own.category)[0] ?? category,
    answers:
      own.answers == null ? (typeof answers === 'string' ? [answers] : answers) : answersIn(own.answers),
    answerable: truth ?? own.answerable ?? answerable,
    ...(isEvidence && { evidence }),
  }
}

/** An object, or one as JSON. */
function mapIn(value: unknown): Record<string, unknown> | undefined {
  return ((typeof value === 'string' ? (jsonIn(value) ?? value) : value) ?? undefined) as never
}
