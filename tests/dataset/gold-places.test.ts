import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quoteRanges } from '../../src/dataset/gold-places.ts'
import { headingsOf, sectionsOf } from '../../src/text/headings.ts'

const words = fc.constantFrom('a', 'b', 'a.c', '(x', '$', '—', '😀')
const space = fc.constantFrom(' ', '\n', '  ', '\t\n')

test('a quote is found wherever its words stand in a row, whatever is between them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(words, space), { minLength: 1, maxLength: 12 }),
      fc.array(words, { minLength: 1, maxLength: 3 }),
      (pieces, quote) => {
        const text = pieces.flat().join('')
        // The oracle: words by number, each match beginning after the last one's end.
        const all = pieces.map(([word]) => word)
        const matches: string[] = []
        for (let at = 0; at + quote.length <= all.length; at++)
          if (quote.every((word, index) => all[at + index] === word)) {
            matches.push(quote.join(' '))
            at += quote.length - 1
          }
        const inWords = quoteRanges(text, quote.join('  \n'))
          .filter(({ start, end }) => /^\s?$/.test(text[start - 1] ?? '') && /^\s?$/.test(text[end] ?? ''))
          .map(({ start, end }) => text.slice(start, end).split(/\s+/u).join(' '))
        expect(inWords).toEqual(matches)
      },
    ),
  )
})

test('sections are the whole text, cut at every heading', () => {
  const line = fc.constantFrom('# A', '## B', '### C', 'text', '', '```', '#### D #')
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join('\n')
      const sections = sectionsOf(text)
      expect(sections.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
      const headings = headingsOf(text)
      const below = sections.filter(({ path }) => path.length > 0)
      expect(below.map(({ start }) => start)).toEqual(headings.map(({ start }) => start))
      expect(below.map(({ path }) => path.at(-1))).toEqual(headings.map(({ name }) => name))
      for (const { path } of below) expect(path.length).toBeLessThanOrEqual(4)
    }),
  )
})
