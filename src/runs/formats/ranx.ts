import { kindOf } from '../../text/ids.ts'
import { isMap, jsonLocation, parseJson } from '../../text/json.ts'
import { eachRunLine } from '../lines.ts'
import { bestFirst, byId } from '../order.ts'
import { isJson } from '../sniff.ts'
import { defineRunFormat, type QrelsSink, type RunSink, type RunSource } from '../types.ts'
import { refuseGroups, writeText } from '../write.ts'

/** ranx's JSON: `{query: {document: score}}`, and the same with grades for qrels; MTEB's predictions of one split. */
export const ranx = defineRunFormat({
  name: 'ranx',
  summary: "JSON {query: {document: score}}, and the same with grades: ranx, MTEB's predictions",
  extension: '.json',
  detect: ({ bytes }) => isJson(bytes),
  readRun(source, into) {
    eachPair(source, into, (query, id, score) => {
      if (typeof score === 'number') into.entry(query, id, score)
      else
        into.diagnostic(
          `the score of \`${id}\` for the query \`${query}\` must be a number, not ${kindOf(score)}`,
        )
    })
  },
  readQrels(source, into) {
    eachPair(source, into, (query, id, grade) => {
      if (typeof grade === 'number') into.qrel(query, id, grade)
      else
        into.diagnostic(
          `the grade of \`${id}\` for the query \`${query}\` must be a number, not ${kindOf(grade)}`,
        )
    })
  },
  writeRun(path, { queries }) {
    const rows = byId(queries).map(([query, entries]) => {
      const pairs = bestFirst(entries).map(
        (index) => `${JSON.stringify(entries.ids[index])}:${entries.scores[index]}`,
      )
      return `${JSON.stringify(query)}:{${pairs.join(',')}}`
    })
    writeText(path, `{${rows.join(',\n')}}\n`)
  },
  writeQrels(path, { qrels, groups }) {
    refuseGroups(path, groups)
    const rows = byId(qrels).map(([query, judged]) => {
      const pairs = byId(judged).map(([id, grade]) => `${JSON.stringify(id)}:${grade}`)
      return `${JSON.stringify(query)}:{${pairs.join(',')}}`
    })
    writeText(path, `{${rows.join(',\n')}}\n`)
  },
})

function eachPair(
  source: RunSource,
  into: RunSink | QrelsSink,
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
    into.diagnostic(message, offset === undefined ? brokenLine(lines) : jsonLocation(text, offset).line)
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
function mtebRun(parsed: Record<string, unknown>, into: RunSink | QrelsSink): Record<string, unknown> {
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

/**
 * The line where a JSON text stops being the beginning of one. The engine does not always say where it stopped, but it
 * does say whether a text merely ended too early, so the first broken line is found by halving.
 */
function brokenLine(lines: readonly string[]): number {
  let good = 0
  let bad = lines.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (endsEarly(lines.slice(0, middle).join('\n'))) good = middle
    else bad = middle
  }
  return bad
}

function endsEarly(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as SyntaxError
    const [, position] = /position (\d+)/.exec(message) ?? []
    return /end of JSON|Unterminated/.test(message) || Number(position) >= text.length
  }
}
