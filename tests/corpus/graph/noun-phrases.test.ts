import { expect, test } from 'vitest'
import nounPhrases, { phrasesOf } from '../../../src/corpus/graph/extractors/noun-phrases.ts'
import { askNobody } from '../../../src/corpus/writer.ts'
import { chunksOf } from './chunks.ts'

const keys = (text: string) => [...phrasesOf(text).keys()]

test('a phrase has a proper noun or two words, ends with a noun and stops at marks and pronouns', () => {
  expect(keys('The machine learning models of Paris, France are large.')).toEqual([
    'machine learning models',
    'paris',
    'france',
  ])
  expect(keys('The founder laid a brick.')).toEqual([])
  expect(keys('He said that Anna owns an old house.')).toEqual(['anna', 'old house'])
  expect(phrasesOf('Paris is Paris.').get('paris')?.count).toBe(2)
})

test('phrases are related by how much more often than by chance they share a chunk', async () => {
  const { chunks, documents } = chunksOf([
    ['', 'Anna is in Paris.'],
    ['', 'Anna was in Paris.'],
    ['', 'Berlin and Warsaw are big.'],
    ['', 'Berlin is old. Warsaw is old. Anna was in Berlin.'],
    ['', 'Rome is old.'],
  ])
  const extraction = await nounPhrases.make({ chunks: 2, prune: 0 }).extract({ chunks, documents }, askNobody)
  expect(extraction.notices.rarePhrases).toBe(1)
  expect(extraction.mentions).toContainEqual({ name: 'Berlin', chunk: 3, count: 2 })
  // Anna-Paris and Berlin-Warsaw meet twice, Anna-Berlin and Anna-Warsaw once: 6 pairs. Anna has 3 chunks, each other 2: 9.
  const pmi = (joint: number, a: number, b: number) => joint * Math.log2(joint / (a * b))
  const weights = Object.fromEntries(
    extraction.links.map(({ source, target, weight }) => [`${source}-${target}`, weight]),
  )
  expect(weights['Anna-Paris']).toBeCloseTo(pmi(2 / 6, 3 / 9, 2 / 9))
  expect(weights['Berlin-Warsaw']).toBeCloseTo(pmi(2 / 6, 2 / 9, 2 / 9))
  expect(weights['Anna-Berlin']).toBeCloseTo(pmi(1 / 6, 3 / 9, 2 / 9))
  const pruned = await nounPhrases.make({ chunks: 2, prune: 60 }).extract({ chunks, documents }, askNobody)
  expect(pruned.links.length).toBe(2)
  const none = await nounPhrases.make({ chunks: 2, prune: 100 }).extract({ chunks, documents }, askNobody)
  expect(none.links).toEqual([])
  expect(pruned.notices.lightRelationships).toBe(extraction.links.length - pruned.links.length)
})
