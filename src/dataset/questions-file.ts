import { basename, dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { UserError } from '../errors.ts'
import { sha256 } from '../store/hash.ts'
import { notUtf8, readBytes } from '../store/input.ts'
import { kindOf } from '../text/ids.ts'
import { isMap, jsonLocation, parseJson } from '../text/json.ts'
import { plainLines } from '../text/plain-lines.ts'
import { eachFileLine, reasonOf } from './lines.ts'
import { parseRecord } from './records.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Calls `take` for every question of a file that is one JSON array of objects, one object a line or a single object, plain
 * or gzip. In an array a question's place is its number, from 1.
 */
export async function eachQuestion(
  path: string,
  sink: DatasetSink,
  take: (fields: Fields, location: DataLocation) => void,
): Promise<void> {
  const file = basename(path)
  const text = /\.json(\.gz)?$/.test(file) ? wholeText(path, file, sink) : ''
  if (text === undefined) return
  // Files of one object a line are often called .json too.
  if (!text.trimStart().startsWith('[')) {
    const { value } = { value: undefined, ...parseJson(text) }
    return isMap(value) ? take(value, { file, line: 1 }) : lines(path, file, sink, take)
  }
  const { value: items, diagnostic } = { value: [], ...parseJson(text) }
  if (diagnostic) {
    const { message, offset } = diagnostic
    return sink.diagnostic({ file, ...(offset === undefined ? {} : jsonLocation(text, offset)), message })
  }
  ;(items as unknown[]).forEach((item, index) => {
    const location = { file: `${file}, question ${index + 1}` }
    if (isMap(item)) take(item, location)
    else sink.diagnostic({ ...location, message: `is not an object but ${kindOf(item)}` })
  })
}

export function wholeText(path: string, file: string, sink: DatasetSink): string | undefined {
  let bytes: Buffer | undefined
  try {
    bytes = readBytes(path)
    const plain = file.endsWith('.gz') ? gunzipSync(bytes) : bytes
    return plainLines(new TextDecoder('utf-8', { fatal: true }).decode(plain))
  } catch (error) {
    const { code } = error as { code?: string }
    const message =
      error instanceof UserError
        ? error.diagnostics[0].message
        : code === 'ERR_STRING_TOO_LONG'
          ? 'is too large for one JSON value; write one object per line'
          : code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
            ? notUtf8(bytes ?? new Uint8Array())
            : `cannot be read: ${reasonOf(code)}`
    sink.diagnostic({ file, message })
    return undefined
  }
}

async function lines(
  path: string,
  file: string,
  sink: DatasetSink,
  take: (fields: Fields, location: DataLocation) => void,
): Promise<void> {
  await eachFileLine(dirname(path), file, sink, (text, line) => {
    const fields = parseRecord(text, { file, line }, sink)
    if (fields) take(fields, { file, line })
  })
}

/**
 * Makes one corpus of the passages of all questions: equal title and text is one document. Its id is
 * the start of their SHA-256, so that a passage has the same id in every selection of questions.
 */
export function poolPassages(
  sink: DatasetSink,
): (title: string, text: string, location: DataLocation) => string {
  const seen = new Set<string>()
  return (title, text, location) => {
    const id = sha256(`${title}\n${text}`).slice(0, 16)
    if (!seen.has(id)) sink.document({ id, title, text, metadata: {} }, location)
    seen.add(id)
    return id
  }
}
