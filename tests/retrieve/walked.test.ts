import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { breakdownOf, openWalks, rankingsRead } from '../../src/retrieve/explain.ts'
import { expressionsOf } from '../../src/retrieve/step.ts'
import { linksOf, type Walked, type WalkLink } from '../../src/retrieve/walked.ts'
import type { Ranking } from '../../src/types.ts'
import { documents } from '../fixtures/passages.ts'
import { prepare, retrieved } from './strategies/prepared.ts'

/** Nodes 0 to 6 are entities a to g, and 10 + r is chunk r. */
function walk(
  starts: readonly (readonly [node: number, weight: number])[],
  edges: Record<number, number[]>,
): Walked {
  return {
    starts: {
      nodes: Uint32Array.from(starts, ([node]) => node),
      weights: Float64Array.from(starts, ([, weight]) => weight),
    },
    neighbours: (node) => edges[node] ?? [],
    entries: (row) => [10 + row],
    endOf: (node) => (node < 10 ? 'abcdefghij'[node] : node - 10),
  }
}

describe('links of a walk', () => {
  it('are its starts with their shares, then the shortest path to each chunk, each link once', () => {
    // a - c - chunk 0, b - chunk 0; c - d - chunk 1; chunk 2 is reached from nowhere.
    const walked = walk(
      [
        [0, 1],
        [1, 3],
        [5, 0],
      ],
      { 0: [2], 2: [3, 10], 1: [10], 3: [11], 10: [], 11: [] },
    )
    expect(linksOf(walked, [0, 1, 2])).toEqual([
      [null, 'b', 0.75],
      [null, 'a', 0.25],
      ['b', 0, null],
      ['d', 1, null],
      ['c', 'd', null],
      ['a', 'c', null],
    ])
  })

  it('take the entry that is nearest to a start', () => {
    const two = { ...walk([[0, 1]], { 0: [1, 2], 1: [3], 3: [] }), entries: () => [4, 3, 2] }
    expect(linksOf(two, [7])).toEqual([
      [null, 'a', 1],
      ['c', 7, null],
      ['a', 'c', null],
    ])
  })

  it('are of the eight heaviest starts and the first ten chunks', () => {
    const nine = Array.from({ length: 9 }, (_, node) => [node, node + 1] as const)
    const all = Object.fromEntries(nine.map(([node]) => [node, [10 + node]]))
    const links = linksOf(
      walk(nine, all),
      Array.from({ length: 12 }, (_, row) => row),
    )
    expect(links.filter(([from]) => from === null).map(([, to]) => to)).toEqual([...'ihgfedcb'])
    const many = walk([[0, 1]], { 0: Array.from({ length: 12 }, (_, row) => 10 + row) })
    const ends = linksOf(
      many,
      Array.from({ length: 12 }, (_, row) => row),
    ).slice(1)
    expect(ends.map(([, to]) => to)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

const folder = mkdtempSync(join(tmpdir(), 'touchstone-walked-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function explain(name: string, text: string, params: Record<string, unknown>) {
  const { ranking } = retrieved(name, params)
  const store = await prepare(folder, [ranking])
  for (const { step, recipe, params } of expressionsOf([ranking]))
    if (step.walked) await store.prepare(step.walked(recipe, params))
  const memo = createMemo(store, [{ id: 'q', text, metadata: {} }], () => 0)
  const [cell] = await memo.cells(ranking)
  const found = cell?.value as Ranking
  const read = await openWalks(store, memo, ranking)
  return { found, memo, ranking, walks: read(0, found.rows.subarray(0, 3)) }
}

const words = (links: readonly WalkLink[]) =>
  links.map(
    ([from, to, share]) =>
      [from, to].map((end) => (typeof end === 'number' ? documents[end].id : (end ?? '?'))).join(' > ') +
      (share === null ? '' : ` ${share}`),
  )

const IN = ['Ines Karrow > ines', 'Ines Karrow > guild', 'Ines Karrow > bellhouse']

describe('walks of strategies', () => {
  it.each<[string, object, Record<string, readonly string[]> | null]>([
    // Her passage mentions two others.
    [
      'title-ppr',
      { prior: 'bm25', resetTop: 2 },
      { 'title-walk': ['? > ines 1', 'ines > dara', 'ines > guild'] },
    ],
    // Both ends of the fact, each by its passages.
    [
      'hipporag',
      { facts: 1 },
      { 'hippo-walk': ['? > Ines Karrow 0.5714', '? > Harbour Guild 0.4286', ...IN] },
    ],
    ['hipporag-v1', {}, { 'entity-walk': ['? > Ines Karrow 1', ...IN] }],
    ['hipporag-simple', { entities: 1 }, { 'entity-walk': ['? > Ines Karrow 1', ...IN] }],
    ['graphrag-local-simple', { entities: 1 }, { 'expand-entities': ['? > Ines Karrow 1', ...IN] }],
    [
      'lightrag',
      { entities: 1, mode: 'local' },
      {
        'pick-entity-chunks': [
          // 1, 1/2, 1/3 and 1/4 of 25/12.
          '? > Ines Karrow 0.48',
          '? > Harbour Guild 0.24',
          '? > Bell House 0.16',
          '? > Dara Quill 0.12',
          'Ines Karrow > ines',
          'Ines Karrow > bellhouse',
          'Ines Karrow > guild',
        ],
      },
    ],
    [
      'linearrag',
      {},
      {
        'tri-graph-walk': ['? > Ines Karrow 0.6346', '? > Harbour Guild 0.2662', '? > Pilots 0.09923', ...IN],
      },
    ],
    ['bm25', {}, null],
  ])('%s %o', async (name, params, expected) => {
    const { walks } = await explain(name, 'Ines Karrow', params as Record<string, unknown>)
    const shown = Object.entries(walks ?? {}).map(([step, links]) => [step, words(links)])
    expect(walks && Object.fromEntries(shown)).toEqual(expected)
  })
})

it('chunks have a rank and a score after each step; 0 and null where a list lacks them', async () => {
  const { memo, ranking } = await explain('hybrid', 'salt peat', { pool: 3, fusion: 'rrf' })
  const lists = rankingsRead(memo, ranking, 0)
  expect(lists.map(({ step }) => step)).toEqual(['dense', 'bm25', 'fuse'])
  const [dense] = lists
  const other = [...documents.keys()].find((row) => lists.every(({ ranking }) => !ranking.rows.includes(row)))
  const rows = [dense.ranking.rows[1], other as number, dense.ranking.rows[0]]
  expect(breakdownOf(memo, ranking, 0, rows)).toEqual(
    lists.map(({ step, ranking }) => {
      const places = rows.map((row) => ranking.rows.indexOf(row))
      return {
        step,
        ranks: places.map((place) => place + 1),
        scores: places.map((place) => (place < 0 ? null : Number(ranking.scores[place].toPrecision(6)))),
      }
    }),
  )
  expect(breakdownOf(memo, ranking, 0, [])).toBe(null)
  const single = await explain('bm25', 'salt peat', {})
  expect(breakdownOf(single.memo, single.ranking, 0, [1])).toBe(null)
  const { memo: fallen, ranking: chosen } = await explain('hipporag', 'zzz qqq', {})
  expect(rankingsRead(fallen, chosen, 0).map(({ step }) => step)).toEqual(['dense'])
})
