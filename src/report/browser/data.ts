import { type Board, type BoardData, trialsOf } from '../board.ts'
import { withColumns } from '../columns.ts'
import type {
  Answer,
  Counts,
  Labels,
  Meta,
  Numbers,
  PackedHit,
  Queries,
  Routed,
  StepRanks,
  Texts,
  Walk,
} from './types.d.ts'

export const meta: Meta = JSON.parse(document.getElementById('meta')?.textContent ?? '{}')

const blocks = new Map<string, Promise<unknown>>()

/** A block, inflated once. */
function block<T>(name: string): Promise<T> {
  const inflated = blocks.get(name) ?? inflate(name)
  blocks.set(name, inflated)
  return inflated as Promise<T>
}

const TYPED = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array }

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

export const trials = () => block<BoardData>('board').then(trialsOf)
export const queries = () => block<Queries>('queries')
export const labels = () => block<Labels>('labels')
export const texts = () => block<Texts>('texts')
export const board = () => {
  columned ??= block<BoardData>('board').then(withColumns)
  return columned
}
let columned: Promise<Board> | undefined
export const routes = async () => (await optional<Routed[]>('routes')) ?? []
export const numbers = (name: 'ranks' | 'stages') => block<Numbers>(name)

/** Entry by list and query; undefined if the trial's results were not stored. */
async function cellOf<T>(name: string, trial: number, query: number): Promise<T | undefined> {
  const place = meta.shape.lists.indexOf(trial)
  if (place < 0) return undefined
  return (await optional<T[]>(name))?.[place * meta.shape.queries + query]
}

export const breakdownOf = async (trial: number, query: number) =>
  (await cellOf<StepRanks[]>('breakdown', trial, query)) ?? []

export const saidOf = async (trial: number, query: number) =>
  (await cellOf<Counts>('said', trial, query)) ?? { counts: [], notes: [] }

export const walksOf = async (trial: number, query: number) =>
  (await cellOf<Walk[]>('walks', trial, query)) ?? []

/** Scores of a trial by query; NaN if it is not judged. */
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

export async function hitsOf(trial: number, query: number): Promise<Hit[] | null> {
  const hits = await cellOf<PackedHit[]>('hits', trial, query)
  return hits?.map(([text, score, gold, mark]) => ({ text, score, hit: gold > 0, mark })) ?? null
}

export interface Hit {
  readonly text: number
  readonly score: number
  readonly hit: boolean
  readonly mark: string
}

export async function countOf(trial: number, name: string): Promise<(query: number) => number | undefined> {
  const queries = [...Array(meta.shape.queries).keys()]
  const all = await Promise.all(queries.map((query) => saidOf(trial, query)))
  const counts = all.map(({ counts }) => new Map(counts).get(name))
  if (counts.every((count) => count === undefined)) return () => undefined
  return (query) => counts[query] ?? 0
}

export async function answersOf(trials: readonly number[], query: number): Promise<Answer[]> {
  const all = (await optional<Answer[][]>('answers'))?.[query] ?? []
  return all.filter(({ trial }) => trial < 0 || trials.includes(trial))
}
