import { expect, test } from 'vitest'
import { type LinkedPassage, linkPicture, walkPicture } from '../../src/report/browser/links.ts'

const passage = (rank: number, title: string, text: string, more: Partial<LinkedPassage> = {}) => ({
  rank,
  title,
  text,
  gold: false,
  mark: '',
  ...more,
})

test('a picture leads from the question over its names to passages, and on to those that name one another', () => {
  const picture = linkPicture(
    'Who built the bridge of Ada Byron?',
    ['Ada Byron', 'none of them'],
    [
      passage(1, 'Bridges', 'Ada Byron lived near the Old Mill.'),
      passage(2, 'Old Mill', 'A mill.', { gold: true }),
      passage(3, 'Salt', 'Nothing of it.'),
      passage(0, 'Lost', 'Gold that nothing links.', { gold: true }),
    ],
  )
  expect(picture?.nodes.map(({ column, label, kind }) => [column, label, kind])).toEqual([
    [0, 'question', 'question'],
    [1, 'Ada Byron', 'name'],
    [1, 'none of them', 'name'],
    [2, '1. Bridges', 'passage'],
    [3, '2. Old Mill', 'gold'],
    [4, 'Lost', 'lost'],
  ])
  expect(picture?.edges).toEqual([
    [0, 1],
    [0, 2],
    [1, 3],
    [3, 4],
  ])
})

test('a hop that a step noted is the column; a name within a word is no mention', () => {
  const hops = [passage(1, 'One', 'x', { mark: 'hop 0' }), passage(2, 'Two', 'y', { mark: 'hop 1' })]
  expect(linkPicture('q', [], hops)?.nodes.map(({ column }) => column)).toEqual([0, 1, 2])
  expect(linkPicture('q', ['Ada'], [passage(1, 'Canada', 'Canadian')])).toBeNull()
})

test('ten names and ten passages of a column are drawn, and gold beyond them', () => {
  const found = ['Ada', 'ab', ...Array.from({ length: 11 }, (_, at) => `Mill ${'abcdefghijk'[at]}`)]
  const passages = Array.from({ length: 13 }, (_, at) =>
    passage(at + 1, `T${at}`, 'Ada was here.', { gold: at === 12 }),
  )
  const nodes = linkPicture('q', found, passages)?.nodes ?? []
  expect(nodes.filter(({ kind }) => kind === 'name').map(({ label }) => label)).toEqual([
    'Ada',
    ...[...'abcdefghi'].map((letter) => `Mill ${letter}`),
  ])
  expect(nodes.filter(({ column }) => column === 2).map(({ row, kind }) => [row, kind])).toEqual([
    ...Array.from({ length: 10 }, (_, row) => [row, 'passage']),
    [10, 'gold'],
  ])
})

test('a walk has its own starts with their shares, then shortest paths, then gold that nothing leads to', () => {
  const [ada, mill] = [
    { name: 'Ada Byron', text: -2 },
    { name: 'mill', text: -2 },
  ]
  const passages = [
    { rank: 1, title: 'Bridges', gold: false, place: 7 },
    { rank: 2, title: 'Old Mill', gold: true, place: 8 },
    { rank: 0, title: 'Lost', gold: true, place: 9 },
  ]
  const { nodes, edges } = walkPicture(
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
    [4, 'Lost', 'lost'],
  ])
  expect(edges).toEqual([
    [0, 1],
    [1, 2],
    [1, 3],
    [3, 4],
  ])
})
