import { type Board, trialsOf } from '../board.ts'
import type {
  Answers,
  Citation,
  Labels,
  Meta,
  Numbers,
  PackedBreakdown,
  PackedWalks,
  Queries,
  Routes,
  Said,
  Texts,
} from './types.d.ts'

/** Metadata of the page. */
export const meta: Meta = JSON.parse(document.getElementById('meta')?.textContent ?? '{}')

const blocks = new Map<string, Promise<unknown>>()

/** A block of data: inflated when it is first asked for, then kept. */
function block<T>(name: string): Promise<T> {
  const known = blocks.get(name) ?? inflate(name)
  blocks.set(name, known)
  return known as Promise<T>
}

const TYPED = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array }

async function inflate(name: string): Promise<unknown> {
  const element = document.getElementById(`block-${name}`)
  if (!element) throw new Error(`the page holds no ${name}`)
  const binary = atob(element.textContent ?? '')
  const packed = new Uint8Array(binary.length)
  for (let at = 0; at < packed.length; at++) packed[at] = binary.charCodeAt(at)
  const response = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate')))
  const bytes = await response.arrayBuffer()
  const Typed = TYPED[element.dataset.type as keyof typeof TYPED]
  return Typed ? new Typed(bytes) : JSON.parse(new TextDecoder().decode(bytes))
}

async function optional<T>(name: string): Promise<T | null> {
  return document.getElementById(`block-${name}`) ? block<T>(name) : null
}

/** Trials by their places in the experiment. */
export const trials = () => board().then(trialsOf)
export const queries = () => block<Queries>('queries')
export const labels = () => block<Labels>('labels')
export const texts = () => block<Texts>('texts')
export const markWords = () => block<string[]>('markWords')
export const board = () => block<Board>('board')
export const latex = () => block<string>('latex')
export const routes = () => optional<Routes>('routes')
export const numbers = (name: 'ranks' | 'stages' | 'chunks' | 'hits' | 'listScores' | 'marks') =>
  block<Numbers>(name)

export interface StepRanks {
  readonly step: string
  readonly ranks: readonly number[]
  readonly scores: readonly number[]
}

/** Ranks (0: not in the list) and scores of a trial's first results after each step, in order; empty if they were not stored. */
export async function breakdownOf(trial: number, query: number): Promise<StepRanks[]> {
  return cellOf(await optional<PackedBreakdown>('breakdown'), trial, query).map(([step, flat]) => ({
    step,
    ranks: flat.filter((_, at) => at % 2 === 0),
    scores: flat.filter((_, at) => at % 2 === 1),
  }))
}

interface WalkEnd {
  readonly name: string
  readonly text: number
}
export interface Walk {
  readonly step: string
  readonly links: readonly {
    readonly from: WalkEnd | null
    readonly to: WalkEnd
    readonly share: number | null
  }[]
}

/** Walks of a trial over a graph: starts with their shares, then links; `from` is null for the question. */
export async function walksOf(trial: number, query: number): Promise<Walk[]> {
  const all = await optional<PackedWalks>('walks')
  const end = (at: number): WalkEnd => {
    const [name, text] = all?.ends[at] ?? ['', -1]
    return { name, text }
  }
  return cellOf(all, trial, query).map(([step, flat]) => ({
    step,
    links: flat.flatMap((from, at) => {
      if (at % 3 !== 0) return []
      const [to, share] = [flat[at + 1], flat[at + 2]]
      return [{ from: from < 0 ? null : end(from), to: end(to), share: share < 0 ? null : share }]
    }),
  }))
}

function cellOf(packed: PackedBreakdown | null, trial: number, query: number): [string, readonly number[]][] {
  const { lists, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (!packed || place < 0) return []
  const cell = packed.cells[place * count + query]
  return cell.flatMap((step, at) =>
    at % 2 === 0 ? [[packed.steps[Number(step)], cell[at + 1] as readonly number[]]] : [],
  )
}

/** Every query's score of one trial, by its place in the experiment's trials, in one measure: NaN where a query is not judged. */
export async function scoresOf(trial: number, measure: string): Promise<Float64Array> {
  const { queries: count, trials: columns, measures } = meta.shape
  const [place, column] = [measures.indexOf(measure), columns.indexOf(trial)]
  if (place < 0 || column < 0) throw new Error(`no scores of trial ${trial} in ${measure}`)
  const [codes, values] = await Promise.all([
    block<Numbers>(`scores${place}`),
    block<number[]>(`values${place}`),
  ])
  return Float64Array.from({ length: count }, (_, query) => {
    const code = codes[query * columns.length + column]
    return code === 0 ? Number.NaN : values[code - 1]
  })
}

export interface Hit {
  readonly text: number
  readonly score: number
  readonly hit: boolean
  readonly mark: string
}

/** Results of a trial for a query; null if they were not stored. */
export async function hitsOf(trial: number, query: number): Promise<Hit[] | null> {
  const { lists, ranks, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return null
  const parts = ['chunks', 'hits', 'listScores', 'marks'] as const
  const [[chunks, hits, scores, marks], words] = await Promise.all([
    Promise.all(parts.map(numbers)),
    markWords(),
  ])
  const start = (place * count + query) * ranks
  const found: Hit[] = []
  for (let cell = start; cell < start + ranks; cell++)
    if (chunks[cell] > 0)
      found.push({
        text: chunks[cell] - 1,
        score: scores[cell],
        hit: hits[cell] > 0,
        mark: marks[cell] > 0 ? words[marks[cell] - 1] : '',
      })
  return found
}

export interface Counts {
  readonly counts: readonly (readonly [name: string, value: number])[]
  readonly notes: readonly (readonly [name: string, text: string])[]
}

/** Counters and notes of a trial's steps for a query, by name; empty if its results were not stored. */
export async function saidOf(trial: number, query: number): Promise<Counts> {
  const { lists, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return { counts: [], notes: [] }
  const { names, texts: all, counted, noted } = await block<Said>('said')
  const cell = place * count + query
  return {
    counts: pairs(counted[cell]).map(([name, value]) => [names[name], value]),
    notes: pairs(noted[cell]).map(([name, text]) => [names[name], all[text]]),
  }
}

/** A trial's counter of a name, by query: undefined if no step has it, 0 if it did not count for the query. */
export async function countOf(trial: number, name: string): Promise<(query: number) => number | undefined> {
  const { lists, queries: count } = meta.shape
  const place = lists.indexOf(trial)
  if (place < 0) return () => undefined
  const { names, counted } = await block<Said>('said')
  const own = counted.slice(place * count, (place + 1) * count).map(pairs)
  const wanted = names.indexOf(name)
  if (!own.some((cell) => cell.some(([at]) => at === wanted))) return () => undefined
  return (query) => own[query].find(([at]) => at === wanted)?.[1] ?? 0
}

export interface Answer {
  readonly trial: number
  readonly answerer: string
  readonly text: string
  readonly failure: string
  readonly values: readonly {
    readonly name: string
    readonly value: number | null
    readonly reason: string
  }[]
  readonly cites: readonly Citation[]
}

/** Answers to a query from the given trials and without retrieval, each with its measures; none if the page has no answers. */
export async function answersOf(trials: readonly number[], query: number): Promise<Answer[]> {
  const all = await optional<Answers>('answers')
  if (!all) return []
  return all.query.flatMap((of, row) => {
    const trial = all.trial[row]
    if (of !== query || (trial >= 0 && !trials.includes(trial))) return []
    const values = all.names.map((name, place) => ({
      name,
      value: all.values[place][row],
      reason: all.reasons[row].find(([of]) => of === place)?.[1] ?? '',
    }))
    const [answerer, text, failure] = [all.answerer[row], all.answer[row], all.failure[row]]
    return [{ trial, answerer, text, failure, values, cites: all.cites[row] }]
  })
}

function pairs(flat: readonly number[]): [number, number][] {
  return flat.flatMap((first, at): [number, number][] => (at % 2 === 0 ? [[first, flat[at + 1]]] : []))
}
