import { expect, test } from 'vitest'
import { keep } from '../../src/view/keep.ts'

test('the results of the last keys are kept, and no failures', async () => {
  const made: string[] = []
  const kept = keep<string>(2)
  const get = (key: string) =>
    kept(key, async () => {
      made.push(key)
      if (key === 'bad') throw new Error('no luck')
      return key.toUpperCase()
    })
  expect([await get('a'), await get('b'), await get('a')]).toEqual(['A', 'B', 'A'])
  expect(made).toEqual(['a', 'b'])
  // `b` was asked for longest ago.
  await get('c')
  expect([await get('a'), await get('c'), await get('b')]).toEqual(['A', 'C', 'B'])
  expect(made).toEqual(['a', 'b', 'c', 'b'])
  for (const _ of [1, 2]) await expect(get('bad')).rejects.toThrow('no luck')
  expect(made.slice(4)).toEqual(['bad', 'bad'])
})
