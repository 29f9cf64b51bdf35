import { addTo } from '../../maps.ts'
import type { Reads } from '../../metrics/define.ts'
import type { Call } from '../../types.ts'

/** As in `ShardLabels`. */
interface LabelledUnits {
  readonly units: Int32Array
  readonly holders?: { readonly offsets: Int32Array; readonly units: Uint32Array } | undefined
}

/**
 * First readings of labels in a trajectory. `unitOf`: judged unit of each chunk row; `tokens`: its cost. A call's
 * recorded tokens are spread over its chunks by length.
 */
export function locateReads(
  calls: readonly Call[],
  labels: LabelledUnits,
  unitOf: Uint32Array,
  tokens: Uint32Array,
): Reads {
  const labelsOf = new Map<number, number[]>()
  labels.units.forEach((unit, label) => {
    const { offsets, units } = labels.holders ?? {}
    const own = offsets && units ? units.subarray(offsets[label], offsets[label + 1]) : [unit]
    for (const holder of own) addTo(labelsOf, holder, label)
  })
  const first = new Int32Array(labels.units.length)
  const at = new Float64Array(labels.units.length).fill(Number.POSITIVE_INFINITY)
  let total = 0
  const starts = Float64Array.from(calls, ({ rows, tokens: recorded }, call) => {
    const start = total
    const own = rows.reduce((sum, row) => sum + tokens[row], 0)
    const cost = recorded ?? own
    let read = 0
    for (const row of rows) {
      read += tokens[row]
      for (const label of labelsOf.get(unitOf[row]) ?? []) {
        if (first[label] > 0) continue
        first[label] = call + 1
        at[label] = start + (own === 0 ? cost : cost * (read / own))
      }
    }
    total += cost
    return start
  })
  return { calls: first, tokens: at, starts }
}

/** Calls that the report shows. */
const SHOWN = 30
/** Letters of an input. */
const LETTERS = 200

/**
 * Counters of calls and repeated calls, notes on each call with the gold that it was first to read, and marks of the
 * call that found a chunk.
 */
export function describeCalls(
  calls: readonly Call[],
  { calls: first, starts }: Reads,
  grades: Int32Array,
): {
  readonly counters: Readonly<Record<string, number>>
  readonly notes: Readonly<Record<string, string>>
  readonly marks: ReadonlyMap<number, string>
} {
  const marks = new Map<number, string>()
  const seen = new Set<string>()
  const notes = calls.map(({ tool, input, rows, ms }, at): [string, string] => {
    const before = marks.size
    for (const row of rows) if (!marks.has(row)) marks.set(row, `call ${at + 1}`)
    const gold = first.filter((call, label) => call === at + 1 && grades[label] >= 1).length
    const content = JSON.stringify([tool, input])
    const about = [
      `${rows.length} passages, ${marks.size - before} new`,
      gold > 0 && `${gold} gold`,
      `from token ${Math.round(starts[at])}`,
      ms !== undefined && `${Math.round(ms)} ms`,
      seen.has(content) && 'the same call as before',
    ]
    seen.add(content)
    return [`call ${at + 1}: ${tool}`, `${input.slice(0, LETTERS)} → ${about.filter(Boolean).join(', ')}`]
  })
  const more = calls.length - SHOWN
  return {
    counters: { calls: calls.length, repeatedCalls: calls.length - seen.size },
    notes: Object.fromEntries([
      ...notes.slice(0, SHOWN),
      ...(more > 0 ? [[`calls after ${SHOWN}`, `${more} more, not shown`]] : []),
    ]),
    marks,
  }
}
