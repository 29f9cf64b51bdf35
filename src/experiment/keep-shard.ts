import { head } from '../ranking/order.ts'
import { createMemo } from '../steps/evaluate.ts'
import type { Evidence, Ranking } from '../types.ts'
import { failureOf, rankingFailure } from './failures.ts'
import { shardRange } from './plan.ts'
import type { Session } from './session.ts'

/** Ranks that are kept of a finalist's rankings: what a reader looks at. Gold below is in `gold.parquet` with its rank. */
export const KEPT_RANKS = 20

/** What is kept of the finalists' rankings on one shard of queries. Plain columns, since it travels between threads. */
export interface KeptShard {
  readonly shard: number
  /** The first ranks: a row a (finalist, query, rank). `trial` is a place in the session's trials, `row` a chunk's. */
  readonly ranks: {
    readonly trial: Int32Array
    readonly query: Int32Array
    readonly rank: Int32Array
    readonly row: Uint32Array
    readonly score: Float64Array
  }
  /** Where the gold stands, for curves: finalist after finalist, query after query. */
  readonly gold: readonly KeptGold[]
}

export interface KeptGold {
  readonly trial: number
  readonly query: number
  /** Null where the trial failed on the query. */
  readonly found: {
    readonly ranks: Int32Array
    readonly tokens: Float64Array
    readonly retrieved: number
    readonly evidenceTokens: number
  } | null
}

/** Runs the finalists once more on a shard. Equal steps are shared, as in the run. */
export async function keepShard(
  session: Session,
  shard: number,
  finalists: readonly number[],
  clock: () => number,
): Promise<KeptShard> {
  const { plan, trials, queries, corpora, store } = session
  const { begin, end } = shardRange(plan, shard)
  const memo = createMemo(store, queries.slice(begin, end), clock)
  const kept: { trial: number; query: number; rank: number; row: number; score: number }[] = []
  const gold: KeptGold[] = []
  for (const trial of finalists) {
    const { ranking, evidence, recipe } = trials[trial]
    const { locator, labels, chunks } = corpora[recipe]
    const cells = await memo.cells(ranking)
    const beside = evidence ? await memo.cells(evidence) : undefined
    for (let query = begin; query < end; query++) {
      const cell = cells[query - begin]
      const texts = beside?.[query - begin]
      const failed = failureOf(trials[trial], cell, texts, chunks) !== null
      gold.push({ trial, query, found: failed ? null : found(cell?.value as Ranking, texts?.value) })
      if (!cell || rankingFailure(trials[trial], cell, chunks)) continue
      const first = head(cell.value as Ranking, Math.min(KEPT_RANKS, plan.experiment.depth))
      first.rows.forEach((row, place) => {
        kept.push({ trial, query, rank: place + 1, row, score: first.scores[place] })
      })

      function found(list: Ranking, texts: unknown): KeptGold['found'] {
        const { ranks, tokens, retrieved } = locator.locate(list, labels[query], plan.experiment.depth)
        const evidenceTokens = ((texts ?? []) as readonly Evidence[]).reduce(
          (sum, one) => sum + one.tokens,
          0,
        )
        return { ranks, tokens, retrieved, evidenceTokens }
      }
    }
  }
  return {
    shard,
    gold,
    ranks: {
      trial: Int32Array.from(kept, ({ trial }) => trial),
      query: Int32Array.from(kept, ({ query }) => query),
      rank: Int32Array.from(kept, ({ rank }) => rank),
      row: Uint32Array.from(kept, ({ row }) => row),
      score: Float64Array.from(kept, ({ score }) => score),
    },
  }
}
