import { expect, test } from 'vitest'
import { tables } from '../../src/questions/kinds/tables.ts'

const drafted = (text: string) => tables([{ id: 'd', title: 'D', text }] as never)

test('a cell is asked about by the names of its row and column, and its row is gold', async () => {
  const text = '# Ports\n\n| Port | Depth |\n|---|---|\n| Lomm | 4 m |\n'
  const [draft, ...others] = await drafted(text)
  expect(others).toEqual([])
  expect([draft.text, draft.answer]).toEqual(['What is the Depth of Lomm (Ports)?', '4 m'])
  expect(draft.gold.map(({ start, end }) => text.slice(start, end))).toEqual(['| Lomm | 4 m |'])
})

test('a table without a header row, and rules without columns, give no question', async () => {
  expect(await drafted('# Ports\n\n|---|---|\n| Lomm | 4 m |\n| Quay | 6 m |\n')).toEqual([])
  expect(await drafted('# Ports\n\nPort and depth\n---\nLomm 4 m\n')).toEqual([])
})

test('each row asks about another column, and a row without key, column or cell about none', () => {
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
    ['What is the Depth of Lomm (Ports)?', '4 m', '| Lomm | 4 m | 1900 |'],
    ['What is the Since of Quay (Ports)?', '1910', '| Quay | 6 m | 1910 |'],
    // The key is the heading's own name.
    ['What is the Depth of PORTS?', '7 m', '| PORTS | 7 m | 1 |'],
    ['What is the Since of A | B (Ports)?', '2', '| A \\| B | 1 | 2 |'],
  ])
  const below = '# Guide\n\n## Ports\n\n| Port | Depth |\n|---|---|\n| Guide | 4 m |\n'
  expect(drafted(below).map(({ text }) => text)).toEqual(['What is the Depth of Guide (Ports)?'])
  expect(drafted('Port | Depth\n--- | ---\nLomm | 4 m\n').map(({ text }) => text)).toEqual([
    'What is the Depth of Lomm?',
  ])
})
