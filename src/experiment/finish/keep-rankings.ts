import { join } from 'node:path'
import { textUnits } from '../../corpus/corpus.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { createWordCodes } from '../../maps.ts'
import { USAGES, usageCounter } from '../../retrieve/steps/asking.ts'
import { columnsOf, int32 } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'
import { headingPath } from '../../text/headings.ts'
import { compareIds } from '../../text/ids.ts'
import type { Chunk } from '../../types.ts'
import type { Plan } from '../plan/plan.ts'
import { callPrices } from '../plan/spending.ts'
import { channelNames } from '../shard/funnel.ts'
import type { ShardLabels } from '../shard/locate.ts'
import type { Part, PartRankings } from '../shard/parts.ts'
import type { Session } from '../shard/session.ts'
import { callCost } from './describe.ts'
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
  const rankings = await rankingsOf(session, finalists, parts, merged)

  writeDiagnostics(session, finalists, rankings, merged)
  const ruled = trials.flatMap(({ id }, trial) => {
    const chosen = merged.arms.get(trial)
    return chosen ? [{ id, chosen }] : []
  })
  writeRoutes(session, [...ruled, ...fitted])
  writeBreakdowns(session, finalists, rankings)
  writeWalks(session, finalists, rankings, chunks)
  const named = writeFirstRanks(session, finalists, rankings, chunks)
  const gold = goldChunks(session, chunks)
  for (const { chunk } of gold) named.add(chunk)
  const spans = new Map(gold.map(({ chunk, judged }) => [chunk.id, judged]))
  const byId = new Map([...named].map((chunk) => [chunk.id, chunk]))
  const texts = [...byId.values()]
    .sort((a, b) => compareIds(a.id, b.id))
    .map((chunk) => ({
      chunk: chunk.id,
      judged: spans.get(chunk.id) ?? judgedId(chunk, plan),
      title: headingPath(chunk),
      text: chunk.text,
      tokens: chunk.tokens,
    }))
  const columns = columnsOf<(typeof texts)[number]>(texts, {
    chunk: 'string',
    judged: 'string',
    title: 'string',
    text: 'string',
    tokens: 'int32',
  })
  writeTable(join(folder, 'texts.parquet'), columns)
}

function writeFirstRanks(
  { plan, trials, corpora, folder }: Session,
  finalists: readonly number[],
  rankings: readonly PartRankings[],
  chunks: ReadonlyMap<Recipe, readonly Chunk[]>,
): Set<Chunk> {
  const named = new Set<Chunk>()
  const count = rankings.reduce((sum, { first }) => sum + first.counts.reduce((a, b) => a + b, 0), 0)
  const [trialColumn, queryColumn, rankColumn, chunkCodes, judgedCodes, markCodes] = Array.from(
    { length: 6 },
    () => new Int32Array(count),
  )
  const score = new Float64Array(count)
  let to = 0
  const [ids, judgedIds, marks] = [createWordCodes(), createWordCodes(), createWordCodes()]
  finalists.forEach((trial, index) => {
    const { ranking, recipe } = trials[trial]
    const corpus = chunks.get(ranking.recipe) ?? []
    const { ranks, counts, rows: rowIds, scores } = rankings[index].first
    for (let query = 0; query < counts.length; query++) {
      const labels = corpora[recipe].labels[query]
      for (let rank = 0; rank < counts[query]; rank++) {
        const row = rowIds[query * ranks + rank]
        const chunk = corpus[row]
        named.add(chunk)
        trialColumn[to] = trial
        queryColumn[to] = query
        rankColumn[to] = rank + 1
        chunkCodes[to] = ids.codeOf(chunk.id)
        judgedCodes[to] = judgedIds.codeOf(heldLabel(labels, row) ?? judgedId(chunk, plan))
        markCodes[to] = marks.codeOf(rankings[index].marks?.[query]?.[row] ?? '')
        score[to++] = scores[query * ranks + rank]
      }
    }
  })
  writeTable(join(folder, 'rankings.parquet'), [
    int32('trial', trialColumn),
    int32('query', queryColumn),
    int32('rank', rankColumn),
    { name: 'chunk', type: 'words', codes: chunkCodes, words: ids.words },
    { name: 'judged', type: 'words', codes: judgedCodes, words: judgedIds.words },
    { name: 'score', type: 'number', values: score, distinct: true },
    { name: 'mark', type: 'words', codes: markCodes, words: marks.words },
  ])
  return named
}

function judgedId({ id, documentId }: Chunk, { dataset }: Plan): string {
  return dataset.judgedUnit === 'document' ? documentId : id
}

function goldChunks(
  { plan, corpora, trials }: Session,
  chunks: ReadonlyMap<Recipe, readonly Chunk[]>,
): { chunk: Chunk; judged: string }[] {
  return corpora.flatMap(({ labels }, index) => {
    const recipe = trials.find((trial) => trial.recipe === index)?.ranking.recipe
    const corpus = (recipe && chunks.get(recipe)) ?? []
    if (plan.dataset.judgedUnit === 'span')
      return labels.flatMap((queryLabels) =>
        [...(queryLabels.holders?.units ?? [])].map((row) => ({
          chunk: corpus[row],
          judged: heldLabel(queryLabels, row) ?? corpus[row].id,
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

/**
 * Writes `diagnostics.parquet`: counters (`text` null) and notes (`value` NaN) by finalist and query, names in byte
 * order, with `retrieved`, `cost_usd` and `gold: <channels>`.
 */
function writeDiagnostics(
  session: Session,
  finalists: readonly number[],
  rankings: readonly PartRankings[],
  merged: Merged,
): void {
  const prices = callPrices(session.plan.experiment)
  const priced = Object.keys(prices).flatMap((model) => USAGES.map((kind) => usageCounter(kind, model)))
  const rows = finalists.flatMap((trial, index) =>
    session.queries.flatMap((_, query) => {
      const counters = rankings[index].counters?.[query] ?? {}
      const counted = {
        retrieved: merged.retrieved[trial * merged.queries + query],
        ...goldByChannel(session, merged, trial, query),
        ...counters,
        ...(priced.some((name) => name in counters) && { cost_usd: callCost(counters, prices).dollars }),
      }
      const cells = [
        ...Object.entries(counted).map(([name, value]) => ({ name, value, text: null as string | null })),
        ...Object.entries(rankings[index].notes?.[query] ?? {}).map(([name, text]) => {
          return { name, value: Number.NaN, text }
        }),
      ]
      return cells.sort((a, b) => (a.name < b.name ? -1 : 1)).map((cell) => ({ trial, query, ...cell }))
    }),
  )
  const columns = columnsOf<(typeof rows)[number]>(rows, {
    trial: 'int32',
    query: 'int32',
    name: 'words',
    value: 'number',
    text: 'string',
  })
  writeTable(join(session.folder, 'diagnostics.parquet'), columns)
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

function writeRoutes({ folder }: Session, routers: readonly Pick<Router, 'id' | 'chosen'>[]): void {
  const rows = routers.flatMap(({ id, chosen }) =>
    chosen.flatMap((arm, query) => (arm === null ? [] : [{ router: id, query, arm }])),
  )
  if (rows.length > 0)
    writeTable(
      join(folder, 'routes.parquet'),
      columnsOf(rows, { router: 'words', query: 'int32', arm: 'words' }),
    )
}

/** Writes `breakdown.parquet`: one row per (finalist, query, rank, step), with the chunk's rank and score after the step. */
function writeBreakdowns(
  { folder }: Session,
  finalists: readonly number[],
  rankings: readonly PartRankings[],
): void {
  const lists = finalists.flatMap((trial, index) =>
    (rankings[index].breakdowns ?? []).flatMap((steps, query) =>
      steps && steps[0].ranks.length > 0 ? [{ trial, query, steps }] : [],
    ),
  )
  if (lists.length === 0) return
  const rows = lists.reduce((sum, { steps }) => sum + steps[0].ranks.length * steps.length, 0)
  // Millions of rows: no objects.
  const [trials, queries, ranks, codes, stepRanks] = Array.from({ length: 5 }, () => new Int32Array(rows))
  const scores = new Float64Array(rows)
  const stepCodes = createWordCodes()
  let row = 0
  for (const { trial, query, steps } of lists) {
    const names = steps.map(({ step }) => stepCodes.codeOf(step))
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
    int32('trial', trials),
    int32('query', queries),
    int32('rank', ranks),
    { name: 'step', type: 'words', codes, words: stepCodes.words },
    int32('step_rank', stepRanks),
    { name: 'score', type: 'number', values: scores, distinct: true },
  ])
}

/**
 * Writes `walks.parquet`: one row per (finalist, query, link), starts first, then links of shortest paths to the first
 * chunks.
 */
function writeWalks(
  { folder, trials }: Session,
  finalists: readonly number[],
  rankings: readonly PartRankings[],
  chunks: ReadonlyMap<Recipe, readonly Chunk[]>,
): void {
  const rows = finalists.flatMap((trial, index) => {
    const corpus = chunks.get(trials[trial].ranking.recipe) ?? []
    const end = (of: string | number | null) =>
      typeof of === 'number' ? [headingPath(corpus[of]), corpus[of].id] : [of ?? '', '']
    return (rankings[index].walks ?? []).flatMap((walks, query) =>
      Object.entries(walks ?? {}).flatMap(([step, links]) =>
        links.map(([first, second, share]) => {
          const [[from, from_chunk], [to, to_chunk]] = [end(first), end(second)]
          return { trial, query, step, from, from_chunk, to, to_chunk, share: share ?? Number.NaN }
        }),
      ),
    )
  })
  if (rows.length === 0) return
  const columns = columnsOf(rows, {
    trial: 'int32',
    query: 'int32',
    step: 'words',
    from: 'words',
    from_chunk: 'words',
    to: 'words',
    to_chunk: 'words',
    share: 'number',
  })
  writeTable(join(folder, 'walks.parquet'), columns)
}
