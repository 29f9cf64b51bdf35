import { basename, resolve } from 'node:path'
import { textUnits } from '../corpus/corpus.ts'
import { parseSpanId, spanRows } from '../dataset/collapse.ts'
import { UserError } from '../errors.ts'
import { openExperiment } from '../experiment/plan/open.ts'
import { readPlan } from '../experiment/plan/plan.ts'
import { type Pool, type PooledPassage, type PooledQuery, passageId } from '../labels/pool.ts'
import { type Results, readResults } from '../results/read.ts'
import { readWhole } from '../results/sample.ts'
import { headingPath } from '../text/headings.ts'
import { compareIds } from '../text/order.ts'
import type { Chunk } from '../types.ts'

interface PoolOptions {
  /** Ranks of each finalist that are pooled. */
  readonly k: number
  readonly seed: number
}

/** Ranks of a finalist that results keep. */
export const MOST_RANKS = 20

/**
 * Pools the first k chunks of an experiment's finalists for each question, with the chunks that hold gold already. Throws a
 * UserError if the experiment is not finished, or if its data or store have changed.
 */
export async function poolOf(folder: string, { k, seed }: PoolOptions): Promise<Pool> {
  const at = resolve(folder)
  readWhole(folder)
  const results = await readResults(at, () => [])
  const { summary, manifest, queries, rankings } = results
  const plan = readPlan(at)
  const open = await openExperiment(plan.experiment, plan.store)
  if (open.dataset.hash !== plan.dataset.hash)
    throw new UserError({ file: folder, message: 'its dataset has changed since; run the config again' })
  const chunks = await Promise.all(open.recipes.map((recipe) => open.store.open(textUnits(recipe))))
  await open.store.close()
  const byId = chunks.map((own) => new Map(own.map((chunk) => [chunk.id, chunk])))
  const finalists = [...new Set(rankings.trial)].sort((a, b) => a - b)
  const pooled = queries.id.map(() => new Map<string, PooledPassage & { ranks: number[] }>())
  const add = (query: number, chunk: Chunk) => {
    const id = passageId(chunk.documentId, chunk.text)
    const known = pooled[query].get(id)
    if (known) return known
    const { documentId: document, start, end, text } = chunk
    const one = { id, chunk: chunk.id, document, start, end, title: headingPath(chunk), text }
    const added = { ...one, ranks: finalists.map(() => 0) }
    pooled[query].set(id, added)
    return added
  }
  for (let row = 0; row < rankings.rows; row++) {
    const [trial, query, rank] = [rankings.trial[row], rankings.query[row], rankings.rank[row]]
    if (rank > k || !queries.answerable[query]) continue
    const { variant, name } = summary.trials[trial]
    const chunk = byId[variant].get(rankings.chunk.words[rankings.chunk.codes[row]])
    if (!chunk)
      throw new UserError({
        file: folder,
        message: `the store has no chunk that ${name} found; run the config again`,
      })
    const { ranks } = add(query, chunk)
    const place = finalists.indexOf(trial)
    ranks[place] ||= rank
  }
  for (const [query, chunk] of goldChunks(results, chunks[0])) add(query, chunk)
  return {
    touchstone: 'pool',
    format: 1,
    experiment: basename(at),
    result: manifest.result,
    unit: summary.dataset.judgedUnit,
    k,
    measure: summary.primary,
    seed,
    trials: finalists.map((trial) => summary.trials[trial].name),
    queries: pooled.flatMap((own, query): PooledQuery[] =>
      own.size === 0
        ? []
        : [
            {
              id: queries.id[query],
              text: queries.text[query],
              passages: [...own.values()].sort((a, b) => compareIds(a.id, b.id)),
            },
          ],
    ),
  }
}

/** Chunks of the first chunking that hold gold, with the row of their query; of a gold document its first chunk. */
function goldChunks({ summary, labels }: Results, chunks: readonly Chunk[]): [number, Chunk][] {
  const { judgedUnit } = summary.dataset
  const firstOf = new Map<string, Chunk>()
  for (const chunk of chunks) if (!firstOf.has(chunk.documentId)) firstOf.set(chunk.documentId, chunk)
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  return [...labels.query].flatMap((query, row): [number, Chunk][] => {
    if (labels.grade[row] < 1) return []
    const judged = labels.judged[row]
    const span = judgedUnit === 'span' ? parseSpanId(judged) : undefined
    if (span) return [...spanRows([span], chunks)[0]].map((index) => [query, chunks[index]])
    const chunk = judgedUnit === 'chunk' ? byId.get(judged) : firstOf.get(judged)
    return chunk ? [[query, chunk]] : []
  })
}
