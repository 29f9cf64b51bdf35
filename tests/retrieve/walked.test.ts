import { describe, expect, it } from 'vitest'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { linksOf, openWalks, type WalkLink } from '../../src/retrieve/explain.ts'
import { expressionsOf, type Walked } from '../../src/retrieve/step.ts'
import type { Ranking } from '../../src/types.ts'
import { documents } from '../fixtures/passages.ts'
import { sharedFolder } from '../temporary.ts'
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
})

const folder = sharedFolder()

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
