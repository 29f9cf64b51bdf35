import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csv } from '../../src/report/csv.ts'
import { embedJson, escapeHtml, html } from '../../src/report/html.ts'
import {
  corrected,
  interval,
  percent,
  plural,
  points,
  probability,
  quantity,
} from '../../src/report/numbers.ts'

test('a text in a hole never becomes markup, in content or in an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { markup } = html`<p title="${text}">${text}</p>`
      const inside = markup.slice('<p title="'.length, -'</p>'.length)
      expect(inside.replace('">', '')).not.toMatch(/[<>"']/)
      const read = (escaped: string) =>
        escaped
          .replace(/&lt;/g, '<')
          .replace(/&gt;/g, '>')
          .replace(/&quot;/g, '"')
          .replace(/&#39;/g, "'")
          .replace(/&amp;/g, '&')
      expect(read(escapeHtml(text))).toBe(text)
    }),
  )
})

test('holes take pieces, lists, numbers and nothing', () => {
  expect(html`<b>${[html`<i>${'a<b'}</i>`, 2, null, false, undefined]}</b>`.markup).toBe(
    '<b><i>a&lt;b</i>2</b>',
  )
})

test('JSON in a script element holds no `<` and reads back', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { markup } = embedJson(value)
      expect(markup).not.toContain('<')
      expect(JSON.parse(markup)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('CSV quotes, and a formula stays a text', () => {
  expect(
    csv(
      ['a', 'b'],
      [
        ['x,"y"', 1.5],
        ['=1+1', null],
        ['two\nlines', Number.NaN],
        ['-a', -2],
      ],
    ),
  ).toBe('a,b\r\n"x,""y""",1.5\r\n\'=1+1,\r\n"two\nlines",\r\n\'-a,-2\r\n')
})

test('numbers', () => {
  expect([percent(0.4875, 2), percent(-0.00001), percent(null), percent(Number.NaN)]).toEqual([
    '48.75',
    '0.0',
    '–',
    '–',
  ])
  expect([points(0.071), points(-0.071), points(0), points(-0.0001)]).toEqual(['+7.1', '−7.1', '0.0', '0.0'])
  expect([interval(0.5, 0.612), interval(null, 0.6)]).toEqual(['[50.0, 61.2]', ''])
  expect([quantity(1234567), quantity(0.0512), quantity(12.34), quantity(3), quantity(100.4)]).toEqual([
    '1,234,567',
    '0.051',
    '12',
    '3',
    '100',
  ])
  expect([probability(0.0004), probability(0.0312)]).toEqual(['< 0.001', '0.031'])
  expect([plural(1, 'query', 'queries'), plural(2, 'query', 'queries')]).toEqual(['1 query', '2 queries'])
  expect([corrected('holm'), corrected('benjamini-hochberg'), corrected('none')]).toEqual([
    'Holm-corrected',
    'Benjamini-Hochberg-corrected',
    'not corrected',
  ])
})
