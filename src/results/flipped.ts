import type { RowPair } from './paired.ts'
import type { Results } from './read.ts'
import { pickedBy } from './row-values.ts'
import type { TrialSummary } from './summary.ts'

export interface FlippedQuery {
  readonly id: string
  readonly text: string
  readonly before: QueryOfRow
  readonly now: QueryOfRow
  readonly part: FirstDifference
}

export interface QueryOfRow {
  /** Trial that represents the row on this query; null without one. */
  readonly trial: string | null
  /** First chunks; null if rankings were not stored. */
  readonly ranking: readonly RankedChunk[] | null
  readonly gold: readonly GoldOfRow[]
}

interface RankedChunk {
  readonly chunk: string
  /** Title, or the headings above; may be ''. */
  readonly title: string
  readonly gold: boolean
}

interface GoldOfRow {
  readonly judged: string
  /** Rank from 1; 0 if not found. */
  readonly rank: number
  /** Stage that lost it, or `found`. */
  readonly stage: string
}

/** First stage that loses gold of only one row. `ranks`: both lose and find the same gold. */
export type FirstDifference =
  | {
      readonly kind: 'stage'
      readonly stage: string
      readonly before: readonly string[]
      readonly now: readonly string[]
    }
  | { readonly kind: 'ranks' }
  | { readonly kind: 'unknown'; readonly why: string }

export function describeFlipped(
  before: Results,
  now: Results,
  row: RowPair,
  ids: readonly string[],
): FlippedQuery[] {
  const [beforeOf, nowOf] = [readRow(before, row.before, ids), readRow(now, row.now, ids)]
  const placeOf = stageOrder([...before.summary.trials, ...now.summary.trials])
  return ids.map((id) => {
    const [{ text, ...own }, { text: _, ...old }] = [nowOf(id), beforeOf(id)]
    return { id, text, before: old, now: own, part: partOf(old, own, placeOf) }
  })
}

/** Returns a function from a query's id to its results in a row (a trial's id or `tuned:<strategy>`). */
function readRow(
  { summary, queries, labels, gold, rankings, texts }: Results,
  row: string,
  ids: readonly string[],
) {
  const titles = new Map(texts.chunk.map((chunk, index) => [chunk, texts.title[index]]))
  const { trials, tuned } = summary
  const tunedRow = tuned.find(({ id }) => id === row)
  const picks = tunedRow && pickedBy(tunedRow, summary, queries.id, queries.category)
  const indexOf = new Map(trials.map(({ id }, index) => [id, index]))
  const places = new Map(queries.id.map((id, place) => [id, place]))
  const wanted = new Map(
    ids.map((id) => {
      const place = places.get(id) ?? -1
      return [place, { trial: indexOf.get((picks ? picks[place] : row) ?? '') ?? -1, chunks: [], gold: [] }]
    }) as [number, { trial: number; chunks: { chunk: string; judged: string }[]; gold: GoldOfRow[] }][],
  )
  for (let label = 0; label < labels.rows; label++) {
    const query = wanted.get(labels.query[label])
    if (!query || query.trial < 0 || labels.grade[label] < 1) continue
    const at = query.trial * labels.rows + label
    query.gold.push({
      judged: labels.judged[label],
      rank: gold.rank[at],
      stage: gold.stage.words[gold.stage.codes[at]],
    })
  }
  // Rows are sorted by rank.
  for (let at = 0; at < rankings.rows; at++) {
    const query = wanted.get(rankings.query[at])
    if (query?.trial !== rankings.trial[at]) continue
    const [chunk, judged] = [rankings.chunk, rankings.judged].map(({ words, codes }) => words[codes[at]])
    query.chunks.push({ chunk, judged })
  }
  return (id: string): QueryOfRow & { readonly text: string } => {
    const place = places.get(id) ?? -1
    const { trial = -1, chunks = [], gold: goldRows = [] } = wanted.get(place) ?? {}
    const relevant = new Set(goldRows.map(({ judged }) => judged))
    return {
      text: queries.text[place],
      trial: trials[trial]?.name ?? null,
      ranking: trials[trial]?.finalist
        ? chunks.map(({ chunk, judged }) => ({
            chunk,
            title: titles.get(chunk) ?? '',
            gold: relevant.has(judged),
          }))
        : null,
      gold: goldRows,
    }
  }
}

function partOf(before: QueryOfRow, now: QueryOfRow, placeOf: (stage: string) => number): FirstDifference {
  const unknown = (why: string): FirstDifference => ({ kind: 'unknown', why })
  if (before.trial === null || now.trial === null)
    return unknown('one of the rows has no trial for this query')
  const stages = new Map(now.gold.map(({ judged, stage }) => [judged, stage]))
  const shared = before.gold.flatMap(({ judged, stage }) => {
    const other = stages.get(judged)
    return other === undefined ? [] : [{ judged, before: stage, now: other }]
  })
  if (shared.length === 0) return unknown('no passage is relevant in both')
  const parted = shared.filter((label) => label.before !== label.now)
  if (parted.length === 0) return { kind: 'ranks' }
  const [stage] = parted
    .flatMap((label) => [label.before, label.now])
    .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
  const lost = (of: 'before' | 'now') =>
    parted.filter((label) => label[of] === stage).map(({ judged }) => judged)
  return { kind: 'stage', stage, before: lost('before'), now: lost('now') }
}

/** Returns the position of a stage in the funnels of several trials; `found` is last. */
export function stageOrder(trials: readonly Pick<TrialSummary, 'funnel'>[]): (stage: string) => number {
  const indexes = new Map<string, number>()
  for (const { funnel } of trials)
    for (const [index, { stage }] of funnel.entries())
      indexes.set(stage, Math.max(indexes.get(stage) ?? 0, index / funnel.length))
  return (stage) => indexes.get(stage) ?? Number.NaN
}
