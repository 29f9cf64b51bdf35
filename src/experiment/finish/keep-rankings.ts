import { join } from 'node:path'
import { textUnits } from '../../corpus/corpus.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { createWordCodes } from '../../maps.ts'
import { writeTable } from '../../tables/parquet.ts'
import { headingPath } from '../../text/headings.ts'
import { compareIds } from '../../text/ids.ts'
import type { Chunk } from '../../types.ts'
import type { Plan } from '../plan/plan.ts'
import type { ShardLabels } from '../shard/locate.ts'
import type { Part, PartRankings } from '../shard/parts.ts'
import type { Session } from '../shard/session.ts'
import { writeDiagnostics, writeExplanations } from './explanations.ts'
import { type Merged, rankingsOf } from './merge.ts'
import type { Router } from './routing.ts'

/**
 * Writes the finalists' rankings: first ranks (`rankings.parquet`), texts of their chunks and of gold (`texts.parquet`),
 * diagnostics and explanations.
 */
export async function keepRankings(
  session: Session,
  finalists: readonly number[],
  parts: readonly Part[],
  merged: Merged,
  fitted: readonly Pick<Router, 'id' | 'chosen'>[],
): Promise<void> {
  const { plan, trials, store, folder } = session
  const chunks = new Map<Recipe, readonly Chunk[]>()
  for (const { ranking } of trials) chunks.set(ranking.recipe, await store.open(textUnits(ranking.recipe)))
  const kept = await rankingsOf(session, finalists, parts, merged)

  writeDiagnostics(session, finalists, kept, merged)
  const ruled = trials.flatMap(({ id }, trial) => {
    const chosen = merged.arms.get(trial)
    return chosen ? [{ id, chosen }] : []
  })
  writeExplanations(session, finalists, kept, chunks, [...ruled, ...fitted])
  const named = writeFirstRanks(session, finalists, kept, chunks)
  const gold = goldChunks(session, chunks)
  for (const { chunk } of gold) named.add(chunk)
  const spans = new Map(gold.map(({ chunk, judged }) => [chunk.id, judged]))
  const byId = new Map([...named].map((chunk) => [chunk.id, chunk]))
  const texts = [...byId.values()].sort((a, b) => compareIds(a.id, b.id))
  const judged = texts.map((chunk) => spans.get(chunk.id) ?? judgedId(chunk, plan))
  writeTable(join(folder, 'texts.parquet'), [
    { name: 'chunk', type: 'string', values: texts.map(({ id }) => id) },
    { name: 'judged', type: 'string', values: judged },
    { name: 'title', type: 'string', values: texts.map(headingPath) },
    { name: 'text', type: 'string', values: texts.map(({ text }) => text) },
    { name: 'tokens', type: 'int32', values: Int32Array.from(texts, ({ tokens }) => tokens) },
  ])
}

/** One row per (finalist, query, rank). Returns the chunks. */
function writeFirstRanks(
  { plan, trials, corpora, folder }: Session,
  finalists: readonly number[],
  kept: readonly PartRankings[],
  chunks: ReadonlyMap<Recipe, readonly Chunk[]>,
): Set<Chunk> {
  const named = new Set<Chunk>()
  const count = kept.reduce((sum, { first }) => sum + first.counts.reduce((a, b) => a + b, 0), 0)
  const column = () => new Int32Array(count)
  const columns = {
    trial: column(),
    query: column(),
    rank: column(),
    chunk: column(),
    judged: column(),
    mark: column(),
  }
  const score = new Float64Array(count)
  let to = 0
  const [ids, judgedIds, words] = [createWordCodes(), createWordCodes(), createWordCodes()]
  finalists.forEach((trial, index) => {
    const { ranking, recipe } = trials[trial]
    const corpus = chunks.get(ranking.recipe) ?? []
    const { ranks, counts, rows: held, scores } = kept[index].first
    for (let query = 0; query < counts.length; query++) {
      const labels = corpora[recipe].labels[query]
      for (let rank = 0; rank < counts[query]; rank++) {
        const row = held[query * ranks + rank]
        const chunk = corpus[row]
        named.add(chunk)
        columns.trial[to] = trial
        columns.query[to] = query
        columns.rank[to] = rank + 1
        columns.chunk[to] = ids.codeOf(chunk.id)
        columns.judged[to] = judgedIds.codeOf(heldLabel(labels, row) ?? judgedId(chunk, plan))
        columns.mark[to] = words.codeOf(kept[index].marks?.[query]?.[row] ?? '')
        score[to++] = scores[query * ranks + rank]
      }
    }
  })
  writeTable(join(folder, 'rankings.parquet'), [
    { name: 'trial', type: 'int32', values: columns.trial },
    { name: 'query', type: 'int32', values: columns.query },
    { name: 'rank', type: 'int32', values: columns.rank },
    { name: 'chunk', type: 'words', codes: columns.chunk, words: ids.words },
    { name: 'judged', type: 'words', codes: columns.judged, words: judgedIds.words },
    { name: 'score', type: 'number', values: score, distinct: true },
    { name: 'mark', type: 'words', codes: columns.mark, words: words.words },
  ])
  return named
}

function judgedId({ id, documentId }: Chunk, { dataset }: Plan): string {
  return dataset.judgedUnit === 'document' ? documentId : id
}

/** Chunks with gold, over all chunkings, with their judged ids. */
function goldChunks(
  { plan, corpora, trials }: Session,
  chunks: ReadonlyMap<Recipe, readonly Chunk[]>,
): { chunk: Chunk; judged: string }[] {
  return corpora.flatMap(({ labels }, index) => {
    const recipe = trials.find((trial) => trial.recipe === index)?.ranking.recipe
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
      .map((chunk) => ({ chunk, judged: judgedId(chunk, plan) }))
      .filter(({ judged }) => gold.has(judged))
  })
}

/** First judged span that the chunk at `row` overlaps. */
function heldLabel({ ids, holders }: ShardLabels, row: number): string | undefined {
  const entry = holders?.units.indexOf(row) ?? -1
  return entry < 0 ? undefined : ids[(holders?.offsets.findIndex((begin) => begin > entry) ?? 0) - 1]
}
