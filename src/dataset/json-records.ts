import { isMap, jsonLocation, parseJson } from '../text/json.ts'
import type { Json } from '../types.ts'
import { eachFileLine } from './lines.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

export type Fields = Readonly<Record<string, Json>>
export type TakeFields = (fields: Fields, location: DataLocation) => void

/**
 * Calls `take` for every record of a JSON file, plain or gzip: one object a line, a list of objects, or objects over several
 * lines. Streams, so that a file of any size fits. Resolves to the number of records, and of errors.
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

/**
 * Cuts lines into top-level objects by brackets and quotes. A line that is one object is parsed at once. After something that
 * is neither an object nor a separator of two, the rest is not read.
 */
function createScan(
  give: (text: string, line: number, parsed?: ReturnType<typeof parseJson>) => void,
  wrong: (line: number, message: string) => void,
) {
  let parts: string[] = []
  let first = 0
  let depth = 0
  let last = 0
  /** Line at which the list begins. */
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
    // An object over several lines is cut behind a bracket or comma. Else the line is broken, and the next ones are not.
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
