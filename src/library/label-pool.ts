import { basename, resolve } from 'node:path'
import { textUnits } from '../corpus/corpus.ts'
import { parseSpanId, spanRows } from '../dataset/collapse.ts'
import { UserError } from '../errors.ts'
import { openExperiment } from '../experiment/plan/open.ts'
import { readPlan } from '../experiment/plan/plan.ts'
import { auditGold, type Suspect } from '../labels/audit.ts'
import { type Pool, type PooledPassage, type PooledQuery, passageId } from '../labels/pool.ts'
import { addTo } from '../maps.ts'
import { note, warning } from '../report/findings/finding.ts'
import { signOf } from '../report/measured.ts'
import { plural } from '../report/numbers.ts'
import { type Results, readResults, readWhole, writeAudit } from '../results/read.ts'
import type { Finding } from '../results/summary.ts'
import { headingPath } from '../text/headings.ts'
import { compareIds } from '../text/ids.ts'
import type { Chunk, Progress } from '../types.ts'

interface PoolOptions {
  readonly progress: Progress
  /** Ranks of each finalist that are pooled. */
  readonly k: number
  readonly seed: number
}

/** Ranks of a finalist that results keep. */
export const MOST_RANKS = 20

/**
 * Pools the first k chunks of the finalists for each question, and the chunks with gold. Throws a UserError if the
 * experiment is not finished, or if its data or store have changed.
 */
export async function poolOf(folder: string, options: PoolOptions): Promise<Pool> {
  return (await poolWithGold(folder, options)).pool
}

/**
 * All suspects in an experiment's gold, and a pool of the `first` of them: their gold, and the first k of the
 * trials. Findings are stored next to the result, whose reports show them. Throws a UserError as `poolOf` does, or if
 * no question has gold.
 */
export async function auditOf(
  folder: string,
  { k, first, progress }: { readonly k: number; readonly first: number; readonly progress: Progress },
): Promise<{
  readonly pool: Pool
  readonly suspects: readonly Suspect[]
  readonly findings: readonly Finding[]
}> {
  const { pool, gold, answers, results } = await poolWithGold(folder, { k: MOST_RANKS, seed: 0, progress })
  const suspects = auditGold(
    pool.queries.map((query) => ({
      ...query,
      answers: answers.get(query.id) ?? [],
      gold: gold.get(query.id) ?? [],
    })),
  )
  if (suspects.length === 0) throw new UserError('no question has gold to audit', folder)
  const queries = new Map(pool.queries.map((query) => [query.id, query]))
  const audited = suspects.slice(0, first).map(({ query }) => {
    const pooled = queries.get(query) as PooledQuery
    const labelled = new Set(gold.get(query)?.flatMap((label) => [...label]))
    const passages = pooled.passages.filter(
      ({ id, ranks }) => labelled.has(id) || ranks.some((rank) => rank > 0 && rank <= k),
    )
    return { ...pooled, passages }
  })
  const findings = withoutSuspects(results, suspects)
  writeAudit(resolve(folder), results.manifest, findings)
  return { pool: { ...pool, k, audit: true, queries: audited }, suspects, findings }
}

const ABOUT = 'Suspicious gold'

/** Says if the best trial stays first without the most suspicious tenth of the questions; nothing of one trial. */
function withoutSuspects({ summary, queries, scores }: Results, suspects: readonly Suspect[]): Finding[] {
  const { trials, primary } = summary
  const left = new Set(suspects.slice(0, Math.ceil(suspects.length / 10)).map(({ query }) => query))
  const values = scores.get(primary) ?? new Float64Array(0)
  const sign = signOf(summary)
  const bestWithout = (leftOut: ReadonlySet<string>) => {
    const means = trials.map((_, trial) => {
      const counted = queries.id.flatMap((id, query) => {
        const value = values[trial * queries.id.length + query]
        return leftOut.has(id) || Number.isNaN(value) ? [] : [value]
      })
      return (sign * counted.reduce((sum, value) => sum + value, 0)) / counted.length
    })
    const best = Math.max(...means.filter((mean) => !Number.isNaN(mean)))
    return trials[means.indexOf(best)]?.name ?? 'no trial'
  }
  const [all, bestOfRest] = [bestWithout(new Set()), bestWithout(left)]
  const without = `Without the ${plural(left.size, 'question')} that \`labels audit\` suspects most`
  if (trials.length < 2) return []
  return all === bestOfRest
    ? note(ABOUT, `${without}, ${all} still has the best ${primary}.`)
    : warning(
        ABOUT,
        `${without}, ${bestOfRest} has the best ${primary} in place of ${all}. Check the labels of these questions first.`,
      )
}

async function poolWithGold(folder: string, { k, seed, progress }: PoolOptions) {
  const at = resolve(folder)
  readWhole(folder)
  const results = await readResults(at, ({ primary }) => [primary])
  const { summary, manifest, queries, rankings } = results
  const plan = readPlan(at)
  const open = await openExperiment(plan.experiment, plan.store)
  if (open.dataset.hash !== plan.dataset.hash)
    throw new UserError('its dataset has changed since; run the config again', folder)
  const chunks = await Promise.all(open.recipes.map((recipe) => open.store.open(textUnits(recipe))))
  await open.store.close()
  const byId = chunks.map((list) => new Map(list.map((chunk) => [chunk.id, chunk])))
  const finalists = [...new Set(rankings.trial)].sort((a, b) => a - b)
  const pooled = queries.id.map(() => new Map<string, PooledPassage & { ranks: number[] }>())
  const add = (query: number, chunk: Chunk) => {
    const id = passageId(chunk.documentId, chunk.text)
    const pooledBefore = pooled[query].get(id)
    if (pooledBefore) return pooledBefore
    const { documentId: document, start, end, text } = chunk
    const ranks = finalists.map(() => 0)
    const passage = { id, chunk: chunk.id, document, start, end, title: headingPath(chunk), text, ranks }
    pooled[query].set(id, passage)
    return passage
  }
  for (let row = 0; row < rankings.rows; row++) {
    if (row % 1000 === 0) progress('pool', row, rankings.rows)
    const [trial, query, rank] = [rankings.trial[row], rankings.query[row], rankings.rank[row]]
    if (rank > k || !queries.answerable[query]) continue
    const { variant, name } = summary.trials[trial]
    const chunk = byId[variant].get(rankings.chunk.words[rankings.chunk.codes[row]])
    if (!chunk) throw new UserError(`the store has no chunk that ${name} found; run the config again`, folder)
    const { ranks } = add(query, chunk)
    const place = finalists.indexOf(trial)
    ranks[place] ||= rank
  }
  progress('pool', rankings.rows, rankings.rows)
  for (const [query, chunk] of goldChunks(results, chunks[0])) add(query, chunk)
  const pool: Pool = {
    touchstone: 'pool',
    format: 1,
    experiment: basename(at),
    result: manifest.result,
    unit: summary.datasets[0].judgedUnit,
    k,
    measure: summary.primary,
    seed,
    trials: finalists.map((trial) => summary.trials[trial].name),
    queries: pooled.flatMap((passages, query): PooledQuery[] =>
      passages.size === 0
        ? []
        : [
            {
              id: queries.id[query],
              text: queries.text[query],
              passages: [...passages.values()].sort((a, b) => compareIds(a.id, b.id)),
            },
          ],
    ),
  }
  const gold = goldPassages(results, pool)
  return { pool, gold, results, answers: new Map(queries.id.map((id, row) => [id, queries.answers[row]])) }
}

/** Ids of the passages that hold each label, by query; alternatives of a group are one label. */
function goldPassages({ queries, labels }: Results, pool: Pool): Map<string, Set<string>[]> {
  const byQuery = new Map<number, Map<string, string[]>>()
  labels.judged.forEach((judged, row) => {
    if (labels.grade[row] < 1) return
    const label = labels.group[row] < 0 ? judged : `${labels.group[row]}`
    const ofQuery = byQuery.get(labels.query[row]) ?? new Map<string, string[]>()
    byQuery.set(labels.query[row], ofQuery)
    addTo(ofQuery, label, judged)
  })
  const passagesOf = new Map(pool.queries.map(({ id, passages }) => [id, passages]))
  const holds = (passage: PooledPassage, judged: string) => {
    if (pool.unit !== 'span') return judged === (pool.unit === 'document' ? passage.document : passage.chunk)
    const span = parseSpanId(judged)
    return (
      span !== undefined && spanRows([span], [{ ...passage, documentId: passage.document }])[0].length > 0
    )
  }
  return new Map(
    [...byQuery].map(([query, ofQuery]) => {
      const id = queries.id[query]
      const sets = [...ofQuery.values()].map((alternatives) => {
        const passages = passagesOf.get(id) ?? []
        const gold = passages.filter((passage) => alternatives.some((judged) => holds(passage, judged)))
        return new Set(gold.map((passage) => passage.id))
      })
      return [id, sets.filter(({ size }) => size > 0)]
    }),
  )
}

/**
 * Chunks of the first chunking that hold gold, with the row of their query; for a gold document its first chunk.
 */
function goldChunks({ summary, labels }: Results, chunks: readonly Chunk[]): [number, Chunk][] {
  const [{ judgedUnit }] = summary.datasets
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
