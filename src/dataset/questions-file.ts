import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sha256 } from '../store/hash.ts'
import type { Intake, Place } from './intake.ts'
import { eachLine } from './lines.ts'
import { isRecord, jsonMistake, kindOf, parseRecord } from './records.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Calls `take` for every question of a file that is either one JSON array of objects or one object a line, plain or
 * gzip. In an array a question's place is its number, from 1.
 */
export async function eachQuestion(
  path: string,
  intake: Intake,
  take: (fields: Fields, place: Place) => void,
): Promise<void> {
  const file = basename(path)
  const text = /\.json(\.gz)?$/.test(file) ? wholeText(path, file, intake) : ''
  if (text === undefined) return
  // Files of one object a line are often called .json too.
  if (!text.trimStart().startsWith('[')) return lines(path, file, intake, take)
  let items: unknown[]
  try {
    items = JSON.parse(text)
  } catch (error) {
    const { message, column } = jsonMistake(error)
    const above = text.slice(0, (column ?? 1) - 1).split('\n')
    const at = column === undefined ? {} : { line: above.length, column: (above.at(-1) ?? '').length + 1 }
    return intake.mistake({ file, ...at, message })
  }
  items.forEach((item, index) => {
    const place = { file: `${file}, question ${index + 1}` }
    if (isRecord(item)) take(item, place)
    else intake.mistake({ ...place, message: `is not an object but ${kindOf(item)}` })
  })
}

function wholeText(path: string, file: string, intake: Intake): string | undefined {
  try {
    const bytes = readFileSync(path)
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const { code } = error as { code?: string }
    const large = code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE'
    const advice = large
      ? 'is too large for one JSON text; write one object a line'
      : `cannot be read: ${code}`
    intake.mistake({ file, message: advice })
    return undefined
  }
}

function lines(
  path: string,
  file: string,
  intake: Intake,
  take: (fields: Fields, place: Place) => void,
): Promise<void> {
  return eachLine(dirname(path), file, intake, (text, line) => {
    const fields = parseRecord(text, { file, line }, intake)
    if (fields) take(fields, { file, line })
  })
}

/**
 * Makes one corpus of the passages that stand beside each question: equal title and text is one document. Its id is
 * the start of their SHA-256, so that a passage has the same id in every selection of questions.
 */
export function poolPassages(intake: Intake): (title: string, text: string, place: Place) => string {
  const seen = new Set<string>()
  return (title, text, place) => {
    const id = sha256(`${title}\n${text}`).slice(0, 16)
    if (!seen.has(id)) intake.document({ id, title, text, metadata: {} }, place)
    seen.add(id)
    return id
  }
}
