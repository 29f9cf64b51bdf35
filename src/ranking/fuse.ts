import type { Ranking } from '../types.ts'
import { HeadedRanking } from './headed.ts'
import { createInterner } from './intern.ts'
import { type Norm, onScale, scoreScale } from './normalize.ts'
import { rankPairs } from './order.ts'
import { inOrder, sortHead, sortOrder } from './sort.ts'

/**
 * One list from several. With rank_i from 1, s_i the normalised score and w_i the weight of list i:
 *
 *     rrf             sum of w_i / (rrfK + rank_i)
 *     weighted        sum of w_i * s_i
 *     max             max of s_i
 *     multiplicative  product of max(s_i, 0), only for rows found by every list
 *     combmnz         sum of s_i, times the number of lists that found the row
 *
 * A row missing from a list gets nothing from it. Lists are cut, so a row may be missing that its search would have
 * scored: `complete` fills that in. max, multiplicative and combmnz know no weights. Lists are added in their order, so
 * that equal input gives equal bits.
 * Cormack, Clarke, Buettcher, SIGIR 2009 (rrf); Fox and Shaw, TREC-2, 1994 (CombMNZ).
 */
export const FUSIONS = ['rrf', 'weighted', 'max', 'multiplicative', 'combmnz'] as const

/** Scale and weight of one list of a fusion. */
export interface FusionSide {
  /** Above 0. */
  readonly weight: number
  /** The lowest score that the list's search could give; `tmm` reads it. */
  readonly floor?: number
}

export type Fusion =
  | { readonly fusion: 'rrf'; readonly rrfK: number }
  | { readonly fusion: Exclude<(typeof FUSIONS)[number], 'rrf'>; readonly norm: Norm }

/** Heads of fused lists are so long: as deep as an experiment looks where its config says nothing else. */
const HEAD = 100

/** Several rankings over one set of rows: all that their fusions share, whatever the weights. */
export interface Aligned {
  readonly rankings: readonly Ranking[]
  /** The union, in the order of being met. */
  readonly rows: Uint32Array
  /** Index of each row by [ranking][row], from 0; -1 if the ranking does not hold the row. */
  readonly indexes: readonly Int32Array[]
}

export function align(rankings: readonly Ranking[]): Aligned {
  const capacity = rankings.reduce((total, { rows }) => total + rows.length, 0)
  const interner = createInterner(capacity)
  const met = new Uint32Array(capacity)
  const numbers = rankings.map(({ rows }) =>
    rows.map((row) => {
      const number = interner.intern(row)
      met[number] = row
      return number
    }),
  )
  const n = interner.count()
  const indexes = numbers.map((listRows) => {
    const indexOf = new Int32Array(n).fill(-1)
    for (let i = 0; i < listRows.length; i++) indexOf[listRows[i]] = i
    return indexOf
  })
  return { rankings, rows: met.slice(0, n), indexes }
}

/**
 * Extends each list of a union to every row that its search finds. `scores` hold each row's score by [ranking][row]; NaN if
 * the search does not find the row.
 */
export function complete({ rankings, rows }: Aligned, scores: readonly Float64Array[]): Aligned {
  return {
    rankings: rankings.map(({ extremes }, list) => ({ rows, scores: scores[list], extremes })),
    rows,
    indexes: scores.map((values) => Int32Array.from(values, (score, i) => (Number.isNaN(score) ? -1 : i))),
  }
}

/** Fuses lists, one a side, into one as long as their union (`multiplicative`: their intersection). Throws on NaN. */
export function fuse(aligned: Aligned, sides: readonly FusionSide[], how: Fusion): Ranking {
  const { rows } = aligned
  const memory = memoryOf(aligned)
  weigh(aligned, memory, sides, how)
  if (how.fusion === 'multiplicative') return intersection(aligned, memory)
  if (memory.readsWhole || rows.length <= HEAD) return sorted(rows, memory)
  const kept = sortHead(memory.order, { rows, scores: memory.scores }, memory.spare, HEAD)
  return new HeadedRanking(written(rows, memory, kept), rows, () => {
    memory.readsWhole = true
    weigh(aligned, memory, sides, how)
    return sorted(rows, memory)
  })
}

/** Cache between fusions of the same rankings. It saves work and never changes a result. */
interface Memory {
  /** The indexes of `rows`, in the order that the last fusion gave them. */
  readonly order: Uint32Array
  /** True after a read beyond the head of a fused list: the next lists are sorted whole at once. */
  readsWhole: boolean
  /** Scores on the last scale by [ranking][row]; 0 if the ranking does not hold the row. */
  readonly scaled: readonly Float64Array[]
  /** Name of the last scale. */
  scale: string
  /** The fused scores. */
  readonly scores: Float64Array
  /** Scratch, as long as `rows`. */
  readonly spare: Uint32Array
  readonly arena: Arena
}

const memories = new WeakMap<Aligned, Memory>()

function memoryOf(aligned: Aligned): Memory {
  const known = memories.get(aligned)
  if (known) return known
  const n = aligned.rows.length
  const memory = {
    order: new Uint32Array(n).map((_, i) => i),
    readsWhole: false,
    scaled: aligned.rankings.map(() => new Float64Array(n)),
    scale: '',
    scores: new Float64Array(n),
    spare: new Uint32Array(n),
    arena: createArena(),
  }
  memories.set(aligned, memory)
  return memory
}

/** Computes the fused scores. */
function weigh(aligned: Aligned, memory: Memory, sides: readonly FusionSide[], how: Fusion): void {
  const { indexes } = aligned
  const { scores } = memory
  scores.fill(start(how.fusion))
  const scaled = how.fusion === 'rrf' ? [] : scale(aligned, memory, sides, how.norm)
  for (let list = 0; list < indexes.length; list++) {
    const { weight } = sides[list]
    if (how.fusion === 'rrf') addRanks(scores, indexes[list], weight, how.rrfK)
    else if (how.fusion === 'weighted') addScores(scores, scaled[list], weight)
    else if (how.fusion === 'combmnz') addScores(scores, scaled[list], 1)
    else if (how.fusion === 'max') keepBest(scores, scaled[list], indexes[list])
    else multiply(scores, scaled[list])
  }
  if (how.fusion === 'combmnz') for (let i = 0; i < scores.length; i++) scores[i] *= holders(aligned, i)
}

/** Number of lists that hold the row at index `i`. */
function holders({ indexes }: Aligned, i: number): number {
  return indexes.reduce((count, places) => count + (places[i] < 0 ? 0 : 1), 0)
}

/** Initial score of a row, before any list adds to it. */
function start(fusion: Fusion['fusion']): number {
  return fusion === 'max' ? Number.NEGATIVE_INFINITY : fusion === 'multiplicative' ? 1 : 0
}

/** The lists' scores on their scales, kept for the next fusion with the same norm. */
function scale(
  { rankings, indexes }: Aligned,
  memory: Memory,
  sides: readonly FusionSide[],
  norm: Norm,
): readonly Float64Array[] {
  const name = norm === 'tmm' ? `tmm ${sides.map(({ floor }) => floor).join(' ')}` : norm
  if (memory.scale !== name)
    rankings.forEach((ranking, list) => {
      const places = indexes[list]
      const on = scoreScale(ranking, norm, sides[list].floor)
      for (let i = 0; i < places.length; i++)
        if (places[i] >= 0) memory.scaled[list][i] = onScale(ranking.scores[places[i]], on)
    })
  memory.scale = name
  return memory.scaled
}

function addRanks(sums: Float64Array, indexes: Int32Array, weight: number, rrfK: number): void {
  for (let i = 0; i < sums.length; i++) if (indexes[i] >= 0) sums[i] += weight / (rrfK + indexes[i] + 1)
}

/** A row that the list does not hold adds 0. */
function addScores(sums: Float64Array, scores: Float64Array, weight: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] += weight * scores[i]
}

function keepBest(best: Float64Array, scores: Float64Array, indexes: Int32Array): void {
  for (let i = 0; i < best.length; i++) if (indexes[i] >= 0) best[i] = Math.max(best[i], scores[i])
}

/** Two negative factors would make a good product of two bad scores. */
function multiply(products: Float64Array, scores: Float64Array): void {
  for (let i = 0; i < products.length; i++) products[i] *= Math.max(scores[i], 0)
}

/** Ranks the rows that every list holds by fused score. */
function intersection(aligned: Aligned, { scores }: Memory): Ranking {
  const { rows, indexes } = aligned
  const everywhere = [...rows.keys()].filter((i) => holders(aligned, i) === indexes.length)
  return rankPairs(
    everywhere.map((i) => rows[i]),
    everywhere.map((i) => scores[i]),
    everywhere.length,
  )
}

/** The union by the fused scores; sorting begins where the last fusion ended. */
function sorted(rows: Uint32Array, memory: Memory): Ranking {
  sortOrder(memory.order, { rows, scores: memory.scores }, memory.spare)
  return written(rows, memory, rows.length)
}

function written(rows: Uint32Array, { order, scores, arena }: Memory, count: number): Ranking {
  return inOrder(order, { rows, scores }, arena.allocate(count))
}

/** Memory for rankings that are filled at once and mostly forgotten soon. */
interface Arena {
  /** An unfilled ranking of `n` entries. */
  allocate(n: number): Ranking
}

/** At most so many rankings share one piece of memory, which lives as long as any of them. */
const MAX_LISTS = 16

/** Pieces are allocated for more and more lists at once, because allocation costs several times as much as filling. */
export function createArena(): Arena {
  let lists = 1
  let memory = new ArrayBuffer(0)
  let used = 0
  return {
    allocate(n) {
      const bytes = 8 * Math.ceil(1.5 * n)
      if (used + bytes > memory.byteLength) {
        memory = new ArrayBuffer(lists * bytes)
        lists = Math.min(MAX_LISTS, 2 * lists)
        used = 0
      }
      const allocated = {
        rows: new Uint32Array(memory, used + 8 * n, n),
        scores: new Float64Array(memory, used, n),
      }
      used += bytes
      return allocated
    },
  }
}
