import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inBlocks, terminalTable } from '../../src/report/table.ts'
import { wrap } from '../../src/report/terminal.ts'

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

test.each([
  [
    'naive',
    46,
    ['#  strategy  musique  hot…ame       nq   mean', '1  naive       70.00    68.00     5.00  69.00'],
  ],
  // Data sets that do not fit follow below; the first never does.
  [
    'naive',
    10,
    [
      '#  strategy  musique   mean',
      '1  naive       70.00  69.00',
      '',
      '#  strategy  hot…ame',
      '1  naive       68.00',
      '',
      '#  strategy       nq',
      '1  naive        5.00',
    ],
  ],
  // A long name is folded, and has what the numbers leave.
  [
    'hybrid alpha=0.3 rerank=bge pool=100 norm=minmax',
    60,
    [
      '#  strategy                  musique  hotpo…-name   mean',
      '1  hybrid alpha=0.3            70.00        68.00  69.00',
      '   rerank=bge pool=100',
      '   norm=minmax',
      '',
      '#  strategy                       nq',
      '1  hybrid alpha=0.3             5.00',
      '   rerank=bge pool=100',
      '   norm=minmax',
    ],
  ],
  [
    'hybrid alpha=0.3 rerank=bge pool=100 norm=minmax',
    80,
    [
      '#  strategy                                     musique  hot…ame       nq   mean',
      '1  hybrid alpha=0.3 rerank=bge pool=100           70.00    68.00     5.00  69.00',
      '   norm=minmax',
    ],
  ],
])('several data sets of %s within %i columns', (name, width, lines) => {
  const numbers = (...cells: string[]) => ({ cells })
  expect(
    inBlocks(width, {
      names: [numbers('#', '1'), { cells: ['strategy', name], left: true }],
      datasets: [numbers('musique', '70.00'), numbers('hotpotqa-long-name', '68.00'), numbers('nq', '5.00')],
      last: [numbers('mean', '69.00')],
    }),
  ).toEqual(lines)
})
