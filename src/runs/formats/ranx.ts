import { addTo } from '../../maps.ts'
import { kindOf } from '../../text/ids.ts'
import { isMap, jsonLocation, parseJson } from '../../text/json.ts'
import { writeText } from '../source.ts'
import type { RowSink, RunFormat } from '../types.ts'

/** ranx's JSON: `{query: {document: score}}`, and the same with grades for qrels; MTEB's predictions of one split. */
export const ranx: RunFormat = {
  name: 'ranx',
  summary: "JSON {query: {document: score}}, and the same with grades: ranx, MTEB's predictions",
  extension: '.json',
  detect: ({ isJson }) => isJson,
  read(source, into, kind) {
    for (const [query, pairs] of Object.entries(rankingsIn(source.text(), into) ?? {}))
      if (!isMap(pairs)) into.diagnostic(`the query \`${query}\` must be an object {document: number}`)
      else
        for (const [id, value] of Object.entries(pairs)) {
          if (typeof value === 'number') into.take(query, id, value)
          else
            into.diagnostic(
              `the ${kind === 'run' ? 'score' : 'grade'} of \`${id}\` for the query \`${query}\` must be a number, not ${kindOf(value)}`,
            )
        }
  },
  writes: ['run', 'qrels'],
  write(path, rows) {
    const pairs = new Map<string, string[]>()
    for (const { query, id, value } of rows) {
      addTo(pairs, query, `${JSON.stringify(id)}:${value}`)
    }
    const lines = [...pairs].map(([query, ofQuery]) => `${JSON.stringify(query)}:{${ofQuery.join(',')}}`)
    writeText(path, `{${lines.join(',\n')}}\n`)
  },
}

/** Maps of numbers by query; undefined for an empty file and after an error. */
function rankingsIn(text: string, into: RowSink): Record<string, unknown> | undefined {
  if (text === '') return undefined
  const { value, diagnostic } = parseJson(text)
  if (diagnostic && isMap(parseJson(text.split('\n', 1)[0]).value))
    return void into.diagnostic(
      'holds a JSON object in each line; write one object {query: {document: number}}, or a table with a header (query_id, document_id, score); `{trajectory: FILE}` reads calls of an agent',
      1,
    )
  if (diagnostic) {
    const { message, offset = text.trimEnd().length } = diagnostic
    return void into.diagnostic(message, jsonLocation(text, offset).line)
  }
  if (!isMap(value)) return void into.diagnostic('must be an object {query: {document: number}}')
  return 'mteb_model_meta' in value ? mtebRun(value, into) : value
}

/** Rankings in MTEB's predictions, `{mteb_model_meta, subset: {split: {query: {document: score}}}}`; undefined after an error. */
function mtebRun(parsed: Record<string, unknown>, into: RowSink): Record<string, unknown> | undefined {
  const runs = Object.entries(parsed).flatMap(([subset, splits]) =>
    subset !== 'mteb_model_meta' && isMap(splits)
      ? Object.entries(splits).map(([split, run]) => ({ name: `${subset}.${split}`, run }))
      : [],
  )
  if (runs.length === 1 && isMap(runs[0].run)) return runs[0].run
  return void into.diagnostic(
    runs.length === 0
      ? 'are predictions of MTEB without a subset and split'
      : `are predictions of MTEB for ${runs.map(({ name }) => name).join(', ')}; write one of them into a file of its own, as with \`jq .${runs[0].name}\``,
  )
}
