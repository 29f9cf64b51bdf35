import { join } from 'node:path'
import type { Recipe } from '../indexes/recipe.ts'
import { textUnits } from '../indexes/text-units.ts'
import { head } from '../ranking/order.ts'
import { createMemo } from '../steps/evaluate.ts'
import { writeTable } from '../tables/parquet.ts'
import { compareIds } from '../text/order.ts'
import type { Chunk, Evidence, Ranking } from '../types.ts'
import { createCurves } from './curves.ts'
import { failureOf, rankingFailure } from './failures.ts'
import { headingOf } from './heading.ts'
import type { Labels } from './labels.ts'
import { shardCount, shardRange } from './plan.ts'
import type { Session } from './session.ts'

/** Ranks that are kept of a finalist's rankings: what a reader looks at. Gold below is in `gold.parquet` with its rank. */
export const KEPT_RANKS = 20

/**
 * Runs the finalists once more and keeps their first ranks (`rankings.parquet`), the text of every chunk that these or
 * the gold name (`texts.parquet`), and their recall-token curves (`curves.parquet`).
 */
export async function keepRankings(
  session: Session,
  finalists: readonly number[],
  clock: () => number,
): Promise<void> {
  const { plan, trials, queries, store, folder } = session
  const { judgedUnit } = plan.dataset
  const judgedId = ({ id, documentId }: Chunk) => (judgedUnit === 'document' ? documentId : id)
  const rows: { trial: number; query: number; rank: number; chunk: Chunk; judged: string; score: number }[] =
    []
  const named = new Map<string, Chunk>()
  const chunksOf = await Promise.all(
    [...new Set(trials.map(({ ranking }) => ranking.recipe))].map(
      async (recipe) => [recipe, await store.open(textUnits(recipe))] as const,
    ),
  )
  const chunks = new Map(chunksOf)
  const curves = createCurves(session, finalists)
  for (let shard = 0; shard < shardCount(plan); shard++) {
    const { begin, end } = shardRange(plan, shard)
    const memo = createMemo(store, queries.slice(begin, end), clock)
    for (const trial of finalists) {
      const { ranking, evidence } = trials[trial]
      const cells = await memo.cells(ranking)
      const beside = evidence ? await memo.cells(evidence) : undefined
      const corpus = chunks.get(ranking.recipe) ?? []
      for (let place = 0; place < end - begin; place++) {
        const cell = cells[place]
        const failed = !cell || rankingFailure(trials[trial], cell, corpus.length)
        const whole = !failureOf(trials[trial], cell, beside?.[place], corpus.length)
        const texts = (whole && beside?.[place]?.value) || []
        curves.add(
          trial,
          begin + place,
          whole ? (cell?.value as Ranking) : null,
          texts as readonly Evidence[],
        )
        if (failed) continue
        const kept = head(cell.value as Ranking, Math.min(KEPT_RANKS, plan.experiment.depth))
        kept.rows.forEach((row, rank) => {
          const chunk = corpus[row]
          named.set(chunk.id, chunk)
          const query = begin + place
          const labels = session.corpora[trials[trial].recipe].labels[query]
          const judged = heldLabel(labels, row) ?? judgedId(chunk)
          rows.push({ trial, query, rank: rank + 1, chunk, judged, score: kept.scores[rank] })
        })
      }
    }
  }
  curves.write(folder)
  const gold = goldChunks(session, chunks)
  for (const { chunk } of gold) named.set(chunk.id, chunk)
  const spans = new Map(gold.map(({ chunk, judged }) => [chunk.id, judged]))

  rows.sort((a, b) => a.trial - b.trial || a.query - b.query || a.rank - b.rank)
  writeTable(join(folder, 'rankings.parquet'), [
    { name: 'trial', type: 'int32', values: Int32Array.from(rows, ({ trial }) => trial) },
    { name: 'query', type: 'int32', values: Int32Array.from(rows, ({ query }) => query) },
    { name: 'rank', type: 'int32', values: Int32Array.from(rows, ({ rank }) => rank) },
    { name: 'chunk', type: 'string', values: rows.map(({ chunk }) => chunk.id) },
    { name: 'judged', type: 'string', values: rows.map(({ judged }) => judged) },
    { name: 'score', type: 'number', values: Float64Array.from(rows, ({ score }) => score) },
  ])
  const texts = [...named.values()].sort((a, b) => compareIds(a.id, b.id))
  writeTable(join(folder, 'texts.parquet'), [
    { name: 'chunk', type: 'string', values: texts.map(({ id }) => id) },
    { name: 'judged', type: 'string', values: texts.map((chunk) => spans.get(chunk.id) ?? judgedId(chunk)) },
    { name: 'title', type: 'string', values: texts.map(headingOf) },
    { name: 'text', type: 'string', values: texts.map(({ text }) => text) },
    { name: 'tokens', type: 'int32', values: Int32Array.from(texts, ({ tokens }) => tokens) },
  ])
}

/** Every chunk that holds gold, of every chunking, with the id that is judged there. */
function goldChunks(
  { plan, corpora, trials }: Session,
  chunks: ReadonlyMap<Recipe, readonly Chunk[]>,
): { chunk: Chunk; judged: string }[] {
  return corpora.flatMap(({ labels }, place) => {
    const recipe = trials.find((trial) => trial.recipe === place)?.ranking.recipe
    const corpus = (recipe && chunks.get(recipe)) ?? []
    if (plan.dataset.judgedUnit === 'span')
      return labels.flatMap((own) =>
        [...(own.holders?.units ?? [])].map((row) => ({
          chunk: corpus[row],
          judged: heldLabel(own, row) ?? corpus[row].id,
        })),
      )
    const gold = new Set(labels.flatMap(({ ids }) => ids))
    return corpus
      .map((chunk) => ({
        chunk,
        judged: plan.dataset.judgedUnit === 'document' ? chunk.documentId : chunk.id,
      }))
      .filter(({ judged }) => gold.has(judged))
  })
}

/** Where spans are judged: the first of a query's that the chunk at `row` holds. */
function heldLabel({ ids, holders }: Labels, row: number): string | undefined {
  const entry = holders?.units.indexOf(row) ?? -1
  return entry < 0 ? undefined : ids[(holders?.offsets.findIndex((begin) => begin > entry) ?? 0) - 1]
}
