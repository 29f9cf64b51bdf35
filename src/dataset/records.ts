import { UserError } from '../errors.ts'
import { idError, kindOf } from '../text/ids.ts'
import { isMap, parseJson } from '../text/json.ts'
import { wellFormed } from '../text/well-formed.ts'
import type { Document, Json, JudgedQuery } from '../types.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

type Fields = Readonly<Record<string, unknown>>

const LIST = 'begins a JSON list; write each record of it on a line of its own (`jq -c ".[]"`)'
const SEVERAL_LINES =
  'begins a record that goes over several lines; write each record on one line (`jq -c .`)'

/** One line of a JSONL file as an object; an error and undefined where it is none. Throws where the file has another layout. */
export function parseRecord(
  text: string,
  location: DataLocation,
  sink: Pick<DatasetSink, 'diagnostic'>,
): Fields | undefined {
  const { value, diagnostic } = { value: undefined, ...parseJson(text) }
  if (diagnostic) {
    const { offset } = diagnostic
    const isSyntax = diagnostic.message.startsWith('is not valid JSON: ')
    if (isSyntax && /^\s*\[/.test(text)) throw new UserError({ ...location, message: LIST })
    if (isSyntax && /[[{,]\s*$/.test(text)) throw new UserError({ ...location, message: SEVERAL_LINES })
    const isNext = offset !== undefined && text[offset] === '{' && diagnostic.message.endsWith('after JSON')
    const message = isNext ? 'has several records; write each on a line of its own' : diagnostic.message
    sink.diagnostic({ ...location, ...(offset === undefined ? {} : { column: offset + 1 }), message })
    return undefined
  }
  if (isMap(value)) return value
  const message = Array.isArray(value) && isMap(value[0]) ? LIST : `is not a JSON object but ${kindOf(value)}`
  sink.diagnostic({ ...location, message })
  return undefined
}

/** A text field. Missing or null: `fallback`, or an error where there is none. Lone surrogates become U+FFFD, as they do in any file. */
export function textField(
  fields: Fields,
  name: string,
  location: DataLocation,
  sink: DatasetSink,
  fallback?: string,
): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (typeof value === 'string') return wellFormed(value)
  if (value === undefined || value === null) {
    if (fallback !== undefined) return fallback
    sink.diagnostic({ ...location, message: `has no "${name}"` })
  } else sink.diagnostic({ ...location, message: `"${name}" must be a string, not ${kindOf(value)}` })
  return undefined
}

/** An id: a text, or a whole number, read as its digits. Missing or anything else: an error and undefined. */
export function idField(
  fields: Fields,
  name: string,
  location: DataLocation,
  sink: DatasetSink,
): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  // Invalid texts are reported with all ids of the dataset.
  if (typeof value === 'string') return wellFormed(value)
  if (value === undefined) sink.diagnostic({ ...location, message: `has no "${name}"` })
  else {
    const wrong = idError(value)
    if (wrong === undefined) return String(value)
    sink.diagnostic({ ...location, message: `"${name}" ${wrong}` })
  }
  return undefined
}

/** Names of the fields that hold a record's id and text. */
export interface FieldNames {
  readonly id: string
  readonly text: string
}

/** A document from its fields; undefined, with errors, where a field is missing or of another kind. */
export function documentOf(
  fields: Fields,
  names: FieldNames,
  location: DataLocation,
  sink: DatasetSink,
): Document | undefined {
  const id = idField(fields, names.id, location, sink)
  const title = textField(fields, 'title', location, sink, '')
  const text = textField(fields, names.text, location, sink)
  const metadata = metadataOf(fields, location, sink)
  if (id === undefined || title === undefined || text === undefined || !metadata) return undefined
  return {
    id,
    title,
    text,
    metadata: { ...fieldsBeside(fields, [names.id, 'title', names.text]), ...metadata },
  }
}

/** Fields that a filter can read, without those that `taken` names: texts, numbers, truth values, lists of texts. */
export function fieldsBeside(fields: Fields, taken: readonly string[]): Readonly<Record<string, Json>> {
  const isValue = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, Json] =>
        !taken.includes(entry[0]) && (isValue(entry[1]) || (isTexts(entry[1]) && entry[1].length > 0)),
    ),
  )
}

/**
 * A query from its fields. What its metadata say of gold (`category`, `answers`, `answerable`, `evidence` as a list of texts) is removed,
 * so that it cannot reach a strategy.
 */
export function queryOf(
  fields: Fields,
  names: FieldNames,
  location: DataLocation,
  sink: DatasetSink,
): JudgedQuery | undefined {
  const id = idField(fields, names.id, location, sink)
  const text = textField(fields, names.text, location, sink)
  const found = metadataOf(fields, location, sink)
  if (!found) return undefined
  const { category = null, answers = [], answerable = true, evidence, ...others } = found
  const isEvidence = isTexts(evidence) && evidence.length > 0
  const metadata = evidence === undefined || isEvidence ? others : { ...others, evidence }
  const list = typeof answers === 'string' ? [answers] : answers
  const wrong = (field: string, kind: string, value: unknown) =>
    sink.diagnostic({ ...location, message: `"metadata.${field}" must be ${kind}, not ${kindOf(value)}` })
  if (category !== null && typeof category !== 'string') wrong('category', 'a string', category)
  else if (!isTexts(list)) wrong('answers', 'a list of strings', answers)
  else if (typeof answerable !== 'boolean') wrong('answerable', 'true or false', answerable)
  else if (id !== undefined && text !== undefined)
    return { id, text, metadata, category, answers: list, answerable, ...(isEvidence && { evidence }) }
  return undefined
}

/** Fields of a query that are read in its metadata alone. */
const SHOWN = 10
const IN_METADATA = ['category', 'answers', 'answerable', 'evidence']

/** Fields of queries that are read. */
const READ = ['_id', 'text', 'metadata']
const ANSWERS = /^(?:answer|(?:gold|reference|expected|correct)_?answers?|ground_?truths?)$/i

/** Counts queries with fields outside of their metadata where they are not read, and names all others; `close` says so. */
export function misplacedFields(
  file: string,
  sink: Pick<DatasetSink, 'notice'>,
  read: readonly string[] = READ,
): { see(fields: Fields): void; close(): void } {
  const names = new Set<string>()
  const unread = new Set<string>()
  let queries = 0
  let excluding = 0
  return {
    see(fields) {
      const within = isMap(fields.metadata) ? fields.metadata : {}
      const lost = IN_METADATA.filter((name) => fields[name] !== undefined && within[name] === undefined)
      for (const name of lost) names.add(name)
      if (lost.length > 0) queries++
      for (const [name, value] of Object.entries(fields))
        if (![...read, ...IN_METADATA].includes(name) && (value ?? '') !== '') unread.add(`"${name}"`)
      if (within.answers === undefined)
        for (const name of Object.keys(within)) if (ANSWERS.test(name)) unread.add(`"metadata.${name}"`)
      // BRIGHT writes "N/A" for none.
      const isExcluded = (id: unknown) => id !== 'N/A'
      if (
        [fields, within].some((one) => Array.isArray(one.excluded_ids) && one.excluded_ids.some(isExcluded))
      )
        excluding++
    },
    close() {
      if (excluding > 0)
        sink.notice(
          `${file}: ${excluding === 1 ? '1 query names' : `${excluding} queries name`} documents that BRIGHT leaves out of their rankings ("excluded_ids"); here they stay, so scores are lower than with BRIGHT's own program`,
        )
      if (unread.size > 0)
        sink.notice(
          `${file}: not read of queries: ${[...unread].slice(0, SHOWN).join(', ')}${unread.size > SHOWN ? ` and ${unread.size - SHOWN} more` : ''}; answers are read from "metadata": {"answers": [...]}`,
        )
      const list = [...names].map((name) => `"${name}"`).join(', ')
      if (queries > 0)
        sink.notice(
          `${file}: ${queries === 1 ? '1 query has' : `${queries} queries have`} ${list} outside of "metadata" and so not read; move ${names.size === 1 ? 'it' : 'them'} there`,
        )
    },
  }
}

function metadataOf(
  fields: Fields,
  location: DataLocation,
  sink: DatasetSink,
): Readonly<Record<string, Json>> | undefined {
  const value = fields.metadata ?? {}
  if (isMap(value)) return value as Record<string, Json>
  sink.diagnostic({ ...location, message: `"metadata" must be an object, not ${kindOf(value)}` })
  return undefined
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
