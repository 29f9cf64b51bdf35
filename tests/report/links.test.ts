import { expect, test } from 'vitest'
import { walkPicture } from '../../src/report/browser/links.ts'

test('a walk has its own starts with their shares, then shortest paths, and gold that nothing leads to', () => {
  const [ada, mill] = [
    { name: 'Ada Byron', text: -2 },
    { name: 'mill', text: -2 },
  ]
  const passages = [
    { rank: 1, title: 'Bridges', gold: false, place: 7 },
    { rank: 2, title: 'Old Mill', gold: true, place: 8 },
    { rank: 0, title: 'Lost', gold: true, place: 9 },
  ]
  const { nodes, edges, unreached } = walkPicture(
    [
      { from: null, to: ada, share: 0.75 },
      { from: ada, to: { name: 'Bridges', text: 7 }, share: null },
      { from: ada, to: mill, share: null },
      { from: mill, to: { name: 'Old Mill', text: 8 }, share: null },
    ],
    passages,
  )
  expect(nodes.map(({ column, label, kind }) => [column, label, kind])).toEqual([
    [0, 'question', 'question'],
    [1, 'Ada Byron 75 %', 'name'],
    [2, '1. Bridges', 'passage'],
    [2, 'mill', 'name'],
    [3, '2. Old Mill', 'gold'],
  ])
  expect(unreached).toEqual(['Lost'])
  expect(edges).toEqual([
    [0, 1],
    [1, 2],
    [1, 3],
    [3, 4],
  ])
})
