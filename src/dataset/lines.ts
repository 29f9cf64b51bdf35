import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import { diagnosticsOf, UserError } from '../errors.ts'
import { notUtf8, readPlainOrGzip, requireFile } from '../store/input.ts'
import { plainLines } from '../text/characters.ts'
import { isMap, jsonLocation, parseJson } from '../text/json.ts'
import type { Json } from '../types.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

/**
 * Calls `take` for every line that is not blank, with its number from 1: plain or gzip, with or without byte order marks, LF, CRLF or
 * CR. Streams. Errors of reading have their place. Resolves to the number of lines that were given.
 */
export async function eachFileLine(
  folder: string,
  file: string,
  sink: Pick<DatasetSink, 'diagnostic'>,
  take: (text: string, line: number) => void,
): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  let emitted = 0
  let rest = ''
  let start: Uint8Array = new Uint8Array()
  const give = (text: string) => {
    line++
    const content = text.slice(text.startsWith('\ufeff') ? 1 : 0, text.endsWith('\r') ? -1 : undefined)
    if (content.trim() === '') return
    emitted++
    take(content, line)
  }
  try {
    requireFile(resolve(folder, file))
    const raw = createReadStream(resolve(folder, file), { highWaterMark: 1 << 20 })
    const bytes = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw
    // A pipe does not hand on the source's errors.
    raw.on('error', (error) => bytes.destroy(error))
    for await (const chunk of bytes) {
      if (start.length === 0) start = chunk.subarray(0, 4)
      const lines = (rest + decode(decoder, chunk)).split('\n')
      rest = lines.pop() as string
      for (const text of lines) give(text)
    }
    rest += decode(decoder)
    for (const text of plainLines(rest).split('\n')) give(text)
  } catch (error) {
    if (error instanceof NotUtf8)
      sink.diagnostic({
        file,
        line: line + 1,
        message: notUtf8(start, 'is not UTF-8 from here on; save the file as UTF-8'),
      })
    else if (error instanceof UserError)
      for (const diagnostic of error.diagnostics) sink.diagnostic({ ...diagnostic, file })
    else if (error instanceof RangeError && /string length/.test(error.message))
      sink.diagnostic({
        file,
        line: line + 1,
        message: 'is too long a line to be read; write one object per line',
      })
    else if (isSystemError(error))
      sink.diagnostic({ file, message: `cannot be read: ${reasonOf(error.code)}` })
    else throw error
    return Math.max(1, emitted)
  }
  return emitted
}

export function wholeText(
  path: string,
  file: string,
  sink: Pick<DatasetSink, 'diagnostic'>,
): string | undefined {
  try {
    return readPlainOrGzip(path)
  } catch (error) {
    for (const diagnostic of diagnosticsOf(error)) sink.diagnostic({ ...diagnostic, file })
    return undefined
  }
}

function reasonOf(code: string | undefined): string {
  if (code === 'Z_BUF_ERROR') return 'the gzip file is cut off'
  return code === 'Z_DATA_ERROR' ? 'it is no gzip file, or a damaged one' : String(code)
}

class NotUtf8 extends Error {}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw new NotUtf8()
  }
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string' && 'errno' in error
}

export type Fields = Readonly<Record<string, Json>>
export type TakeFields = (fields: Fields, location: DataLocation) => void

/**
 * Calls `take` for every record of a JSON file, plain or gzip: an object a line, a list of objects, or objects over several lines.
 * Streams. Resolves to the number of records and errors.
 */
export async function eachJsonRecord(
  folder: string,
  file: string,
  sink: Pick<DatasetSink, 'diagnostic'>,
  take: TakeFields,
): Promise<number> {
  let records = 0
  let last = 0
  const give = (text: string, line: number, parsed = parseJson(text)) => {
    records++
    // The number tells several records of a line apart.
    const location = line === last ? { file: `${file}, record ${records}` } : { file, line }
    last = line
    const { diagnostic } = parsed
    if (!diagnostic && isMap(parsed.value)) return take(parsed.value as Fields, location)
    const { message, offset } = { offset: undefined, message: `is no JSON object`, ...diagnostic }
    const place = 'line' in location && offset !== undefined ? jsonLocation(text, offset) : undefined
    sink.diagnostic({
      ...location,
      ...(place && { line: line + place.line - 1, column: place.column }),
      message,
    })
  }
  const scan = createScan(give, (line, message) => {
    records++
    sink.diagnostic({ file, line, message })
  })
  const lines = await eachFileLine(folder, file, sink, scan.line)
  scan.end()
  // A file that could not be read is not known to be empty.
  return scan.isBegun() ? records : lines
}

/** Cuts lines into top-level objects by brackets and quotes. The rest after something else is not read. */
function createScan(
  give: (text: string, line: number, parsed?: ReturnType<typeof parseJson>) => void,
  wrong: (line: number, message: string) => void,
) {
  let parts: string[] = []
  let first = 0
  let depth = 0
  let last = 0
  let list: number | undefined
  let state: 'before' | 'records' | 'closed' | 'broken' = 'before'

  function line(text: string, number: number) {
    last = number
    let start = 0
    let quoted = false
    // Most files hold one object a line: its end need not be searched.
    const isWhole = /^\s*\{/.test(text) && /\}\s*,?\s*$/.test(text.slice(-20))
    if (depth === 0 && state !== 'closed' && state !== 'broken' && isWhole) {
      const whole = list === undefined ? text : text.replace(/,\s*$/, '')
      const parsed = parseJson(whole)
      if (!parsed.diagnostic?.message.startsWith('is not valid JSON')) {
        if (state === 'before') state = 'records'
        return give(whole, number, parsed)
      }
    }
    for (let at = 0; at < text.length && state !== 'broken'; at++) {
      const character = text[at]
      if (depth > 0) {
        if (quoted) {
          if (character === '\\') at++
          else if (character === '"') quoted = false
        } else if (character === '"') quoted = true
        else if (character === '{' || character === '[') depth++
        else if ((character === '}' || character === ']') && --depth === 0) {
          give([...parts, text.slice(start, at + 1)].join('\n'), first)
          parts = []
        }
      } else if (character === '{' && state !== 'closed') {
        depth = 1
        first = number
        start = at
        if (state === 'before') state = 'records'
      } else if (character === '[' && state === 'before') {
        state = 'records'
        list = number
      } else if (character === ']' && state === 'records' && list !== undefined) state = 'closed'
      else if (!/\s/.test(character) && !(character === ',' && list !== undefined && state === 'records')) {
        // Each line of a file that is no JSON would be an error.
        if (state === 'before' || list !== undefined || state === 'closed') state = 'broken'
        const isValue = /["\d[tfn-]/.test(character)
        const { diagnostic } = { diagnostic: undefined, ...(isValue ? undefined : parseJson(text.slice(at))) }
        wrong(number, diagnostic?.message ?? `is not a record here, but \`${text.slice(at, at + 40)}\``)
        return
      }
    }
    if (depth === 0) return
    // An object over several lines is cut behind a bracket or comma. Otherwise only this line is broken.
    if (list === undefined && first === number && !/[[{,]\s*$/.test(text)) {
      depth = 0
      give(text.slice(start), number)
    } else parts.push(text.slice(start))
  }

  function end() {
    const cut = 'the file seems to be cut'
    if (state === 'broken') return
    if (depth > 0) wrong(last, `ends within the record that begins in line ${first}: ${cut}`)
    else if (list !== undefined && state !== 'closed')
      wrong(last, `the list that begins in line ${list} has no end: ${cut}`)
  }

  return { line, end, isBegun: () => state !== 'before' }
}
