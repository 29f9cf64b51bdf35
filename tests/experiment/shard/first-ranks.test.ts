import { describe, expect, test } from 'vitest'
import { createBlocks } from '../../../src/experiment/shard/blocks.ts'
import { failureOf, rankingFailure } from '../../../src/experiment/shard/failures.ts'
import { createFirstRanks, firstMarks, holdFirstRanks } from '../../../src/experiment/shard/first-ranks.ts'
import { rankPairs } from '../../../src/ranking/order.ts'

const ranked = (...rows: number[]) =>
  rankPairs(
    rows,
    rows.map((_, rank) => 9 - rank),
    rows.length,
  )

describe('first ranks', () => {
  test('hold the first ranks of each ranking, at most twenty', () => {
    expect(createFirstRanks(3, 50)).toMatchObject({ ranks: 20, counts: new Uint8Array(3) })
    expect(createFirstRanks(3, 50).rows).toHaveLength(60)
    const first = createFirstRanks(3, 2)
    holdFirstRanks(first, 1, ranked(7, 5, 3))
    holdFirstRanks(first, 2, ranked(4))
    expect(first).toEqual({
      ranks: 2,
      counts: Uint8Array.of(0, 2, 1),
      rows: Uint32Array.of(0, 0, 7, 5, 4, 0),
      scores: Float64Array.of(0, 0, 9, 8, 9, 0),
    })
    const marks = new Map([
      [5, 'graph'],
      [4, 'dense'],
      [0, 'lexical'],
      [3, 'rest'],
    ])
    expect([0, 1, 2].map((at) => firstMarks(first, at, marks))).toEqual([
      null,
      { 5: 'graph' },
      { 4: 'dense' },
    ])
  })
})

describe('a failure', () => {
  const step = (name: string) => ({ step: { name } })
  const trial = (more: object = {}) =>
    ({ strategy: '/own/mine.ts', ranking: step('rank'), evidence: undefined, ...more }) as never
  const good = { number: 0, value: ranked(1, 0) }
  const failed = { number: 0, failure: { step: 'search', message: 'no luck' } }
  const noRanking = (problem: string) => ({
    step: 'rank',
    message: `the strategy mine.ts gave no ranking: ${problem}`,
  })

  test('is that of a step, or an output that is no ranking', () => {
    expect(rankingFailure(trial(), good, 2)).toBeNull()
    expect(rankingFailure(trial(), failed, 2)).toEqual(failed.failure)
    const form = 'a ranking is {rows: Uint32Array, scores: Float64Array}; it is missing'
    expect(rankingFailure(trial(), undefined, 2)).toEqual(noRanking(form))
    // A file of one's own is checked to the last row.
    expect(rankingFailure(trial(), good, 1)).toBeNull()
    expect(rankingFailure(trial({ sha256: 'x' }), good, 1)).toEqual(
      noRanking('row 1 is not a chunk; there are 1, counted from 0'),
    )
  })

  test('may be one of the evidence, after that of the ranking', () => {
    const cited = trial({ evidence: step('cite') })
    const lacks = {
      step: 'cite',
      message: 'the strategy mine.ts gave no evidence: a list of {kind, id, text, tokens}',
    }
    const evidence = (value: unknown) => failureOf(cited, good, { number: 0, value }, 2)
    expect([evidence([]), evidence([{ tokens: 3 }])]).toEqual([null, null])
    for (const value of [undefined, 3, [{ tokens: 3 }, {}], [{ tokens: 0.5 }], [null]])
      expect(evidence(value)).toEqual(lacks)
    expect(failureOf(cited, good, undefined, 2)).toEqual(lacks)
    expect(failureOf(cited, good, failed, 2)).toEqual(failed.failure)
    expect(failureOf(trial(), good, failed, 2)).toEqual(failed.failure)
    expect(failureOf(trial(), good, undefined, 2)).toBeNull()
    expect(failureOf(cited, failed, undefined, 2)).toEqual(failed.failure)
  })
})

describe('blocks of equal scores', () => {
  /** Units best first: their labels, and whether the score is that of the unit before. */
  const ties = (units: readonly (readonly [isTied: boolean, ...labels: number[]])[], labels = 4) => {
    const blocks = createBlocks()
    // A former ranking leaves nothing behind.
    for (const given of [units.toReversed(), units]) {
      blocks.start(labels)
      for (const [isTied, ...own] of given) {
        blocks.meet(isTied)
        for (const label of own) blocks.note(label)
      }
      if (given === units) return blocks.ties(labels)
      blocks.ties(labels)
    }
    return undefined
  }

  test('give a label the first and the last position of its block', () => {
    expect(ties([[false, 0], [false, 1], [true], [true, 2], [false]])).toEqual({
      ranks: Int32Array.of(1, 2, 4, 0),
      firstTied: Int32Array.of(1, 2, 2, 0),
      lastTied: Int32Array.of(1, 4, 4, 0),
    })
  })

  test('are none where no label shares its score with another unit', () => {
    expect(ties([[false, 0], [false, 1, 2], [false]])).toBeNull()
    // Only units without a label are tied.
    expect(ties([[false, 0], [false], [true], [false, 1]])).toBeNull()
  })

  test('count a label once, at its first unit, and take as many labels as there are', () => {
    const blocks = createBlocks()
    blocks.start(100)
    blocks.meet(false)
    expect([blocks.note(99), blocks.note(99)]).toEqual([true, false])
    blocks.meet(true)
    expect([blocks.note(99), blocks.note(3)]).toEqual([false, true])
    const found = blocks.ties(100)
    expect([found?.ranks.length, found?.ranks[99], found?.ranks[3]]).toEqual([100, 1, 2])
    expect([found?.firstTied[3], found?.lastTied[3], found?.lastTied[99]]).toEqual([1, 2, 2])
  })
})
