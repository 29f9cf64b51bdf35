import fc from 'fast-check'
import { expect, test } from 'vitest'
import { terminalTable, wrap } from '../../src/report/terminal.ts'

test('columns stand two spaces apart, numbers to the right, the last column wraps', () => {
  const rows = [
    ['name', 'n', 'is'],
    ['a', '10', 'one two three four five'],
    ['longer', '7', ''],
  ]
  expect(terminalTable(rows, { columns: 30, right: [1] })).toBe(
    ['name     n  is', 'a       10  one two three four', '            five', 'longer   7'].join('\n'),
  )
})

test('an empty table is empty', () => {
  expect(terminalTable([], { columns: 80 })).toBe('')
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
