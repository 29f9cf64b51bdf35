import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createArena } from '../../src/ranking/fuse.ts'
import { inOrder, sortHead, sortOrder } from '../../src/ranking/sort.ts'

/** Few distinct values, so that ties are the rule; numbers that hardly differ; both zeros, which are equal. */
const score = fc.oneof(fc.constantFrom(0, -0, 5e-324, 1, 2, -1), fc.double({ noNaN: true }))
const entries = fc
  .uniqueArray(fc.nat(2000), { maxLength: 200 })
  .chain((rows) =>
    fc
      .array(score, { minLength: rows.length, maxLength: rows.length })
      .map((scores) => ({ rows: Uint32Array.from(rows), scores: Float64Array.from(scores) })),
  )
const places = (n: number) => Array.from({ length: n }, (_, place) => place)

function oracle({ rows, scores }: { rows: Uint32Array; scores: Float64Array }): number[] {
  return places(rows.length).sort((a, b) => scores[b] - scores[a] || rows[b] - rows[a])
}

describe('sortOrder', () => {
  it('gives the one order, whatever order it begins with', () => {
    const begun = entries.chain((all) =>
      fc
        .shuffledSubarray(places(all.rows.length), { minLength: all.rows.length })
        .map((start) => ({ all, start })),
    )
    fc.assert(
      fc.property(begun, fc.nat(20), ({ all, start }, moves) => {
        const sorted = oracle(all)
        const nearly = [...sorted]
        for (let i = 0; i < Math.min(moves, nearly.length - 1); i++) {
          const [from, to] = [start[i], start[start.length - 1 - i]]
          nearly.splice(to, 0, ...nearly.splice(from, 1))
        }
        for (const head of [start, nearly, sorted, [...sorted].reverse()]) {
          const order = Uint32Array.from(head)
          sortOrder(order, all, new Uint32Array(order.length))
          expect([...order]).toEqual(sorted)
        }
      }),
    )
  })
})

describe('sortHead', () => {
  it('puts the first in front with all that tie with the last, whatever order it begins with', () => {
    const begun = entries
      .filter(({ rows }) => rows.length > 0)
      .chain((all) =>
        fc.record({
          all: fc.constant(all),
          start: fc.shuffledSubarray(places(all.rows.length), { minLength: all.rows.length }),
          count: fc.integer({ min: 1, max: all.rows.length }),
        }),
      )
    fc.assert(
      fc.property(begun, ({ all, start, count }) => {
        const order = Uint32Array.from(start)
        const kept = sortHead(order, all, new Uint32Array(order.length), count)
        const sorted = oracle(all)
        const last = all.scores[sorted[count - 1]]
        expect(kept).toBe(sorted.filter((place) => all.scores[place] >= last).length)
        expect([...order.subarray(0, kept)]).toEqual(sorted.slice(0, kept))
        expect([...order].sort()).toEqual([...start].sort())
      }),
    )
  })
})

describe('inOrder', () => {
  it('writes entries in the order, -0 as 0', () => {
    const entries = { rows: Uint32Array.of(7, 8, 9), scores: Float64Array.of(0, -0, 1) }
    const ranking = inOrder(Uint32Array.of(2, 0, 1), entries, createArena().allocate(3))
    expect([...ranking.rows]).toEqual([9, 7, 8])
    expect([...ranking.scores]).toEqual([1, 0, 0])
  })
})
