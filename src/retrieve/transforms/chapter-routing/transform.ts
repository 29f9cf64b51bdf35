import { z } from 'zod'
import type { Ranking } from '../../../types.ts'
import { defineStep } from '../../step.ts'
import { defineRankingTransform } from '../define.ts'
import { CHAPTERS_BY, type Routed, routeToChapters } from './steps.ts'

const keepRouted = defineStep<
  { readonly rest: 'drop' | 'below' },
  [Ranking, Routed],
  Record<never, never>,
  Ranking
>({
  name: 'chapter-routing',
  version: 1,
  yields: 'ranking',
  run([ranking, { rows }], { params: { rest } }) {
    if (!rows) return ranking
    const routed = new Set(rows)
    const places = [...ranking.rows.keys()]
    const kept = places.filter((i) => routed.has(ranking.rows[i]))
    if (rest === 'drop') return take(ranking, kept, (i) => ranking.scores[i])
    const order = [...kept, ...places.filter((i) => !routed.has(ranking.rows[i]))]
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
 * Searches a few chapters alone: the `top` that a first ranking speaks for, by the best or the sum of the scores of their chunks in
 * it. Other chunks are dropped or ranked below. A chapter is the text under one outermost heading of a document, or
 * the document. Where the chapters together have less than `share` of all scores, no chapter stands out, and all stands.
 *
 * `routedGold` of the counters is the share of queries with gold in the chapters (the seed's evaluability), `searchedShare` how
 * much of the corpus they are.
 */
export const chapterRouting = defineRankingTransform({
  kind: 'ranking',
  name: 'chapter-routing',
  summary: 'keeps chunks of the best chapters of the ranking',
  source: 'seed document 000, chapter routing',
  params: z.strictObject({
    top: z.int().min(1).max(10_000).default(8).describe('chapters searched'),
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
    share: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe('minimum share of all scores in these chapters; otherwise all chunks are searched'),
    rest: z.enum(['drop', 'below']).default('drop').describe('treatment of all other chunks'),
  }),
  apply({ ranking, params: { rest, ...routing } }) {
    return keepRouted([ranking, routeToChapters([ranking], routing)], { rest })
  },
})
