import { addTo } from '../../maps.ts'
import type { Reads } from '../../metrics/define.ts'
import type { Call, Ranking } from '../../types.ts'

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
  { units, holders }: LabelledUnits,
  unitOf: Uint32Array,
  tokens: Uint32Array,
): Reads {
  const labelsOf = new Map<number, number[]>()
  for (const [label, unit] of units.entries())
    for (const holder of holders?.units.subarray(holders.offsets[label], holders.offsets[label + 1]) ?? [
      unit,
    ])
      addTo(labelsOf, holder, label)
  const first = new Int32Array(units.length)
  const at = new Float64Array(units.length).fill(Number.POSITIVE_INFINITY)
  let total = 0
  const starts = Float64Array.from(calls, ({ rows, tokens: recorded }, call) => {
    const start = total
    const length = rows.reduce((sum, row) => sum + tokens[row], 0)
    const cost = recorded ?? length
    let read = 0
    for (const row of rows) {
      read += tokens[row]
      for (const label of labelsOf.get(unitOf[row]) ?? []) {
        if (first[label] > 0) continue
        first[label] = call + 1
        at[label] = start + cost * (length === 0 ? 1 : read / length)
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

/** Number of calls, and of those that repeat an earlier one; a note on each; and by chunk, the call that read it first. */
export function describeCalls(
  { calls = [] }: Ranking,
  { calls: first, starts }: Reads,
  { grades }: { readonly grades: Int32Array },
) {
  const marks = new Map<number, string>()
  const notes = calls.map(({ tool, input, rows, ms }, at): [string, string] => {
    const before = marks.size
    for (const row of rows) if (!marks.has(row)) marks.set(row, `call ${at + 1}`)
    const gold = first.filter((call, label) => call === at + 1 && grades[label] >= 1).length
    const reads = `${rows.length} passages, ${marks.size - before} new${gold > 0 ? `, ${gold} gold` : ''}`
    const cost = `from token ${Math.round(starts[at])}${ms === undefined ? '' : `, ${Math.round(ms)} ms`}`
    return [`call ${at + 1}: ${tool}`, `${input.slice(0, LETTERS)} → ${reads}, ${cost}`]
  })
  const distinct = new Set(calls.map(({ tool, input }) => JSON.stringify([tool, input])))
  const rest = calls.length - SHOWN
  if (rest > 0) notes.splice(SHOWN, rest, [`calls after ${SHOWN}`, `${rest} more, not shown`])
  return {
    counters: { calls: calls.length, repeatedCalls: calls.length - distinct.size },
    notes: Object.fromEntries(notes),
    marks,
  }
}
