import { expect, test } from 'vitest'
import { type ArmLists, routerFeatures } from '../../../src/experiment/finish/router-features.ts'

/** An arm whose lists have room for six ranks: of each query the rows and their scores. */
function arm(name: string, lists: readonly (readonly [number, number][])[], links?: number[]): ArmLists {
  const rows = new Uint32Array(6 * lists.length)
  const scores = new Float64Array(6 * lists.length)
  for (const [query, list] of lists.entries())
    for (const [rank, [row, score]] of list.entries()) {
      rows[6 * query + rank] = row
      scores[6 * query + rank] = score
    }
  const counts = Uint8Array.from(lists, ({ length }) => length)
  return { name, first: { ranks: 6, counts, rows, scores }, links: links ? Float64Array.from(links) : null }
}

const long: [number, number][] = [
  [7, 9],
  [3, 6],
  [4, 5],
  [5, 4],
  [6, 3],
  [8, 2],
]

test('what is known of a question and of its lists, by name', () => {
  const a = arm('a', [long, []])
  const b = arm('b', [
    [
      [7, 0.5],
      [8, 0.25],
    ],
    [[1, 0.5]],
  ])
  const c = arm('c', [[[3, 2]], []], [0, 3])
  const rarity = (text: string) => (text.startsWith('Did') ? [2, 4, Number.POSITIVE_INFINITY] : [])
  const { names, rows } = routerFeatures(['Did Ann sail in 1843?', '...'], [a, b, c], rarity)
  const [first, second] = rows.map((row) =>
    Object.fromEntries(names.map((name, feature) => [name, row[feature]])),
  )
  expect(rows.map(({ length }) => length)).toEqual([names.length, names.length])
  expect(first).toMatchObject({
    words: Math.log(6),
    names: 1,
    numbers: 1,
    latin: 1,
    'rarest word': 4,
    'mean rarity': 3,
    'unknown words': 1,
    'a: first score': 9,
    'a: gap to the second': 3,
    'a: gap to the fifth': 6,
    'a: chunks': 6,
    // Row 8 is a's sixth: only row 7 of b and row 3 of c are among its first five.
    'a: shared first five': 0.2,
    'a: same first': 0.5,
    'b: gap to the second': 0.25,
    'b: gap to the fifth': 0.5,
    'b: chunks': 2,
    'c: same first': 0,
    'c: linked': 0,
  })
  expect(second).toMatchObject({
    words: 0,
    names: 0,
    latin: 0,
    'rarest word': 0,
    'mean rarity': 0,
    'unknown words': 0,
    'a: first score': 0,
    'a: chunks': 0,
    'a: same first': 0,
    'c: linked': Math.log(4),
  })
})

test('without an arm that looks words up, nothing is said of their rarity, nor of links where none are', () => {
  const { names } = routerFeatures(['x'], [arm('a', [long]), arm('b', [long])], null)
  expect(names.filter((name) => /rar|unknown|linked/.test(name))).toEqual([])
})
