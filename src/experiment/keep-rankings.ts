import { join } from 'node:path'
import { textUnits } from '../indexes/text-units.ts'
import { head } from '../ranking/order.ts'
import { createMemo } from '../steps/evaluate.ts'
import { writeTable } from '../tables/parquet.ts'
import { compareIds } from '../text/order.ts'
import type { Chunk, Ranking } from '../types.ts'
import { shardCount, shardRange } from './plan.ts'
import type { Session } from './session.ts'

/** Ranks that are kept of a finalist's rankings: what a reader looks at. Gold below is in `gold.parquet` with its rank. */
export const KEPT_RANKS = 20

/**
 * Runs the finalists once more and keeps their first ranks (`rankings.parquet`) and the text of every chunk that these
 * or the gold name (`texts.parquet`).
 */
export async function keepRankings(
  session: Session,
  finalists: readonly number[],
  clock: () => number,
): Promise<void> {
  const { plan, trials, queries, store, folder } = session
  const rows: { trial: number; query: number; rank: number; chunk: Chunk; score: number }[] = []
  const named = new Map<string, Chunk>()
  const chunksOf = await Promise.all(
    [...new Set(trials.map(({ ranking }) => ranking.recipe))].map(
      async (recipe) => [recipe, await store.open(textUnits(recipe))] as const,
    ),
  )
  const chunks = new Map(chunksOf)
  for (let shard = 0; shard < shardCount(plan); shard++) {
    const { begin, end } = shardRange(plan, shard)
    const memo = createMemo(store, queries.slice(begin, end), clock)
    for (const trial of finalists) {
      const { ranking } = trials[trial]
      const cells = await memo.cells(ranking)
      const corpus = chunks.get(ranking.recipe) ?? []
      for (let place = 0; place < end - begin; place++) {
        const cell = cells[place]
        if (!cell || cell.failure) continue
        const kept = head(cell.value as Ranking, Math.min(KEPT_RANKS, plan.experiment.depth))
        kept.rows.forEach((row, rank) => {
          const chunk = corpus[row]
          named.set(chunk.id, chunk)
          rows.push({ trial, query: begin + place, rank: rank + 1, chunk, score: kept.scores[rank] })
        })
      }
    }
  }
  const gold = new Set(session.corpora.flatMap(({ labels }) => labels.flatMap(({ ids }) => ids)))
  for (const corpus of chunks.values())
    for (const chunk of corpus)
      if (gold.has(chunk.documentId) || gold.has(chunk.id)) named.set(chunk.id, chunk)

  rows.sort((a, b) => a.trial - b.trial || a.query - b.query || a.rank - b.rank)
  const judgedId = ({ id, documentId }: Chunk) => (plan.dataset.judgedUnit === 'document' ? documentId : id)
  writeTable(join(folder, 'rankings.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ trial }) => trial) },
    { name: 'query', type: 'int32', values: Int32Array.from(rows, ({ query }) => query) },
    { name: 'rank', type: 'int32', values: Int32Array.from(rows, ({ rank }) => rank) },
    { name: 'chunk', type: 'string', values: rows.map(({ chunk }) => chunk.id) },
    { name: 'judged', type: 'string', values: rows.map(({ chunk }) => judgedId(chunk)) },
    { name: 'score', type: 'number', values: Float64Array.from(rows, ({ score }) => score) },
  ])
  const texts = [...named.values()].sort((a, b) => compareIds(a.id, b.id))
  writeTable(join(folder, 'texts.parquet'), [
    { name: 'chunk', type: 'string', values: texts.map(({ id }) => id) },
    { name: 'judged', type: 'string', values: texts.map(judgedId) },
    { name: 'title', type: 'string', values: texts.map(({ title }) => title) },
    { name: 'text', type: 'string', values: texts.map(({ text }) => text) },
    { name: 'tokens', type: 'int32', values: Int32Array.from(texts, ({ tokens }) => tokens) },
  ])
}
