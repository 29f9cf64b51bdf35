import { join } from 'node:path'
import type { Recipe } from '../../corpus/recipe.ts'
import { createWordCodes } from '../../maps.ts'
import { USAGES, usageCounter } from '../../retrieve/steps/asking.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'
import { headingPath } from '../../text/headings.ts'
import type { Chunk } from '../../types.ts'
import { callPrices } from '../plan/spending.ts'
import { channelNames } from '../shard/funnel.ts'
import type { PartRankings } from '../shard/parts.ts'
import type { Session } from '../shard/session.ts'
import { callCost } from './describe.ts'
import type { Merged } from './merge.ts'
import type { Router } from './routing.ts'

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

type Chunks = ReadonlyMap<Recipe, readonly Chunk[]>
type Routed = Pick<Router, 'id' | 'chosen'>

/** Writes `breakdown.parquet`, `walks.parquet` and `routes.parquet`, each if it has a row. */
export function writeExplanations(
  session: Session,
  finalists: readonly number[],
  kept: readonly PartRankings[],
  chunks: Chunks,
  routers: readonly Routed[],
): void {
  writeBreakdowns(session, finalists, kept)
  writeWalks(session, finalists, kept, chunks)
  writeRoutes(session, routers)
}

function writeRoutes({ folder }: Session, routers: readonly Routed[]): void {
  const rows = routers.flatMap(({ id, chosen }) =>
    chosen.flatMap((arm, query) => (arm === null ? [] : [{ id, query, arm }])),
  )
  if (rows.length === 0) return
  writeTable(join(folder, 'routes.parquet'), [
    wordsOf('router', rows, ({ id }) => id),
    { name: 'query', type: 'int32', values: Int32Array.from(rows, ({ query }) => query) },
    wordsOf('arm', rows, ({ arm }) => arm),
  ])
}

function wordsOf<Row>(name: string, rows: readonly Row[], of: (row: Row) => string): ParquetColumn {
  const known = createWordCodes()
  const codes = Int32Array.from(rows, (row) => known.codeOf(of(row)))
  return { name, type: 'words', codes, words: known.words }
}

/** One row per (finalist, query, rank, step): rank and score of the chunk after the step. */
function writeBreakdowns(
  { folder }: Session,
  finalists: readonly number[],
  kept: readonly PartRankings[],
): void {
  const lists = finalists.flatMap((trial, index) =>
    (kept[index].breakdowns ?? []).flatMap((steps, query) =>
      steps && steps[0].ranks.length > 0 ? [{ trial, query, steps }] : [],
    ),
  )
  if (lists.length === 0) return
  const rows = lists.reduce((sum, { steps }) => sum + steps[0].ranks.length * steps.length, 0)
  // Millions of rows: no objects.
  const [trials, queries, ranks, codes, stepRanks] = Array.from({ length: 5 }, () => new Int32Array(rows))
  const scores = new Float64Array(rows)
  const known = createWordCodes()
  let row = 0
  for (const { trial, query, steps } of lists) {
    const names = steps.map(({ step }) => known.codeOf(step))
    for (let place = 0; place < steps[0].ranks.length; place++)
      for (let at = 0; at < steps.length; at++) {
        trials[row] = trial
        queries[row] = query
        ranks[row] = place + 1
        codes[row] = names[at]
        stepRanks[row] = steps[at].ranks[place]
        scores[row++] = steps[at].scores[place] ?? Number.NaN
      }
  }
  writeTable(join(folder, 'breakdown.parquet'), [
    { name: 'trial', type: 'int32', values: trials },
    { name: 'query', type: 'int32', values: queries },
    { name: 'rank', type: 'int32', values: ranks },
    { name: 'step', type: 'words', codes, words: known.words },
    { name: 'step_rank', type: 'int32', values: stepRanks },
    { name: 'score', type: 'number', values: scores, distinct: true },
  ])
}

/** One row per (finalist, query, link): starts first, then links of shortest paths to the first chunks. */
function writeWalks(
  { folder, trials }: Session,
  finalists: readonly number[],
  kept: readonly PartRankings[],
  chunks: Chunks,
): void {
  const rows = finalists.flatMap((trial, index) => {
    const corpus = chunks.get(trials[trial].ranking.recipe) ?? []
    const end = (of: string | number | null) =>
      typeof of === 'number'
        ? { chunk: corpus[of].id, name: headingPath(corpus[of]) }
        : { chunk: '', name: of ?? '' }
    return (kept[index].walks ?? []).flatMap((walks, query) =>
      Object.entries(walks ?? {}).flatMap(([step, links]) =>
        links.map(([from, to, share]) => ({
          trial,
          query,
          step,
          share: share ?? Number.NaN,
          from: end(from),
          to: end(to),
        })),
      ),
    )
  })
  if (rows.length === 0) return
  writeTable(join(folder, 'walks.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ trial }) => trial) },
    { name: 'query', type: 'int32', values: Int32Array.from(rows, ({ query }) => query) },
    wordsOf('step', rows, ({ step }) => step),
    wordsOf('from', rows, ({ from }) => from.name),
    wordsOf('from_chunk', rows, ({ from }) => from.chunk),
    wordsOf('to', rows, ({ to }) => to.name),
    wordsOf('to_chunk', rows, ({ to }) => to.chunk),
    { name: 'share', type: 'number', values: Float64Array.from(rows, ({ share }) => share) },
  ])
}
