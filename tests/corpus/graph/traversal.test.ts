import { expect, test } from 'vitest'
import { traversalIndex } from '../../../src/corpus/graph/traversal.ts'
import { openStore } from '../../../src/store/store.ts'
import type { Document } from '../../../src/types.ts'
import { temporaryFolder } from '../../temporary.ts'
import { recipeOf } from '../recipes.ts'

const document = (id: string, title: string, text: string, metadata: Document['metadata']): Document => ({
  id,
  title,
  text,
  metadata,
})
const DOCUMENTS = [
  document('a', 'Covering Fire', 'Covering fire hinders Ines Karrow.', {
    tags: ['ranged'],
    traits: ['Attack', 'Open'],
  }),
  document('b', 'Hunker Down', 'Ines Karrow takes cover from fire.', { tag: 'defence', trait: 'Open' }),
  document('c', 'Salt', 'Salt is raked.', {}),
]

test('chunks are looked up by token, pair, heading, entity, tag and trait', async () => {
  const language = { name: 'english', params: {} }
  const recipe = { ...recipeOf(DOCUMENTS), language, graph: [{ name: 'rules', params: {} }] }
  const store = openStore(temporaryFolder())
  const artifact = traversalIndex(recipe)
  await store.prepare(artifact)
  const { chunks, holding, holdingPair, anchors } = await store.open(artifact)
  expect(chunks).toBe(3)
  expect(['fire', 'hinder', 'zebra'].map((token) => [...holding(token)])).toEqual([[0, 1], [0], []])
  expect([...holdingPair('fire', 'hinder')]).toEqual([0])
  expect([...holdingPair('hinder', 'karrow')]).toEqual([])
  const rowsOf = (anchor: keyof typeof anchors, name: string) => anchors[anchor].rows.get(name)
  expect(rowsOf('title', 'covering fire')).toEqual([0])
  expect(rowsOf('entity', 'ines karrow')).toEqual([0, 1])
  expect([rowsOf('tag', 'ranged'), rowsOf('tag', 'defence')]).toEqual([[0], [1]])
  expect([rowsOf('trait', 'attack'), rowsOf('trait', 'open')]).toEqual([[0], [0, 1]])
})
