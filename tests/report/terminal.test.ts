import fc from 'fast-check'
import { expect, test } from 'vitest'
import { terminalTable } from '../../src/report/table.ts'
import { wrap, wrapItem } from '../../src/report/terminal.ts'

test('columns are two spaces apart, numbers to the right, the last column folds at the screen', () => {
  const columns = [
    { head: 'name', left: true, text: ([name]: string[]) => name },
    { head: 'n', text: ([, n]: string[]) => n },
    { head: 'is', left: true, text: ([, , is]: string[]) => is },
  ] as const
  const rows = [
    ['a', '10', 'one two three four five'],
    ['longer', '7', ''],
  ]
  expect(terminalTable(rows, columns, { width: 30 })).toBe(
    ['name     n  is', 'a       10  one two three four', '            five', 'longer   7'].join('\n'),
  )
  const path = '/corpora/enterprise/2026-11/passages.jsonl'
  expect(terminalTable([['a', '1', `read ${path}`]], columns, { width: 30 })).toBe(
    ['name  n  is', 'a     1  read', `         ${path}`].join('\n'),
  )
  const headless = columns.map(({ text }) => ({ head: '', text }))
  expect(terminalTable([['a', '10', '']], headless, { indent: 1 })).toBe(' a  10')
  expect(terminalTable([], headless)).toBe('')
})

test('wrapping keeps every word in order and never breaks the width but for a long word', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/)
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 5, max: 40 }),
      (words, width) => {
        const lines = wrap(words.join(' '), width)
        expect(lines.join(' ')).toBe(words.join(' '))
        for (const line of lines) expect(line.length <= width || !line.includes(' ')).toBe(true)
      },
    ),
  )
})

test('a list item is indented below its mark, and an empty line stays', () => {
  expect(['', '- one two three', 'one two three'].flatMap((line) => wrapItem(line, 8))).toEqual([
    '',
    '- one',
    '  two',
    '  three',
    'one two',
    'three',
  ])
})
