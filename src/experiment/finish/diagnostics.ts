import { join } from 'node:path'
import { createWordCodes } from '../../maps.ts'
import { USAGES, usageCounter } from '../../retrieve/steps/asking.ts'
import { writeTable } from '../../tables/parquet.ts'
import { callPrices } from '../plan/call-prices.ts'
import { channelNames } from '../shard/funnel.ts'
import type { PartRankings } from '../shard/parts.ts'
import type { Session } from '../shard/session.ts'
import { callCost } from './describe.ts'
import type { Merged } from './merge.ts'

/**
 * Writes `diagnostics.parquet`: counters and notes, one row per (finalist, query, name), names in byte order. A number
 * has an empty text, a note the value NaN. Adds `retrieved`, `cost_usd` for priced models, and `gold: <channels>`: gold
 * by the channels that found it.
 */
export function writeDiagnostics(
  session: Session,
  finalists: readonly number[],
  kept: readonly PartRankings[],
  merged: Merged,
): void {
  const prices = callPrices(session.plan.experiment)
  const priced = Object.keys(prices).flatMap((model) => USAGES.map((kind) => usageCounter(kind, model)))
  const rows = finalists.flatMap((trial, index) =>
    session.queries.flatMap((_, query) => {
      const counters = kept[index].counters?.[query] ?? {}
      const counted = {
        retrieved: merged.retrieved[trial * merged.queries + query],
        ...goldByChannel(session, merged, trial, query),
        ...counters,
        ...(priced.some((name) => name in counters) && { cost_usd: callCost(counters, prices).dollars }),
      }
      const cells = [
        ...Object.entries(counted).map(([name, value]) => ({ name, value, text: null })),
        ...Object.entries(kept[index].notes?.[query] ?? {}).map(([name, text]) => ({
          name,
          text,
          value: Number.NaN,
        })),
      ]
      return cells.sort((a, b) => (a.name < b.name ? -1 : 1)).map((cell) => ({ trial, query, ...cell }))
    }),
  )
  const names = createWordCodes()
  const codes = Int32Array.from(rows, ({ name }) => names.codeOf(name))
  writeTable(join(session.folder, 'diagnostics.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ trial }) => trial) },
    { name: 'query', type: 'int32', values: Int32Array.from(rows, ({ query }) => query) },
    { name: 'name', type: 'words', codes, words: names.words },
    { name: 'value', type: 'number', values: Float64Array.from(rows, ({ value }) => value) },
    { name: 'text', type: 'string', values: rows.map(({ text }) => text) },
  ])
}

function goldByChannel(
  { trials, corpora }: Session,
  { labelOffsets, channels, queries }: Merged,
  trial: number,
  query: number,
): Record<string, number> {
  const { grades } = corpora[trials[trial].recipe].labels[query]
  const begin = trial * labelOffsets[queries] + labelOffsets[query]
  const counts: Record<string, number> = {}
  for (let label = 0; label < grades.length; label++) {
    if (grades[label] < 1) continue
    const name = `gold: ${channelNames(channels[begin + label])}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
