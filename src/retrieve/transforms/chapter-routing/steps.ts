import { textUnits } from '../../../corpus/corpus.ts'
import type { Recipe } from '../../../corpus/recipe.ts'
import { normalize } from '../../../ranking/normalize.ts'
import { derived } from '../../../store/artifact.ts'
import type { Chunk, Ranking } from '../../../types.ts'
import { defineStep } from '../../step.ts'

export const CHAPTERS_BY = ['heading', 'document'] as const
type Params = {
  readonly by: (typeof CHAPTERS_BY)[number]
  readonly top: number
  readonly score: 'best' | 'sum'
  readonly share: number
}

/** The chapters that a query is routed to. */
export interface Routed {
  /** The rows of all their chunks; null if the query is not routed and the ranking is unchanged. */
  readonly rows: Uint32Array | null
  /** Their share of the corpus's chunks, 0 to 1. */
  readonly searched: number
}

/** Chooses chapters by a first ranking (transforms/chapter-routing.ts). */
export const routeToChapters = defineStep({
  name: 'route-to-chapters',
  version: 1,
  artifacts: (recipe, { by }: Params) => ({ chapters: chaptersOf(recipe, by) }),
  counts: ({ searched }: Routed) => ({ searchedShare: searched }),
  finds: ({ rows }: Routed) => ({ routedGold: rows ? [rows] : [] }),
  fellBack: ({ rows }: Routed) => (rows ? null : 'no chapter stands out'),
  run([ranking]: readonly [Ranking], { params, artifacts: { chapters } }): Routed {
    const scores = scoreChapters(ranking, chapters.of, params.score)
    const best = [...scores].sort(([a, one], [b, other]) => other - one || a - b).slice(0, params.top)
    const sum = (list: Iterable<readonly [number, number]>) =>
      [...list].reduce((total, [, one]) => total + one, 0)
    if (best.length === 0 || sum(best) < params.share * sum(scores)) return { rows: null, searched: 1 }
    const lists = best.map(([chapter]) => chapters.rows[chapter])
    const rows = Uint32Array.from(lists.flatMap((list) => [...list])).sort()
    return { rows, searched: rows.length / chapters.of.length }
  },
})

/** Score of each chapter in a ranking: the maximum or the sum of its chunks' scores, scaled to 0 to 1. */
export function scoreChapters(ranking: Ranking, of: Uint32Array, how: Params['score']): Map<number, number> {
  const scores = new Map<number, number>()
  normalize(ranking, 'minmax').forEach((score, i) => {
    const chapter = of[ranking.rows[i]]
    const before = scores.get(chapter) ?? 0
    scores.set(chapter, how === 'sum' ? before + score : Math.max(before, score))
  })
  return scores
}

/** Chunk row -> chapter, and the chunks of each. */
function chaptersOf(recipe: Recipe, by: Params['by']) {
  return derived('chapters', { chunks: textUnits(recipe) }, ({ chunks }) => groupChapters(chunks, by), { by })
}

type InChapter = Pick<Chunk, 'id' | 'documentId' | 'section'>

export function groupChapters(
  chunks: readonly InChapter[],
  by: Params['by'],
): { readonly of: Uint32Array; readonly rows: readonly Uint32Array[] } {
  const numbers = new Map<string, number>()
  const of = Uint32Array.from(chunks, (chunk) => {
    const name = JSON.stringify(by === 'document' ? [chunk.documentId] : headingOf(chunk))
    const number = numbers.get(name) ?? numbers.size
    numbers.set(name, number)
    return number
  })
  const rows: number[][] = Array.from({ length: numbers.size }, () => [])
  of.forEach((chapter, row) => {
    rows[chapter].push(row)
  })
  return { of, rows: rows.map((list) => Uint32Array.from(list)) }
}

/** A passage that another program cut is its own document, so its heading alone names the chapter. */
function headingOf({ id, documentId, section: [heading] }: InChapter): unknown[] {
  return id === documentId && heading !== undefined ? [heading] : [documentId, heading]
}
