import { z } from 'zod'
import { textUnits } from '../../corpus/corpus.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { normalize } from '../../ranking/normalize.ts'
import { derived } from '../../store/artifact.ts'
import type { Chunk, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { count, share } from '../steps/params.ts'
import { defineRankingTransform } from './index.ts'

const CHAPTERS_BY = ['heading', 'document'] as const
type Params = {
  readonly by: (typeof CHAPTERS_BY)[number]
  readonly top: number
  readonly score: 'best' | 'sum'
  readonly share: number
}

interface Routed {
  readonly rows: Uint32Array | null
  /** The chapters' share of the corpus's chunks, 0 to 1. */
  readonly searched: number
}

export const routeToChapters = defineStep({
  name: 'route-to-chapters',
  artifacts: (recipe, { by }: Params) => ({ chapters: chaptersOf(recipe, by) }),
  facts: ({ searched, rows }: Routed) => ({
    counts: { searchedShare: searched },
    finds: { routedGold: rows ? [rows] : [] },
    fellBack: rows ? null : 'no chapter stands out',
  }),
  run([ranking]: [Ranking], { params, artifacts: { chapters } }): Routed {
    const scores = scoreChapters(ranking, chapters.of, params.score)
    const best = [...scores].sort(([a, score], [b, other]) => other - score || a - b).slice(0, params.top)
    const sum = (list: Iterable<readonly [number, number]>) =>
      [...list].reduce((total, [, score]) => total + score, 0)
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

const keepRouted = defineStep<{ readonly rest: 'drop' | 'below' }, [Ranking, Routed], Ranking>({
  name: 'chapter-routing',
  yields: 'ranking',
  run([ranking, { rows }], { params: { rest } }) {
    if (!rows) return ranking
    const routed = new Set(rows)
    const places = [...ranking.rows.keys()]
    const routedPlaces = places.filter((i) => routed.has(ranking.rows[i]))
    if (rest === 'drop') return take(ranking, routedPlaces, (i) => ranking.scores[i])
    const order = [...routedPlaces, ...places.filter((i) => !routed.has(ranking.rows[i]))]
    // Their own scores are in another order.
    return take(ranking, order, (_, place) => order.length - place)
  },
})

function take(
  { rows }: Ranking,
  places: readonly number[],
  score: (i: number, place: number) => number,
): Ranking {
  return { rows: Uint32Array.from(places, (i) => rows[i]), scores: Float64Array.from(places, score) }
}

/**
 * Counters: `routedGold` is the share of queries with gold in the chapters, `searchedShare` the chapters' share of the
 * corpus.
 */
export default defineRankingTransform({
  name: 'chapter-routing',
  summary: 'keeps chunks of the best chapters of the ranking',
  source: 'seed document 000, chapter routing',
  params: z.strictObject({
    top: count(8, 'chapters searched', 10_000),
    by: z
      .enum(CHAPTERS_BY)
      .default('heading')
      .describe(
        'definition of a chapter: an outermost heading of a document, or the document; if each passage is a document, the heading alone',
      ),
    score: z
      .enum(['best', 'sum'])
      .default('best')
      .describe("a chapter's score: its best chunk's, or the sum of all, which favours long chapters"),
    share: share(0, 'minimum share of all scores in these chapters; otherwise all chunks are searched'),
    rest: z.enum(['drop', 'below']).default('drop').describe('treatment of all other chunks'),
  }),
  make: ({ rest, ...routing }) => ({
    rank: (ranking) => keepRouted([ranking, routeToChapters([ranking], routing)], { rest }),
  }),
})
