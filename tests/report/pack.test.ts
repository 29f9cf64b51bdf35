import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Block, integerBlock } from '../../src/report/detail/encode.ts'
import { packSaid } from '../../src/report/detail/pack.ts'

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
