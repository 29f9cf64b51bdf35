import { expect, test } from 'vitest'
import { circleIn } from '../../src/text/cycle.ts'

const small = (word: string) => word.toLowerCase()

test('a circle is told as it goes round, in any case', () => {
  const links = new Map([
    ['x', ['a']],
    ['a', ['d', 'b']],
    ['b', ['C']],
    ['c', ['A']],
  ])
  expect(circleIn(links, small)).toEqual(['a', 'b', 'c', 'a'])
  expect(circleIn(new Map([['a', ['a']]]), small)).toEqual(['a', 'a'])
  expect(circleIn(new Map([['a', ['b', 'c']]]), small)).toBeUndefined()
})
