import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { goldRange, quoteRanges } from '../../src/dataset/gold-places.ts'
import { headingsOf, sectionsOf } from '../../src/text/headings.ts'

const TEXT = '# Lomm\n\nAt the strait.\n\n## Harbour\n\nIt silts\nup. *See* (1)\n\n## Crew\n\nIt silts up.\n'

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
        const found: string[] = []
        for (let at = 0; at + quote.length <= all.length; at++)
          if (quote.every((word, index) => all[at + index] === word)) {
            found.push(quote.join(' '))
            at += quote.length - 1
          }
        const inWords = quoteRanges(text, quote.join('  \n'))
          .filter(({ start, end }) => /^\s?$/.test(text[start - 1] ?? '') && /^\s?$/.test(text[end] ?? ''))
          .map(({ start, end }) => text.slice(start, end).split(/\s+/u).join(' '))
        expect(inWords).toEqual(found)
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

describe('a place is', () => {
  const at = (place: Parameters<typeof goldRange>[1]) => {
    const range = goldRange(TEXT, place)
    return typeof range === 'string' ? range : TEXT.slice(range.start, range.end)
  }

  test('a quote, across line breaks and marks', () => {
    expect(at({ quote: 'silts up. *See* (1)' })).toBe('silts\nup. *See* (1)')
    expect(at({ headings: ['Lomm', 'Crew'], quote: 'It silts up.' })).toBe('It silts up.')
  })

  test('a section without those below it', () => {
    expect(at({ headings: ['Lomm'] })).toBe('# Lomm\n\nAt the strait.\n\n')
    expect(at({ headings: ['Lomm', 'Crew'] })).toBe('## Crew\n\nIt silts up.\n')
  })

  test('or else wrong, and says how', () => {
    expect(at({ quote: 'It silts up.' })).toBe('holds the quote 2 times; lengthen it: "It silts up."')
    expect(at({ quote: 'rope' })).toBe('does not hold the quote "rope"')
    expect(at({ quote: '  ' })).toBe('does not hold the quote "  "')
    expect(at({ headings: ['Lomm'], quote: 'silts up. *See*' })).toBe(
      'holds the quote below "Lomm > Harbour", not below "Lomm": "silts up. *See*"',
    )
    expect(at({ headings: ['Harbour'] })).toBe(
      'has no section "Harbour"; name every heading from the outermost down: ["Lomm","Harbour"]',
    )
    expect(at({ headings: ['Lomm', 'Crews'] })).toBe(
      'has no section "Lomm > Crews" (did you mean "Lomm > Crew"?)',
    )
  })
})
