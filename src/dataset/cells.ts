import { UserError } from '../errors.ts'
import { isBrokenList, jsonIn, pythonTexts } from '../text/json.ts'
import type { Json } from '../types.ts'

/** Values of a cell or field, which programs write in many forms. A value that cannot be read is a UserError without a place. */

export interface Passage {
  readonly title?: string
  readonly text: string
}

/** Passages in a cell: a text, a list of texts, a list of objects with a text, or one of these as JSON or as Python prints it. */
export function passagesIn(value: Json | undefined): Passage[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'string') {
    const text = value.trim()
    if (text === '') return []
    const list =
      text.startsWith('[') || text.startsWith('{') ? (jsonIn(text) ?? pythonTexts(text)) : undefined
    return list === undefined ? [{ text: value }] : passagesIn(list)
  }
  if (Array.isArray(value)) return value.flatMap((one: Json) => passagesIn(one))
  if (typeof value !== 'object') return [{ text: String(value) }]
  const fields = value as Readonly<Record<string, Json | undefined>>
  const key = ['text', 'content', 'page_content', 'pageContent', 'passage'].find(
    (name) => typeof fields[name] === 'string',
  )
  if (key === undefined) return []
  return [{ text: String(fields[key]), ...(typeof fields.title === 'string' ? { title: fields.title } : {}) }]
}

/** Texts in a cell: `x`, `["x", "y"]`. */
export function textsOf(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json) => textsOf(one))
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  return typeof value === 'string' && value.trim() !== '' ? [value] : []
}

/** A quoted word in brackets, and more text: `["Buyer"] pays`. */
const BRACKETED = /^\[\s*(?:'[^'\\]*'|"[^"\\]*")\s*\]\s*[^\s\],)]/

/**
 * Answers in a cell: texts, or a list of them as JSON or Python prints it. Throws a UserError for a list that cannot be parsed, or
 * that mixes texts with other values. A list of numbers is one answer: an interval, or a citation.
 */
export function answersIn(value: Json | undefined): string[] {
  if (typeof value !== 'string') return textsOf(value)
  const text = value.trim()
  const list = jsonIn(text) ?? pythonTexts(text)
  const texts = Array.isArray(list) ? list.filter((one: Json) => typeof one === 'string') : undefined
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
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(joint) : value
}
