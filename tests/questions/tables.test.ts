import { expect, test } from 'vitest'
import { tables } from '../../src/questions/kinds/tables.ts'

const drafted = (text: string) => tables([{ id: 'd', title: 'D', text }] as never)

test('a cell is asked about by the names of its row and column, and its row is gold', async () => {
  const text = '# Ports\n\n| Port | Depth |\n|---|---|\n| Lomm | 4 m |\n'
  const [draft, ...others] = await drafted(text)
  expect(others).toEqual([])
  expect([draft.text, draft.answer]).toEqual(['What is the depth of Lomm (D: Ports)?', '4 m'])
  expect(draft.gold.map(({ start, end }) => text.slice(start, end))).toEqual(['| Lomm | 4 m |'])
})

test('each row asks about another column, of at most three rows; one without key, column or cell about none', () => {
  const text = [
    '# Guide',
    '',
    '## Ports',
    '',
    '  | Port | Depth | Since |',
    '  |---|---|---|',

    '  | Lomm | 4 m | 1900 |  ',
    '  | Quay | 6 m | 1910 |',
    '| PORTS | 7 m | 1 |',
    '| | 8 m | 2 |',
    '| Pier | | |',
    '| Alone |',
    '| Long | 1 | 2 | 3 | 4',
    '| A \\| B | 1 | 2 |',
    '',
  ].join('\n')
  expect(
    drafted(text).map(({ text: question, answer, gold: [{ start, end }] }) => [
      question,
      answer,
      text.slice(start, end),
    ]),
  ).toEqual([
    ['What is the depth of Lomm (D: Ports)?', '4 m', '| Lomm | 4 m | 1900 |'],
    // The key is the heading's own name.
    ['What is the depth of PORTS (D)?', '7 m', '| PORTS | 7 m | 1 |'],
  ])
  const below = '# Guide\n\n## Ports\n\n| Port | Depth |\n|---|---|\n| Guide | 4 m |\n'
  expect(drafted(below).map(({ text }) => text)).toEqual(['What is the depth of Guide (D: Ports)?'])
  expect(drafted('Port | Depth\n--- | ---\nLomm | 4 m\n').map(({ text }) => text)).toEqual([
    'What is the depth of Lomm (D)?',
  ])
})

test.each([
  ['a clause as its key', '| Selling salt | 4 m |'],
  ['a number as its key', '| 7 | 4 m |'],
  ['an address as its key', '| https://a.example/b | 4 m |'],
  ['no answer', '| Lomm | null |'],
  ['a long cell', `| Lomm | ${'deep '.repeat(20)} |`],
])('a row with %s gives no question', (_, row) => {
  expect(drafted(`# Ports\n\n| Port | Depth |\n|---|---|\n${row}\n`)).toEqual([])
})

test.each(['Notes', 'Requires a pilot', 'Needed for', '`port depth`', '#'])(
  'a column called %s is not asked about',
  (name) => {
    expect(drafted(`# Ports\n\n| Port | ${name} |\n|---|---|\n| Lomm | 4 m |\n`)).toEqual([])
  },
)

test.each([
  ['| Lomm | \\l |', '\\l'],
  ['| Lomm | [`salt()`][] |', 'salt()'],
  ['| Lomm | [deep](a.md) or [low][b] |', 'deep or low'],
  ['| Lomm | `feet[a][b]` |', 'feet[a][b]'],
  ['| Lomm | `feet \\| (at) => feet` |', 'feet | (at) => feet'],
])('%s answers without marks', (row, answer) => {
  const [draft] = drafted(`# Ports\n\n| Port | Depth |\n|---|---|\n${row}\n`)
  expect(draft.answer).toBe(answer)
})
