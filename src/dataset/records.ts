import { parseJson } from '../text/json.ts'
import { wellFormed } from '../text/well-formed.ts'
import type { Document, Json, JudgedQuery } from '../types.ts'
import type { Intake, Place } from './intake.ts'

type Fields = Readonly<Record<string, unknown>>

/** One line of a JSONL file as an object; a mistake and undefined where it is none. */
export function parseRecord(text: string, place: Place, intake: Intake): Fields | undefined {
  const { value, mistake } = { value: undefined, ...parseJson(text) }
  if (mistake) {
    const { message, offset } = mistake
    intake.mistake({ ...place, ...(offset === undefined ? {} : { column: offset + 1 }), message })
    return undefined
  }
  if (isRecord(value)) return value
  intake.mistake({ ...place, message: `is not a JSON object but ${kindOf(value)}` })
  return undefined
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text field. Missing or null: `fallback`, or a mistake where there is none. Lone surrogates become U+FFFD, as they do in any file. */
export function textField(
  fields: Fields,
  name: string,
  place: Place,
  intake: Intake,
  fallback?: string,
): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (typeof value === 'string') return wellFormed(value)
  if (value === undefined || value === null) {
    if (fallback !== undefined) return fallback
    intake.mistake({ ...place, message: `has no "${name}"` })
  } else intake.mistake({ ...place, message: `"${name}" must be a string, not ${kindOf(value)}` })
  return undefined
}

/** A document from its fields; undefined, with mistakes, where a field is missing or of another kind. */
export function documentOf(
  fields: Fields,
  names: { id: string },
  place: Place,
  intake: Intake,
): Document | undefined {
  const id = textField(fields, names.id, place, intake)
  const title = textField(fields, 'title', place, intake, '')
  const text = textField(fields, 'text', place, intake)
  const metadata = metadataOf(fields, place, intake)
  if (id === undefined || title === undefined || text === undefined || !metadata) return undefined
  return { id, title, text, metadata }
}

/**
 * A query from its fields. What its metadata say of gold (`category`, `answers`, `answerable`) is taken out, so that it
 * cannot reach a strategy.
 */
export function queryOf(
  fields: Fields,
  names: { id: string },
  place: Place,
  intake: Intake,
): JudgedQuery | undefined {
  const id = textField(fields, names.id, place, intake)
  const text = textField(fields, 'text', place, intake)
  const found = metadataOf(fields, place, intake)
  if (!found) return undefined
  const { category = null, answers = [], answerable = true, ...metadata } = found
  const list = typeof answers === 'string' ? [answers] : answers
  const wrong = (field: string, kind: string, value: unknown) =>
    intake.mistake({ ...place, message: `"metadata.${field}" must be ${kind}, not ${kindOf(value)}` })
  if (category !== null && typeof category !== 'string') wrong('category', 'a string', category)
  else if (!isTexts(list)) wrong('answers', 'a list of strings', answers)
  else if (typeof answerable !== 'boolean') wrong('answerable', 'true or false', answerable)
  else if (id !== undefined && text !== undefined)
    return { id, text, metadata, category, answers: list, answerable }
  return undefined
}

function metadataOf(
  fields: Fields,
  place: Place,
  intake: Intake,
): Readonly<Record<string, Json>> | undefined {
  const value = fields.metadata ?? {}
  if (isRecord(value)) return value as Record<string, Json>
  intake.mistake({ ...place, message: `"metadata" must be an object, not ${kindOf(value)}` })
  return undefined
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)}`
}
