import { kindOf } from '../../text/ids.ts'
import { isMap, jsonLocation, parseJson } from '../../text/json.ts'
import { eachRunLine } from '../lines.ts'
import { isJson } from '../sniff.ts'
import type { RowSink, RunFormat, RunSource } from '../types.ts'
import { writeText } from '../write.ts'

/** ranx's JSON: `{query: {document: score}}`, and the same with grades for qrels; MTEB's predictions of one split. */
export const ranx: RunFormat = {
  name: 'ranx',
  summary: "JSON {query: {document: score}}, and the same with grades: ranx, MTEB's predictions",
  extension: '.json',
  detect: ({ bytes }) => isJson(bytes),
  read(source, into, kind) {
    eachPair(source, into, (query, id, value) => {
      if (typeof value === 'number') into.take(query, id, value)
      else
        into.diagnostic(
          `the ${kind === 'run' ? 'score' : 'grade'} of \`${id}\` for the query \`${query}\` must be a number, not ${kindOf(value)}`,
        )
    })
  },
  writes: ['run', 'qrels'],
  write(path, rows) {
    const pairs = new Map<string, string[]>()
    for (const { query, id, value } of rows) {
      const ofQuery = pairs.get(query) ?? []
      ofQuery.push(`${JSON.stringify(id)}:${value}`)
      pairs.set(query, ofQuery)
    }
    const lines = [...pairs].map(([query, ofQuery]) => `${JSON.stringify(query)}:{${ofQuery.join(',')}}`)
    writeText(path, `{${lines.join(',\n')}}\n`)
  },
}

function eachPair(
  source: RunSource,
  into: RowSink,
  take: (query: string, id: string, value: unknown) => void,
): void {
  const lines: string[] = []
  eachRunLine(source, into, (text) => void lines.push(text))
  // Bytes that are not UTF-8, or none.
  if (lines.length === 0) return
  const text = lines.join('\n')
  const { value: parsed, diagnostic } = { value: undefined, ...parseJson(text) }
  if (diagnostic && isMap(jsonOf(lines[0]))) {
    into.diagnostic(
      'holds a JSON object in each line; write one object {query: {document: number}}, or a table with a header (query_id, document_id, score)',
      1,
    )
    return
  }
  if (diagnostic) {
    const { message, offset } = diagnostic
    into.diagnostic(message, offset === undefined ? lines.length : jsonLocation(text, offset).line)
    return
  }
  if (!isMap(parsed)) {
    into.diagnostic('must be an object {query: {document: number}}')
    return
  }
  const whole = 'mteb_model_meta' in parsed ? mtebRun(parsed, into) : parsed
  for (const [query, pairs] of Object.entries(whole)) {
    if (isMap(pairs)) for (const [id, value] of Object.entries(pairs)) take(query, id, value)
    else into.diagnostic(`the query \`${query}\` must be an object {document: number}`)
  }
}

const jsonOf = (text: string): unknown => ({ value: undefined, ...parseJson(text) }).value

/** Rankings in MTEB's predictions, `{mteb_model_meta, subset: {split: {query: {document: score}}}}`; none after an error. */
function mtebRun(parsed: Record<string, unknown>, into: RowSink): Record<string, unknown> {
  const found = Object.entries(parsed).flatMap(([subset, splits]) =>
    subset !== 'mteb_model_meta' && isMap(splits)
      ? Object.entries(splits).map(([split, run]) => ({ name: `${subset}.${split}`, run }))
      : [],
  )
  const [{ run }, ...others] = found.length > 0 ? found : [{ run: undefined }]
  if (others.length === 0 && isMap(run)) return run
  into.diagnostic(
    found.length === 0
      ? 'are predictions of MTEB without a subset and split'
      : `are predictions of MTEB for ${found.map(({ name }) => name).join(', ')}; write one of them into a file of its own, as with \`jq .${found[0].name}\``,
  )
  return {}
}
