import { describe, expect, test } from 'vitest'
import { createPattern, matchesOf, pattern } from '../../src/text/patterns.ts'

describe("people's patterns", () => {
  test('that make a backtracking engine run for ever take no longer than others', { timeout: 20_000 }, () => {
    for (const slow of ['^(a+)+$', '(a|aa)+$', '(.*)*x', '([a-z]+)*\\d', '(a?){25}a{25}$'])
      expect(matchesOf(slow, `${'a'.repeat(50_000)}!`)).toBeDefined()
  })

  test('mean what they mean in JavaScript', () => {
    const text = 'See ERR-042 and err-7, TICKET-12, v1.2.3; naïve Łódź 2001'
    for (const source of [
      'ERR-\\d{1,6}',
      'TICKET-\\d+',
      'v\\d+\\.\\d+\\.\\d+',
      '\\p{Lu}\\p{L}+',
      '(?:na|Ł)\\S+',
      '\\b[a-z]{3}\\b',
      '(?<year>\\d{4})$',
      '\\u0041|e{2}',
    ])
      expect(matchesOf(source, text), source).toEqual(text.match(new RegExp(source, 'giu')) ?? [])
  })

  test('give each match with its place and its first group', () => {
    const { groups, isIn, matches } = createPattern('(a)b?|c|x*')
    expect([groups, isIn('b'), createPattern('b').isIn('a')]).toEqual([1, true, false])
    expect(matches('ab C a')).toEqual([
      { match: 'ab', group: 'a', start: 0 },
      { match: 'C', start: 3 },
      { match: 'a', group: 'a', start: 5 },
    ])
    expect(createPattern('b').matches('abb')).toEqual([
      { match: 'b', start: 1 },
      { match: 'b', start: 2 },
    ])
  })

  test.each(['(?=a)', '(?<!a)b', '(a)\\1', '(', 'a{1001}', '[z-a]', '(a{500}){500}'])(
    '%s is refused',
    (source) => {
      expect(pattern.safeParse(source).error?.issues[0].message).toMatch(
        /^is not a regular expression \(look-around and back-references are not known\): ./,
      )
    },
  )
})
