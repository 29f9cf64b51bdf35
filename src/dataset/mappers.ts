import { UserError } from '../errors.ts'
import { isBrokenList, isMap, jsonIn, pythonTexts } from '../text/json.ts'
import type { Json } from '../types.ts'
import { isFilterable } from './columns.ts'
import type { DocumentRecord, QuestionRecord, RecordContext, Values } from './format.ts'

export interface Passage {
  readonly title?: string
  readonly text: string
}

/** Passages in a cell: a text, a list of texts or of objects with a text, or one of these as JSON or as Python prints it. */
export function passagesIn(value: Json | undefined): Passage[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'string') {
    const text = value.trim()
    if (text === '') return []
    const list = jsonIn(text) ?? pythonTexts(text)
    return list === undefined ? [{ text: value }] : passagesIn(list)
  }
  if (Array.isArray(value)) return value.flatMap((item: Json) => passagesIn(item))
  if (typeof value !== 'object') return [{ text: String(value) }]
  const fields = value as Readonly<Record<string, Json | undefined>>
  const key = ['text', 'content', 'page_content', 'pageContent', 'passage'].find(
    (name) => typeof fields[name] === 'string',
  )
  if (key === undefined) return []
  return [{ text: String(fields[key]), ...(typeof fields.title === 'string' && { title: fields.title }) }]
}

export function textsOf(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => textsOf(item))
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  return typeof value === 'string' && value.trim() !== '' ? [value] : []
}

/** A quoted word in brackets, and more text: `["Buyer"] pays`. */
const BRACKETED = /^\[\s*(?:'[^'\\]*'|"[^"\\]*")\s*\]\s*[^\s\],)]/

/**
 * Answers in a cell: texts, or a list of them as JSON or Python prints it; a list of numbers is one answer. Throws a UserError for a
 * list that cannot be parsed or mixes texts with other values.
 */
export function answersIn(value: Json | undefined): string[] {
  if (typeof value !== 'string') return textsOf(value)
  const text = value.trim()
  const list = jsonIn(text) ?? pythonTexts(text)
  const texts = Array.isArray(list) ? list.filter((item: Json) => typeof item === 'string') : undefined
  if (Array.isArray(list) && texts?.length === list.length) return textsOf(list)
  const isBroken = texts === undefined ? isBrokenList(text) && !BRACKETED.test(text) : texts.length > 0
  if (isBroken)
    throw new UserError(
      `the answer is no readable list: ${JSON.stringify(value.slice(0, 60))}; write it as a JSON list of texts`,
    )
  return textsOf(value)
}

/** A list of texts as one text, null as ''; any other value as it is, for the schema to judge. */
export function joined(value: Json | undefined, joint = '\n'): Json | undefined {
  if (value === null) return ''
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(joint) : value
}

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
 * A question. `category`, `answers`, `answerable` and `evidence` come from their columns or the metadata, and are removed there, so
 * that they cannot reach a strategy.
 */
export function questionOf({ id, text, metadata, ...own }: Values): QuestionRecord {
  const inner = mapIn(metadata) ?? {}
  if (!isMap(inner)) return { id, text: joined(text, ' '), metadata }
  const { category, answers = [], answerable, evidence, ...others } = inner
  const isEvidence =
    Array.isArray(evidence) && evidence.length > 0 && evidence.every((item) => typeof item === 'string')
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

function mapIn(value: unknown): Record<string, unknown> | undefined {
  return ((typeof value === 'string' ? (jsonIn(value) ?? value) : value) ?? undefined) as never
}
