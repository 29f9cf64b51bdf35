import { addTo } from '../../maps.ts'
import type { OfAnswers, Results } from '../../results/read.ts'
import type { Answer, Counts, PackedHit, Routed, StepRanks, Walk } from '../browser/types.d.ts'
import { type Block, jsonBlock } from './encode.ts'

/** Index of an entity. */
const ENTITY = -2

/** First ranks with steps. */
const RANKS = 10

/** Omitted counter. */
const LEFT_OUT = 'retrieved'

interface Shown {
  /** Trials with lists. */
  readonly lists: readonly number[]
  readonly ranks: number
  readonly max: number
  /** Index of a chunk's text; -1 without one. */
  readonly placeOf: (chunk: string) => number
}

/**
 * Packs notes, ranks by step and walks (by list and query), answers (by query) and routes, as in
 * `browser/types.d.ts`. `shortened`: number of cut answers.
 */
export function packExplanations(
  results: Results,
  shown: Shown,
): { readonly blocks: Readonly<Record<string, Block>>; readonly shortened: number } {
  const { breakdown, walks, routes, answers } = results
  const packed = {
    hits: hitsOf(results, shown),
    said: saidOf(results, shown),
    breakdown: breakdown && breakdownOf(results, breakdown, shown),
    walks: walks && walksOf(results, walks, shown),
    routes: routes && routesOf(results, routes, shown),
    answers: answers && answersOf(results, answers, shown),
  }
  const blocks = Object.entries(packed).flatMap(([name, block]) => (block ? [[name, jsonBlock(block)]] : []))
  const isLong = (row: number) => !!answers && answers.answer[row].length > shown.max
  return {
    blocks: Object.fromEntries(blocks),
    shortened: answers ? answersOn(answers, shown).filter(isLong).length : 0,
  }
}

/** Empty entries by list and query, and access to them. */
function entries<T>({ queries }: Results, { lists }: Shown, empty: () => T) {
  const count = queries.id.length
  const index = new Map(lists.map((trial, at) => [trial, at * count]))
  const cells = Array.from({ length: lists.length * count }, empty)
  const at = (trial: number, query: number): T | undefined => {
    const first = index.get(trial)
    return first === undefined ? undefined : cells[first + query]
  }
  return { cells, at }
}

type Words = { readonly words: readonly string[]; readonly codes: ArrayLike<number> }
const word = ({ words, codes }: Words, row: number) => words[codes[row]]

/** True for a row of a list's first ranks. */
export function isShown(
  { trial, rank }: Results['rankings'],
  row: number,
  lists: readonly number[],
  ranks: number,
): boolean {
  return rank[row] >= 1 && rank[row] <= ranks && lists.includes(trial[row])
}

function hitsOf(results: Results, shown: Shown): PackedHit[][] {
  const { rankings, labels } = results
  const { rows, trial, query, chunk, judged, score, mark } = rankings
  const gold = new Set(labels.judged.map((id, label) => `${labels.query[label]} ${id}`))
  const { cells, at } = entries(results, shown, (): PackedHit[] => [])
  for (let row = 0; row < rows; row++)
    if (isShown(rankings, row, shown.lists, shown.ranks))
      at(trial[row], query[row])?.push([
        shown.placeOf(word(chunk, row)),
        Number(score[row].toPrecision(3)),
        gold.has(`${query[row]} ${word(judged, row)}`) ? 1 : 0,
        word(mark, row),
      ])
  return cells
}

function saidOf(results: Results, shown: Shown): Counts[] {
  const { rows, trial, query, name, text, value } = results.diagnostics
  const { cells, at } = entries(results, shown, () => ({
    counts: [] as [string, number][],
    notes: [] as [string, string][],
  }))
  for (let row = 0; row < rows; row++) {
    const of = word(name, row)
    if (of === LEFT_OUT) continue
    if (text.codes[row] < 0) at(trial[row], query[row])?.counts.push([of, value[row]])
    else at(trial[row], query[row])?.notes.push([of, cut(word(text, row), shown.max)])
  }
  return cells
}

function stepIn<T extends { readonly step: string }>(
  entry: T[],
  step: string,
  empty: (step: string) => T,
): T {
  const record = entry.find((item) => item.step === step)
  if (record) return record
  const added = empty(step)
  entry.push(added)
  return added
}

function breakdownOf(
  results: Results,
  table: NonNullable<Results['breakdown']>,
  shown: Shown,
): StepRanks[][] {
  const { rows, trial, query, rank, step, step_rank: stepRank, score } = table
  const { cells, at } = entries(
    results,
    shown,
    (): { step: string; ranks: number[]; scores: number[] }[] => [],
  )
  for (let row = 0; row < rows; row++) {
    const entry = at(trial[row], query[row])
    if (!entry || rank[row] > Math.min(RANKS, shown.ranks)) continue
    const { ranks, scores } = stepIn(entry, word(step, row), (name) => ({
      step: name,
      ranks: [],
      scores: [],
    }))
    ranks.push(stepRank[row])
    scores.push(stepRank[row] > 0 ? Number(score[row].toPrecision(3)) : 0)
  }
  return cells
}

function walksOf(results: Results, table: NonNullable<Results['walks']>, shown: Shown): Walk[][] {
  const { rows, trial, query, step, from, from_chunk: fromChunk, to, to_chunk: toChunk, share } = table
  const endOf = (name: string, chunk: string) => ({
    name: name || chunk,
    text: chunk === '' ? ENTITY : shown.placeOf(chunk),
  })
  const { cells, at } = entries(results, shown, (): { step: string; links: Walk['links'][number][] }[] => [])
  for (let row = 0; row < rows; row++) {
    const entry = at(trial[row], query[row])
    if (!entry) continue
    const start = endOf(word(from, row), word(fromChunk, row))
    stepIn(entry, word(step, row), (name) => ({ step: name, links: [] })).links.push({
      from: start.name === '' ? null : start,
      to: endOf(word(to, row), word(toChunk, row)),
      share: Number.isNaN(share[row]) ? null : share[row],
    })
  }
  return cells
}

/** Null if no router is shown. */
function routesOf(
  { summary: { trials, routing } }: Results,
  { rows, router, arm, query }: NonNullable<Results['routes']>,
  { lists }: Shown,
): Routed[] | null {
  const placeOf = new Map(trials.map(({ id }, at) => [id, at]))
  const names = new Map([...trials, ...routing].map(({ id, name }) => [id, name]))
  const isShown = (id: string) => lists.includes(placeOf.get(id) ?? lists[0])
  const chosen = router.words
    .filter((id) => !placeOf.has(id) || isShown(id))
    .map((id) => ({ id, arms: arm.words.map((name) => ({ name, queries: [] as number[] })) }))
  for (let row = 0; row < rows; row++)
    chosen.find(({ id }) => id === word(router, row))?.arms[arm.codes[row]].queries.push(query[row])
  const routed = chosen.flatMap(({ id, arms }) =>
    arms.map(({ name, queries }) => ({ router: names.get(id) ?? id, arm: name, queries })),
  )
  return chosen.length > 0 ? routed.filter(({ queries }) => queries.length > 0) : null
}

/** Answers of listed trials and without retrieval. */
function answersOn({ rows, trial }: NonNullable<Results['answers']>, { lists }: Shown): number[] {
  const all = [...Array(rows).keys()]
  return all.filter((row) => trial[row] < 0 || lists.includes(trial[row]))
}

function answersOf({ queries }: Results, answers: NonNullable<Results['answers']>, shown: Shown): Answer[][] {
  const keyOf = ({ trial, answerer, query }: OfAnswers, row: number) =>
    `${trial[row]} ${query[row]} ${word(answerer, row)}`
  /** Rows of a table by answer. */
  const about = (table: OfAnswers) => {
    const rows = new Map<string, number[]>()
    for (let row = 0; row < table.rows; row++) addTo(rows, keyOf(table, row), row)
    return rows
  }
  const { citations, reasons, measures } = answers
  const [cites, reasonsOf] = [about(citations), about(reasons)]
  const byQuery = queries.id.map((): Answer[] => [])
  for (const row of answersOn(answers, shown)) {
    const key = keyOf(answers, row)
    const texts = new Map(
      reasonsOf.get(key)?.map((at) => [word(reasons.judge, at), cut(reasons.text[at], shown.max)] as const),
    )
    byQuery[answers.query[row]].push({
      trial: answers.trial[row],
      answerer: word(answers.answerer, row),
      text: cut(answers.answer[row], shown.max),
      failure: cut(answers.failure[row], shown.max),
      values: [...measures].map(([name, values]) => ({
        name,
        value: rounded(values[row]),
        reason: texts.get(name) ?? '',
      })),
      cites: (cites.get(key) ?? []).map((at) => [
        citations.number[at],
        shown.placeOf(citations.chunk[at]),
        cut(citations.text[at], shown.max),
      ]),
    })
  }
  return byQuery
}

export function citedChunks({ answers }: Results, lists: readonly number[]): string[] {
  if (!answers) return []
  const { rows, trial, chunk } = answers.citations
  return [...Array(rows).keys()].flatMap((row) =>
    (trial[row] < 0 || lists.includes(trial[row])) && chunk[row] !== '' ? [chunk[row]] : [],
  )
}

/** Four digits; null for NaN. */
function rounded(value: number): number | null {
  return Number.isNaN(value) ? null : Math.round(value * 1e4) / 1e4
}

export function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : text
}
