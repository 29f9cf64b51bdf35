import { join } from 'node:path'
import type { Recipe } from '../indexes/recipe.ts'
import { textUnits } from '../indexes/text-units.ts'
import { writeTable } from '../tables/parquet.ts'
import { compareIds } from '../text/order.ts'
import type { Chunk } from '../types.ts'
import { createCurves } from './curves.ts'
import { headingOf } from './heading.ts'
import type { KeptShard } from './keep-shard.ts'
import type { Labels } from './labels.ts'
import type { Session } from './session.ts'

/**
 * Writes what was kept of the finalists' rankings: their first ranks (`rankings.parquet`), the text of every chunk that
 * these or the gold name (`texts.parquet`), and their recall-token curves (`curves.parquet`). `shards` in order.
 */
export async function keepRankings(
  session: Session,
  finalists: readonly number[],
  shards: readonly KeptShard[],
): Promise<void> {
  const { plan, trials, store, folder } = session
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
  for (const { ranks, gold } of shards) {
    for (const one of gold) curves.add(one)
    for (let at = 0; at < ranks.trial.length; at++) {
      const [trial, query, row] = [ranks.trial[at], ranks.query[at], ranks.row[at]]
      const chunk = (chunks.get(trials[trial].ranking.recipe) ?? [])[row]
      named.set(chunk.id, chunk)
      const judged = heldLabel(session.corpora[trials[trial].recipe].labels[query], row) ?? judgedId(chunk)
      rows.push({ trial, query, rank: ranks.rank[at], chunk, judged, score: ranks.score[at] })
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
