import { canonical } from '../store/hash.ts'
import type { Json } from '../types.ts'
import { isMap, type Path, type Problem } from './problem.ts'

/** More values than this on one axis are a slip of `step`. */
const MOST = 1_000_000

/**
 * The values of one axis of a grid: a list, `{from, to, step}` (both ends in, where the step meets them) or
 * `{from, to, log: n}` (n values in equal ratios, both ends in). Values of a range are rounded to 12 and 6 significant
 * digits, so that they print as a person would write them; `whole` rounds them to whole numbers, each once.
 */
export function readAxis(
  raw: unknown,
  path: Path,
  whole: boolean,
  problems: Problem[],
): { value: Json; path: Path }[] {
  if (Array.isArray(raw)) {
    if (raw.length === 0) problems.push({ path, message: `the grid has no value for \`${path.at(-1)}\`` })
    const seen = new Set<string>()
    return raw.map((value, place) => {
      const text = canonical(value)
      if (seen.has(text))
        problems.push({ path: [...path, place], message: `\`${text}\` stands twice in the grid` })
      seen.add(text)
      return { value, path: [...path, place] }
    })
  }
  const range = isMap(raw) ? rangeOf(raw) : 'a grid gives each param a list of values or a range'
  if (typeof range === 'string') {
    problems.push({
      path,
      message: `${range}: [1, 2], {from: 0, to: 1, step: 0.1} or {from: 10, to: 1000, log: 5}`,
    })
    return []
  }
  return [...new Set(whole ? range.map(Math.round) : range)].map((value) => ({ value, path }))
}

/** The values, or what is wrong. */
function rangeOf(raw: Record<string, unknown>): number[] | string {
  const { from, to, step, log, ...rest } = raw
  if (
    Object.keys(rest).length > 0 ||
    typeof from !== 'number' ||
    typeof to !== 'number' ||
    (step === undefined) === (log === undefined)
  )
    return 'a range has `from`, `to` and one of `step` and `log`'
  if (!(from <= to)) return '`from` of a range is at most its `to`'
  if (step !== undefined) {
    if (typeof step !== 'number' || !(step > 0)) return '`step` of a range is above 0'
    const last = Math.floor((to - from) / step + 1e-9)
    if (!(last < MOST)) return '`step` of a range makes more than a million values'
    return Array.from({ length: last + 1 }, (_, index) => Number((from + index * step).toPrecision(12)))
  }
  if (!Number.isSafeInteger(log) || (log as number) < 2 || (log as number) > MOST)
    return '`log` of a range is how many values, 2 or more'
  if (!(from > 0)) return '`from` of a range with `log` is above 0'
  const last = (log as number) - 1
  return Array.from({ length: last + 1 }, (_, index) =>
    index === 0 ? from : index === last ? to : Number((from * (to / from) ** (index / last)).toPrecision(6)),
  )
}
