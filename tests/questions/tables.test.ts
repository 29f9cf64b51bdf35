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
