import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import { diagnosticsOf, UserError } from '../errors.ts'
import { notUtf8, readPlainOrGzip, requireFile } from '../store/input.ts'
import { plainLines } from '../text/characters.ts'
import type { DatasetSink } from './sink.ts'

/**
 * Calls `take` for every line of a text file that is not blank, with its number from 1: plain or gzip, with or without
 * byte order marks, LF, CRLF or CR. Streams, so that a file of any size fits. What cannot be read (broken gzip, bytes that
 * are not UTF-8) is an error with its place. Resolves to the number of lines that were given.
 */
export async function eachFileLine(
  folder: string,
  file: string,
  sink: Pick<DatasetSink, 'diagnostic'>,
  take: (text: string, line: number) => void,
): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  let given = 0
  let rest = ''
  let start: Uint8Array = new Uint8Array()
  const give = (text: string) => {
    line++
    const content = text.slice(text.startsWith('\ufeff') ? 1 : 0, text.endsWith('\r') ? -1 : undefined)
    if (content.trim() === '') return
    given++
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
    // Not known to be empty.
    return Math.max(1, given)
  }
  return given
}

/** Text of a file, plain or gzip; undefined after an error. */
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

/** Reason in words for an error of reading a file, plain or gzip. */
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
