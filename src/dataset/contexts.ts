import { isMap } from '../text/json.ts'
import { isBrokenList, jsonIn, pythonTexts } from '../text/printed-lists.ts'
import { wellFormed } from '../text/well-formed.ts'
import type { Json } from '../types.ts'
import { poolPassages } from './questions-file.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

/** Questions that bring their contexts along, in data sets without a corpus: the corpus is the union of the contexts. */

export interface Passage {
  readonly title?: string
  readonly text: string
}

interface ContextQuestion {
  /** Number of the row if the file has no ids. */
  readonly id: string
  readonly text: string
  readonly answers: readonly string[]
  readonly category?: string | null
  /** Contexts that support the answer: the gold. */
  readonly gold: readonly Passage[]
}

/** Adds questions with their contexts to a sink; equal contexts are one document. Questions without context are counted. */
export function takeContexts(sink: DatasetSink): {
  add(question: ContextQuestion, location: DataLocation): void
  passage(passage: Passage, location: DataLocation): string
  close(): void
} {
  const pool = poolPassages(sink)
  let given = 0
  let bare = 0
  const seen = new Set<string>()
  const passage = ({ title = '', text }: Passage, location: DataLocation) => {
    const id = pool(wellFormed(title), wellFormed(text), location)
    given++
    seen.add(id)
    return id
  }
  return {
    passage,
    add({ id, text, answers, category = null, gold }, location) {
      const known = answers.map(wellFormed)
      sink.query(
        {
          id: wellFormed(id),
          text: wellFormed(text),
          metadata: {},
          category,
          answers: known,
          answerable: true,
        },
        location,
      )
      const ids = new Set(gold.map((one) => passage(one, location)))
      if (ids.size === 0) bare++
      for (const one of ids) sink.qrel({ queryId: wellFormed(id), id: one, grade: 1 }, location)
    },
    close() {
      if (seen.size > 0)
        sink.notice(
          `the corpus is the union of the questions' contexts: ${seen.size} distinct of ${given}; a corpus without other documents is easier to search than a real one`,
        )
      if (bare > 0) sink.notice(`${bare} questions have no context that could be gold`)
    },
  }
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
 * Answers in a cell: texts, or a list of them as JSON or Python prints it. Undefined for a list that cannot be parsed, or that
 * mixes texts with other values. A list of numbers is one answer: an interval, or a citation.
 */
export function answersIn(value: Json | undefined): string[] | undefined {
  if (typeof value !== 'string') return textsOf(value)
  const text = value.trim()
  const list = jsonIn(text) ?? pythonTexts(text)
  const texts = Array.isArray(list) ? list.filter((one: Json) => typeof one === 'string') : undefined
  if (Array.isArray(list) && texts?.length === list.length) return textsOf(list)
  const isBroken = texts === undefined ? isBrokenList(text) && !BRACKETED.test(text) : texts.length > 0
  return isBroken ? undefined : textsOf(value)
}

export function brokenAnswers(value: Json | undefined): string {
  return `the answer is no readable list: ${JSON.stringify(String(value).slice(0, 60))}; write it as a JSON list of texts`
}

/** The texts in a cell, joined; an error and undefined for an object, whose parts may be anything. */
export function textIn(
  value: Json,
  role: string,
  location: DataLocation,
  sink: DatasetSink,
  joint = '\n',
): string | undefined {
  const wrong = [value].flat(9).find(isMap)
  if (!wrong) return textsOf(value).join(joint)
  sink.diagnostic({
    ...location,
    message: `the ${role} must be a text, not an object with ${Object.keys(wrong).slice(0, 8).join(', ')}`,
  })
  return undefined
}
