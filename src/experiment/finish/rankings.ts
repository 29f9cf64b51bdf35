import { createFirstRanks } from '../shard/first-ranks.ts'
import { type Part, type PartRankings, readRankings } from '../shard/parts.ts'
import type { Session } from '../shard/session.ts'
import type { Merged } from './merge.ts'

/**
 * Rankings of `trials` from the parts, by query in id order. `parts` are in running order; each trial was run on every query.
 */
export async function rankingsOf(
  { order, plan }: Session,
  trials: readonly number[],
  parts: readonly Part[],
  { labelOffsets, queries }: Merged,
): Promise<PartRankings[]> {
  const kept = trials.map(() => ({
    first: createFirstRanks(queries, plan.experiment.depth),
    labelTokens: new Int32Array(labelOffsets[queries]),
    counters: new Array<NonNullable<PartRankings['counters']>[number]>(queries).fill(null),
    notes: new Array<NonNullable<PartRankings['notes']>[number]>(queries).fill(null),
    marks: new Array<NonNullable<PartRankings['marks']>[number]>(queries).fill(null),
  }))
  let turn = 0
  for (const part of parts) {
    const found = await readRankings(part, trials)
    let label = 0
    for (let at = 0; at < (found[0]?.first.counts.length ?? 0); at++) {
      const query = order[turn++]
      const labels = labelOffsets[query + 1] - labelOffsets[query]
      for (const [index, { first, labelTokens, counters, notes, marks }] of found.entries()) {
        const { ranks } = first
        const own = kept[index]
        own.first.counts[query] = first.counts[at]
        own.first.rows.set(first.rows.subarray(at * ranks, (at + 1) * ranks), query * ranks)
        own.first.scores.set(first.scores.subarray(at * ranks, (at + 1) * ranks), query * ranks)
        own.labelTokens.set(labelTokens.subarray(label, label + labels), labelOffsets[query])
        own.counters[query] = counters?.[at] ?? null
        own.notes[query] = notes?.[at] ?? null
        own.marks[query] = marks?.[at] ?? null
      }
      label += labels
    }
  }
  return kept
}
