import { isMap } from '../text/json.ts'
import type { Ranking } from '../types.ts'

/** Returns why `value` does not have a ranking's form, in words; null if it does. */
export function formProblem(value: unknown): string | null {
  const { rows, scores } = (value ?? {}) as Partial<Record<'rows' | 'scores', unknown>>
  const wrong = [
    ...(rows instanceof Uint32Array ? [] : [`rows is ${kindOf(rows)}`]),
    ...(scores instanceof Float64Array ? [] : [`scores is ${kindOf(scores)}`]),
  ]
  if (wrong.length > 0) {
    const problem = isMap(value) ? wrong.join(' and ') : `it is ${kindOf(value)}`
    return `a ranking is {rows: Uint32Array, scores: Float64Array}; ${problem}`
  }
  const [n, m] = [(rows as Uint32Array).length, (scores as Float64Array).length]
  return n === m ? null : `a ranking has as many scores as rows, not ${m} and ${n}`
}

/** Checks the form, that rows are distinct and below `chunks`, and that scores do not increase. Reads every row. */
export function rankingProblem(value: unknown, chunks: number): string | null {
  const form = formProblem(value)
  if (form) return form
  const { rows, scores } = value as Ranking
  const seen = new Set<number>()
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    if (row >= chunks) return `row ${row} is not a chunk; there are ${chunks}, counted from 0`
    if (seen.has(row)) return `row ${row} is in the ranking twice`
    seen.add(row)
    if (Number.isNaN(scores[i])) return `the score of row ${row} is NaN`
    if (scores[i] > scores[i - 1])
      return `a ranking is best first; the score of row ${row} is above the one before it`
  }
  return callsProblem((value as Ranking).calls, chunks)
}

function callsProblem(calls: unknown, chunks: number): string | null {
  const isRow = (row: unknown) => Number.isSafeInteger(row) && Number(row) >= 0 && Number(row) < chunks
  const isCall = ({ tool, input, rows, tokens = 0, ms = 0 }: Readonly<Record<string, unknown>>) =>
    [tool, input].every((text) => typeof text === 'string') &&
    [tokens, ms].every((amount) => Number(amount) >= 0) &&
    Array.isArray(rows) &&
    rows.every(isRow)
  return calls === undefined || (Array.isArray(calls) && calls.every((call) => isMap(call) && isCall(call)))
    ? null
    : '`calls` is a list of {tool, input, rows, tokens?, ms?}; rows is a list of chunks'
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value !== 'object') return `a ${typeof value}`
  return Array.isArray(value) ? 'an Array' : `a ${value.constructor?.name ?? 'map'}`
}
