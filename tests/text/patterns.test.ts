import { describe, expect, test } from 'vitest'
import { matchesOf, pattern } from '../../src/text/patterns.ts'

describe("people's patterns", () => {
  test('that make a backtracking engine run for ever take no longer than others', () => {
    const began = process.cpuUsage()
    for (const slow of ['^(a+)+$', '(a|aa)+$', '(.*)*x', '([a-z]+)*\\d', '(a?){25}a{25}$'])
      expect(matchesOf(slow, `${'a'.repeat(50_000)}!`)).toBeDefined()
    expect(process.cpuUsage(began).user).toBeLessThan(20e6)
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

  test.each(['(?=a)', '(?<!a)b', '(a)\\1', '(', 'a{1001}', '[z-a]', '(a{500}){500}'])(
    '%s is refused',
    (source) => {
      expect(pattern.safeParse(source).error?.issues[0].message).toMatch(
        /^is not a regular expression \(look-around and back-references are not known\): ./,
      )
    },
  )
})
