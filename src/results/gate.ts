import { UserError } from '../errors.ts'
import { catchableDrop, dropTest } from '../statistics/drop.ts'
import { momentsOf } from '../statistics/moments.ts'
import { countedIn, type PairedRows } from './paired.ts'
import type { MeasureScale } from './summary.ts'

/** Drops of an experiment's rows against an earlier one, from -1 to 1; above 0 is worse. */
export interface GateResult {
  readonly measure: string
  readonly maxDrop: number
  readonly level: number
  readonly rows: readonly GateRow[]
  readonly notes: readonly string[]
}

export interface GateRow {
  readonly name: string
  /** Queries that count for both. */
  readonly n: number
  readonly before: number
  readonly now: number
  readonly drop: number
  /** P-value of "the true drop is at most `maxDrop`", adjusted over the rows. */
  readonly p: number
  /** Minimum detectable drop at 80 % power; null if none up to 1. */
  readonly catchable: number | null
  readonly failed: boolean
}

/** Tests every row for a drop by more than `maxDrop`. Throws a UserError if the measure cannot be tested. */
export function testDrops(
  paired: PairedRows,
  { bounded, better }: MeasureScale,
  { maxDrop, level, draws, seed }: { maxDrop: number; level: number; draws: number; seed: number },
): GateResult {
  const { measure, clusters } = paired
  if (!bounded)
    throw new UserError(
      `\`${measure}\` does not lie between 0 and 1, which the test needs; choose a measure that does`,
    )
  const sign = better === 'higher' ? 1 : -1
  const counted = paired.rows.map((row) => {
    const { name, before, now } = row
    const counts = countedIn([row])
    return {
      name,
      before: Float64Array.from(counts, (query) => before[query]),
      now: Float64Array.from(counts, (query) => now[query]),
      drops: Float64Array.from(counts, (query) => sign * (before[query] - now[query])),
      clusters: clusters && Int32Array.from(counts, (query) => clusters[query]),
    }
  })
  const empty = counted.filter(({ drops }) => drops.length === 0)
  if (empty.length > 0)
    throw new UserError(
      empty
        .map(({ name }) => `no query counts in \`${measure}\` for \`${name}\` in both`)
        .map((message) => ({ message })),
    )
  const ps = counted.map(({ drops, clusters }) => dropTest(drops, maxDrop, { draws, seed, clusters }))
  const adjusted = ps.map((p) => Math.min(1, p * ps.length))
  const rows = counted.map(({ name, before, now, drops, clusters }, index) => ({
    name,
    n: drops.length,
    before: momentsOf(before).mean,
    now: momentsOf(now).mean,
    drop: momentsOf(drops).mean,
    p: adjusted[index],
    catchable: catchableDrop(drops, maxDrop, level / counted.length, { clusters }),
    failed: adjusted[index] <= level,
  }))
  return {
    measure,
    maxDrop,
    level,
    rows,
    notes: notesOn(
      paired,
      rows.every(({ catchable }) => catchable === null),
    ),
  }
}

function notesOn({ alone: { now, before }, sameData, rows }: PairedRows, blind: boolean): string[] {
  const rowsOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  return [
    blind && 'With so few queries no drop would be found four times in five: this gate says nothing.',
    rows.length > 1 && `p is corrected by Bonferroni over ${rows.length} rows.`,
    now.rows.length > 0 && `Not compared, the baseline lacks them: ${rowsOf(now.rows)}.`,
    before.rows.length > 0 && `Not compared, the experiment lacks them: ${rowsOf(before.rows)}.`,
    now.queries + before.queries > 0 &&
      `${now.queries} ${now.queries === 1 ? 'query' : 'queries'} of the experiment and ${before.queries} of the baseline are not compared: the other lacks them.`,
    !sameData && 'The datasets differ: some of the difference may be theirs.',
  ].filter((note) => note !== false)
}
