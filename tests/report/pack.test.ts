import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packBoard } from '../../src/report/detail/board.ts'
import { type Block, integerBlock } from '../../src/report/detail/encode.ts'
import { packSaid, packTrials } from '../../src/report/detail/pack.ts'
import { leaderboardOf } from '../../src/report/leaderboard-rows.ts'
import { smallSummary } from './small-summary.ts'

const decoded = ({ base64 }: Block) => JSON.parse(inflateSync(Buffer.from(base64, 'base64')).toString())

test('whole numbers take as few bytes as the largest needs', () => {
  const largest = [0, 255, 256, 65_535, 65_536]
  expect(largest.map((value) => integerBlock([1, value, 2]).type)).toEqual(['u8', 'u8', 'u16', 'u16', 'u32'])
})

test('what steps said: texts and numbers by list and query, of the shown lists alone', () => {
  const rows = [
    // Trial, query, name, text, number.
    [4, 0, 'terms', 'one', 0],
    [4, 0, 'hops', null, 3],
    [4, 1, 'terms', 'other', 0],
    [4, 1, 'terms', 'one', 0],
    [9, 1, 'hops', null, 0],
    [5, 0, 'unshown', 'unshown', 0],
    [4, 0, 'gold: rank', null, 1],
    [4, 0, 'retrieved', null, 1],
  ] as const
  const coded = (values: readonly (string | null)[]) => {
    const words = [...new Set(values.filter((value) => value !== null))]
    return { words, codes: Int32Array.from(values, (value) => (value === null ? -1 : words.indexOf(value))) }
  }
  const diagnostics = {
    rows: rows.length,
    trial: rows.map(([trial]) => trial),
    query: rows.map(([, query]) => query),
    name: coded(rows.map(([, , name]) => name)),
    text: coded(rows.map(([, , , text]) => text)),
    value: rows.map(([, , , , value]) => value),
  }
  const results = { diagnostics, queries: { id: ['q0', 'q1'] } } as unknown as Parameters<typeof packSaid>[0]
  expect(decoded(packSaid(results, [9, 4], 3))).toEqual({
    names: ['terms', 'hops', 'gold: rank'],
    texts: ['one', expect.stringMatching(/^ot/)],
    // List 9 with both queries, then list 4.
    counted: [[], [1, 0], [1, 3, 2, 1], []],
    noted: [[], [], [0, 0], [0, 1, 0, 0]],
  })
})

test('params that vary in a strategy are shown for each of its trials, with defaults', () => {
  const trial = (strategy: string, varied: object, params: object) => ({
    id: `${strategy}${JSON.stringify(varied)}`,
    name: strategy,
    strategy,
    varied,
    params,
    measures: {},
    funnel: [{ stage: 'found', lost: 0 }],
    failures: [],
    perQuery: {},
    channels: {},
  })
  const trials = [
    trial('bm25', { k1: 1 }, { k1: 1, b: 0.4 }),
    trial('bm25', { k1: 2, b: 0.5 }, { k1: 2, b: 0.5 }),
    trial('bm25', {}, { k1: 0.9, b: 0.4 }),
    trial('naive', {}, { top: 3 }),
  ]
  const summary = { trials, measures: ['mrr'], primary: 'mrr' } as unknown as Parameters<typeof packTrials>[0]
  const board = { ranked: [0, 1, 2, 3], seen: [] } as unknown as Parameters<typeof packTrials>[1]
  expect(decoded(packTrials(summary, board)).varied).toEqual([
    { k1: 1, b: 0.4 },
    { k1: 2, b: 0.5 },
    { k1: 0.9, b: 0.4 },
    {},
  ])
})

test('rows and categories beyond what the page holds are counted', () => {
  const categories = Array.from({ length: 30 }, (_, index) => ({ name: `c${index}`, queries: 4 }))
  const trials = Array.from({ length: 1003 }, (_, index) => ({ name: `t${index}`, mean: index / 2000 }))
  const summary = smallSummary({ trials })
  const dataset = { ...summary.dataset, categories }
  const board = decoded(packBoard(leaderboardOf({ ...summary, dataset }, null)))
  expect([board.ranked.length, board.leftOut]).toEqual([1000, 3])
  expect([board.categories.length, board.allCategories]).toEqual([24, 30])
})
