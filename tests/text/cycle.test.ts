import fc from 'fast-check'
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

test('links that only go up lead in no circle; one more that goes down to where it came from does', () => {
  const upward = fc.uniqueArray(fc.tuple(fc.nat(9), fc.nat(9)), { selector: String, maxLength: 30 })
  fc.assert(
    fc.property(upward, (pairs) => {
      const links = new Map<string, string[]>()
      const link = (from: number, to: number) =>
        links.set(String(from), [...(links.get(String(from)) ?? []), String(to)])
      for (const [from, to] of pairs) if (from < to) link(from, to)
      expect(circleIn(links, small)).toBeUndefined()
      const [first] = pairs.filter(([from, to]) => from < to)
      if (!first) return
      link(first[1], first[0])
      const circle = circleIn(links, small) as string[]
      expect(circle[0]).toBe(circle.at(-1))
      for (const [at, word] of circle.slice(0, -1).entries())
        expect(links.get(word)).toContain(circle[at + 1])
    }),
  )
})
