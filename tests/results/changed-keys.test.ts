import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedKeys } from '../../src/results/compare-experiments.ts'
import { canonical } from '../../src/store/hash.ts'
import type { Json } from '../../src/types.ts'

type Tree = { [key: string]: Tree | number | string }
const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof({ maxDepth: 3 }, fc.integer({ min: 0, max: 2 }), fc.constantFrom('x', 'y'), tie('tree')),
    { maxKeys: 3, noNullPrototype: true },
  ),
})).tree

describe('changedKeys', () => {
  test('of maps: what it names turns one into the other', () => {
    fc.assert(
      fc.property(trees, trees, (before, now) => {
        const made = structuredClone(before)
        for (const { key, now: value } of changedKeys(before, now)) {
          const names = key.split('.')
          const last = names.pop() ?? ''
          const at = names.reduce((tree, name) => tree[name] as Tree, made)
          if (value === undefined) delete at[last]
          else at[last] = value as Tree
        }
        expect(canonical(made)).toBe(canonical(now))
      }),
    )
  })

  test('of anything: nothing changed where both are equal, and only there', () => {
    const values = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(values, values, (before, now) => {
        expect(changedKeys(before, structuredClone(before) as Json)).toEqual([])
        expect(changedKeys(before, now).length > 0).toBe(canonical(before) !== canonical(now))
      }),
    )
  })

  test.each<[string, Json, Json, unknown]>([
    ['an item before the others', ['a', 'b'], ['c', 'a', 'b'], [{ key: '[0]', now: 'c' }]],
    ['an item less', { t: ['a', 'b', 'a'] }, { t: ['a', 'b'] }, [{ key: 't[2]', before: 'a' }]],
    ['another order', ['a', 'b'], ['b', 'a'], [{ key: '', before: ['a', 'b'], now: ['b', 'a'] }]],
    [
      'an item that changed',
      { t: ['a', { bm25: { k1: 1, b: 0 } }] },
      { t: [{ bm25: { k1: 2, b: 0 } }, 'a'] },
      [{ key: 't[0].bm25.k1', before: 1, now: 2 }],
    ],
    ['a strange key', { 'x.y': 1 }, { 'x.y': null }, [{ key: '"x.y"', before: 1, now: null }]],
  ])('%s', (_, before, now, changes) => {
    expect(changedKeys(before, now)).toEqual(changes)
  })
})
