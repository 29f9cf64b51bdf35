import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgedUnits } from '../../../src/experiment/shard/judged-units.ts'
import { createLocator, type ShardLabels } from '../../../src/experiment/shard/locate.ts'
import { rankPairs } from '../../../src/ranking/order.ts'
import { collapseSpans } from '../../collapse-spans.ts'

const labelsOf = (units: readonly number[]): ShardLabels => ({
  ids: units.map(String),
  grades: new Int32Array(units.length).fill(1),
  units: Int32Array.from(units),
})

/** Chunks with their unit, score and cost; some retrieved. Units are in any order, as ids may make them. */
const corpus = fc.array(
  fc.record({
    unit: fc.nat(6),
    score: fc.integer({ min: 0, max: 3 }),
    tokens: fc.integer({ min: 1, max: 9 }),
    found: fc.boolean(),
  }),
  { maxLength: 20 },
)

function rankingOf(chunks: readonly { score: number; found: boolean }[]) {
  const rows = chunks.flatMap(({ found }, row) => (found ? [row] : []))
  return rankPairs(
    rows,
    rows.map((row) => chunks[row].score),
    rows.length,
  )
}

test('a label has the rank of its unit in the collapsed ranking, and the tokens up to its first chunk', () => {
  fc.assert(
    fc.property(corpus, fc.integer({ min: 1, max: 8 }), (chunks, depth) => {
      const unitOf = Uint32Array.from(chunks, ({ unit }) => unit)
      const tokens = Uint32Array.from(chunks, (chunk) => chunk.tokens)
      const ranking = rankingOf(chunks)
      const labels = labelsOf([3, -1, 0, 5])
      const locator = createLocator(unitOf, 7, tokens, 4)
      const { ranks, scores, tokens: at, retrieved, firstTokens } = locator.locate(ranking, labels, depth)
      const collapsed = collapseSpans(ranking, unitOf)
      expect(retrieved).toBe(Math.min(depth, collapsed.rows.length))
      // Of the chunks as they were retrieved, however they collapse and wherever the ranking is cut.
      expect([...firstTokens]).toEqual(
        [1, 2, 3, 4].map((sent) => ranking.rows.subarray(0, sent).reduce((sum, row) => sum + tokens[row], 0)),
      )
      labels.units.forEach((unit, label) => {
        const rank = collapsed.rows.indexOf(unit) + 1
        const isRanked = rank > 0 && rank <= depth
        expect(ranks[label]).toBe(isRanked ? rank : 0)
        expect(scores[label]).toBe(isRanked ? collapsed.scores[rank - 1] : Number.NaN)
        const first = [...ranking.rows].findIndex((row) => unitOf[row] === unit)
        const cost = [...ranking.rows.subarray(0, first + 1)].reduce((sum, row) => sum + tokens[row], 0)
        expect(at[label]).toBe(isRanked ? cost : Number.POSITIVE_INFINITY)
        expect(locator.holds(ranking.rows, labels)[label]).toBe(rank > 0 ? 1 : 0)
      })
    }),
  )
})

test('ties: the block of equal scores that each label stands in, followed past depth', () => {
  fc.assert(
    fc.property(corpus, fc.integer({ min: 1, max: 8 }), (chunks, depth) => {
      const unitOf = Uint32Array.from(chunks, ({ unit }) => unit)
      const ranking = rankingOf(chunks)
      const labels = labelsOf([3, -1, 0, 5, 6])
      const { ties } = createLocator(unitOf, 7, new Uint32Array(chunks.length), 1).locate(
        ranking,
        labels,
        depth,
      )
      const { rows, scores } = collapseSpans(ranking, unitOf)
      const blocks = Array.from(labels.units, (unit) => {
        const place = rows.indexOf(unit)
        const [first, last] = [scores.indexOf(scores[place]), scores.lastIndexOf(scores[place])]
        return place < 0 || first >= depth ? [0, 0, 0] : [place + 1, first + 1, last + 1]
      })
      if (blocks.every(([, first, last]) => first === last)) expect(ties).toBeNull()
      else
        expect([ties?.ranks, ties?.firstTied, ties?.lastTied].map((column) => [...(column ?? [])])).toEqual(
          [0, 1, 2].map((at) => blocks.map((block) => block[at])),
        )
    }),
  )
})

describe('spans', () => {
  const chunk = (id: string, documentId: string, start: number, end: number) => ({
    id,
    documentId,
    start,
    end,
    position: 0,
    section: [],
    title: '',
    text: '',
    metadata: {},
    tokens: end - start,
  })
  // Two windows of `a` overlap; `b` has a hole that no chunk covers.
  const chunks = [chunk('a#0', 'a', 0, 10), chunk('a#1', 'a', 6, 20), chunk('b#0', 'b', 0, 5)]
  const { unitOf, indexed, placed } = judgedUnits('span', chunks, [{ id: 'a' }, { id: 'b' }])
  const locator = createLocator(unitOf, indexed.length, Uint32Array.of(10, 14, 5), 2)

  test('agree with looking at every chunk', () => {
    const span = fc.tuple(fc.constantFrom('a', 'b'), fc.nat(20), fc.integer({ min: 1, max: 9 }))
    const order = fc.shuffledSubarray([0, 1, 2])
    fc.assert(
      fc.property(fc.array(span, { maxLength: 90 }), order, (spans, rows) => {
        const names = spans.map(([document, start, length]) => `${document}:${start}-${start + length}`)
        const labels = { ids: names, grades: new Int32Array(names.length).fill(1), ...placed(names) }
        const ranking = { rows: Uint32Array.from(rows), scores: Float64Array.from(rows, (_, at) => -at) }
        const { ranks } = locator.locate(ranking, labels, 10)
        spans.forEach(([document, start, length], label) => {
          const first = rows.findIndex(
            (row) =>
              chunks[row].documentId === document &&
              chunks[row].start < start + length &&
              start < chunks[row].end,
          )
          expect(ranks[label]).toBe(first + 1)
        })
      }),
    )
  })
})
