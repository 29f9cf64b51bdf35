import fc from 'fast-check'
import { h } from 'preact'
import { expect, test } from 'vitest'
import { markdownTable } from '../../src/report/markdown.ts'
import { rendered, scriptJson } from '../../src/report/markup.ts'
import {
  corrected,
  dollarsInWords,
  interval,
  milliseconds,
  percent,
  plural,
  points,
  pointsInterval,
  probability,
  quantity,
} from '../../src/report/numbers.ts'
import { latexTable, latexTabular } from '../../src/report/table.ts'
import { joined, say, textOf, withCode } from '../../src/report/words.tsx'
import { csvTable } from '../../src/text/csv.ts'

/** Every second character is one that a format reads as its own; the others are any at all. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'<>&\'"`|\\$%_^~{}[]#*!=@+-,;\t\r\n \u2028\u2029−–…ᵃ',
      '</script>',
      '<!--',
      ']]>',
      '\\\\',
      '&lt;',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 12,
})

test('a text never becomes markup, in content or in an attribute', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const markup = rendered(h('p', { title: `x${text}` }, `x${text}`))
      const [, title, content] = /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(markup) ?? []
      const read = (escaped: string) =>
        escaped
          .replace(/&lt;/g, '<')
          .replace(/&quot;/g, '"')
          .replace(/&amp;/g, '&')
      const shown = text.replace(/(?![\t\n\r])\p{Cc}|[\p{Cs}\p{Noncharacter_Code_Point}]/gu, '\ufffd')
      expect([title, content].map(read)).toEqual([`x${shown}`, `x${shown}`])
    }),
  )
})

test('a sentence takes elements, lists, numbers and nothing', () => {
  const sentence = say`${h('b', null, 'a<b')} is ${2}${null}${false}: ${joined(['x', h('i', null, 'y')])}`
  expect(rendered(sentence)).toBe('<b>a&lt;b</b> is 2: x, <i>y</i>')
  expect(textOf(sentence)).toBe('a<b is 2: x, y')
})

test('JSON in a script element holds no `<` and no line separator, and reads back', () => {
  const values = fc.oneof(fc.jsonValue(), fc.array(hostile), fc.dictionary(hostile, hostile))
  fc.assert(
    fc.property(values, (value) => {
      const json = scriptJson(value)
      expect(json).not.toMatch(/[<\u2028\u2029]/)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('CSV quotes, and a formula stays a text', () => {
  expect(
    csvTable(
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

/** RFC 4180, character by character. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [['']]
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const row = rows[rows.length - 1]
    const add = (char: string) => {
      row[row.length - 1] += char
    }
    if (quoted) {
      if (text[at] !== '"') add(text[at])
      else if (text[at + 1] === '"') add(text[at++])
      else quoted = false
    } else if (text[at] === '"') quoted = true
    else if (text[at] === ',') row.push('')
    else if (text.startsWith('\r\n', at)) {
      rows.push([''])
      at++
    } else {
      expect(text[at], 'outside quotes').not.toMatch(/[\r\n]/)
      add(text[at])
    }
  }
  return rows.slice(0, -1)
}

test('CSV of any texts reads back, but for the apostrophe before a formula', () => {
  const row = fc.array(hostile, { minLength: 2, maxLength: 2 })
  fc.assert(
    fc.property(row, fc.array(row), (header, rows) => {
      const shown = (text: string) => (['=', '+', '-', '@', '\t', '\r'].includes(text[0]) ? `'${text}` : text)
      expect(readCsv(csvTable(header, rows))).toEqual([header, ...rows].map((texts) => texts.map(shown)))
    }),
  )
})

const columnsOf = (head: string) => [
  { head, left: true, text: ([name]: readonly string[]) => name },
  { head: 'n', text: ([, n]: readonly string[]) => n },
]

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

test('no text of a Markdown table is markup, in a cell or below it', () => {
  /** Source in which escaped signs are text. */
  const read = (markdown: string) => {
    expect(markdown.replace(/\\[!-/:-@[-`{-~]/g, '')).not.toMatch(/[\\`*_{}[\]<>|#~&\n]/)
    return markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')
  }
  fc.assert(
    fc.property(hostile, hostile, hostile, (head, name, caption) => {
      const markdown = markdownTable({
        columns: columnsOf(head),
        parts: [{ title: '', rows: [[name, '1.0']] }],
        caption,
      })
      const [first, rule, row, empty, below, ...rest] = markdown.split('\n')
      expect([rule, empty, rest]).toEqual(['| --- | --: |', '', ['']])
      expect(read(first.slice('| '.length, -' | n |'.length))).toBe(oneLine(head))
      expect(read(row.slice('| '.length, -' | 1.0 |'.length))).toBe(oneLine(name))
      expect(read(below)).toBe(oneLine(caption))
    }),
  )
})

test('no text of a LaTeX table is markup, in a cell or above it', () => {
  const COMMANDS: Readonly<Record<string, string>> = {
    '\\textbackslash{}': '\\',
    '\\textasciitilde{}': '~',
    '\\textasciicircum{}': '^',
    '\\ldots{}': '…',
    '$-$': '−',
    '$<$': '<',
    '$>$': '>',
    '{[}': '[',
    '{]}': ']',
  }
  const RAISED = 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ'
  const raised = (letter: string) => RAISED['abcdefghijklmnoprstuvwxyz'.indexOf(letter)]
  /** Printed text, without characters that have a meaning in LaTeX. */
  const read = (latex: string) =>
    latex.replace(
      /\\(?:text\w+|ldots)\{\}|\$[-<>]\$|\{[[\]]\}|(?:\$\^\{[a-z]+\}\$)|\\[&%$#_{}]|./gsu,
      (piece) => {
        if (/^\\[&%$#_{}]$/.test(piece)) return piece[1]
        if (piece.startsWith('$^'))
          return Array.from(piece.slice('$^{'.length, -'}$'.length), raised).join('')
        expect(piece in COMMANDS || !/[\\~^&%$#_{}[\]]/.test(piece), piece).toBe(true)
        return COMMANDS[piece] ?? piece
      },
    )
  const printed = (text: string) => oneLine(text).replace(/–/g, '--')
  fc.assert(
    fc.property(hostile, hostile, hostile, (head, name, caption) => {
      const lines = latexTable({
        columns: columnsOf(head),
        parts: [{ title: '', rows: [[name, '1.0']] }],
        caption,
      }).split('\n')
      expect(read(lines[1].slice('  \\caption{'.length, -1))).toBe(printed(caption))
      expect(read(lines[4].slice(4, -' & n \\\\'.length))).toBe(printed(head))
      expect(read(lines[6].slice(4, -' & 1.0 \\\\'.length))).toBe(printed(name))
      const parts = [{ title: '', rows: [[name, '1.0']] }]
      const [, , headRow, , row] = latexTabular({ columns: columnsOf(head), parts })
      expect(read(headRow.slice(2, -' & n \\\\'.length))).toBe(printed(head))
      expect(read(row.slice(2, -' & 1.0 \\\\'.length))).toBe(printed(name))
    }),
  )
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
  expect([probability(0.0004), probability(0.001), probability(0.005), probability(0.0312)]).toEqual([
    '< 0.001',
    '0.001',
    '0.005',
    '0.031',
  ])
  expect(pointsInterval(-0.02, 0.121)).toBe('[−2.0, +12.1]')
  expect([0.823, 9.96, 10, 99.96, 1240].map(milliseconds)).toEqual(['0.82', '9.96', '10.0', '100.0', '1,240'])
  expect([0, 0.0031, 0.1, 12.4, 1240, Number.NaN].map(dollarsInWords)).toEqual([
    '$0.00',
    '$0.0031',
    '$0.10',
    '$12.40',
    '$1,240',
    '–',
  ])
  expect([99.9, -1234.5, 0, -0.04].map(quantity)).toEqual(['100', '−1,234', '0', '−0.04'])
  expect([plural(1, 'query', 'queries'), plural(2, 'query', 'queries')]).toEqual(['1 query', '2 queries'])
  const tested = (...tests: ('bootstrap' | 'exact')[]) =>
    corrected(
      'max-t',
      tests.map((test) => ({ test })),
    )
  expect([tested('bootstrap'), tested('exact'), tested('exact', 'bootstrap'), corrected('none', [])]).toEqual(
    [
      'corrected by max-T',
      'corrected by Bonferroni',
      'corrected by max-T (bootstrap) and Bonferroni',
      'not corrected',
    ],
  )
})

test('no control character, lone surrogate or noncharacter is written, and JSON keeps its value', () => {
  const text = 'a\u0000b\u0007c\u007fd\u0085e\ud800f\ufffeg\t\n\u{1f600}'
  expect(rendered(text)).toBe('a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\t\n\u{1f600}')
  const json = scriptJson({ text })
  expect(json).not.toMatch(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u)
  expect(JSON.parse(json)).toEqual({ text })
  fc.assert(fc.property(hostile, (any) => JSON.parse(scriptJson(any)) === any))
})

test('backticks of a sentence become code, and its text stays text', () => {
  expect(rendered(withCode('set `compare.cluster: <b>` & run'))).toBe(
    'set <code>compare.cluster: &lt;b></code> &amp; run',
  )
  expect(rendered(withCode('no code'))).toBe('no code')
})
