import fc from 'fast-check'
import type { GradedRanking } from '../../src/metrics/define.ts'

/** Any Judged: up to 30 labels of grades -1 to 4 over a ranking of up to 60. */
export const anyJudged: fc.Arbitrary<GradedRanking> = fc
  .record({
    grades: fc.array(fc.constantFrom(-1, 0, 0, 0, 1, 1, 2, 3, 4), { maxLength: 30, size: 'medium' }),
    retrieved: fc.integer({ min: 0, max: 60 }),
    seed: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
  })
  .map(({ grades, retrieved, seed }) => {
    const places = Array.from({ length: retrieved }, (_, place) => place + 1)
    places.sort((a, b) => seed[a - 1] - seed[b - 1] || a - b)
    // About half of the labels are retrieved, where the ranking has room.
    const ranks = grades.map((_, label) => (seed[label] % 2 === 0 ? (places[label] ?? 0) : 0))
    const tokens = ranks.map((rank) => (rank === 0 ? Number.POSITIVE_INFINITY : rank * 120))
    return {
      grades: Int32Array.from(grades),
      ranks: Int32Array.from(ranks),
      retrieved,
      tokens: Float64Array.from(tokens),
      firstTokens: Uint32Array.from({ length: 60 }, (_, place) => 120 * Math.min(place + 1, retrieved)),
      evidenceTokens: 300,
      contains: Uint8Array.from({ length: retrieved }, (_, place) => seed[place] % 2),
      entities: Int32Array.of(1, 2, 0).map((rank) => (rank <= retrieved ? rank : 0)),
      facts: Int32Array.of(2, 3).map((rank) => (rank <= retrieved ? rank : 0)),
      foreign: {
        source: Uint8Array.from({ length: retrieved }, (_, place) => (seed[place] % 3 === 0 ? 1 : 0)),
      },
    }
  })
