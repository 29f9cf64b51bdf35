import { expect, it } from 'vitest'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { grepTerms, openFinder } from '../../../src/retrieve/strategies/grep.ts'
import { createAnalyzer } from '../../../src/text/tokenize.ts'
import type { Ranking } from '../../../src/types.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { temporaryFolder } from '../../temporary.ts'
import { prepare, retrieved } from './prepared.ts'

const texts = [
  'almar voss drew the strait in 1821',
  'almar voss taught dara quill to sail',
  'the bell says "peace on the strait"',
  'salt was taxed until 1843',
  'a ferry crosses the strait',
]
const termsOf = (question: string, rare = 0.5) =>
  grepTerms(question, openFinder(texts), { analyze: createAnalyzer(), rare }).map(({ text }) => text)

it.each([
  ['Who did Almar Voss teach?', ['almar voss', 'voss', 'almar']],
  ['Which bell says "peace on"?', ['peace on', 'bell', 'says', 'peace']],
  ['what happened in 1843, and in 1999?', ['1843']],
  // Stop words, and what no chunk contains.
  ['Is it there?', []],
  ['zzz ???', []],
  ['', []],
])('%s', (question, terms) => {
  expect(termsOf(question).sort()).toEqual([...terms].sort())
})

it('searches for rare words only, rarest first', () => {
  expect(termsOf('which ferry crosses the strait', 0.2)).toEqual(['ferry', 'crosses'])
  expect(termsOf('the strait and its salt', 1)).toEqual(['salt', 'strait'])
})

it('finds parts of words and phrases over them, and gives up on a text in more chunks than asked for', () => {
  const { find } = openFinder(texts)
  const cases = [
    ['os', [0, 1, 4]],
    ['ss draw', []],
    ['ss d', [0]],
    ['peace on the', [2]],
    ['strait in 18', [0]],
    ['18', [0, 3]],
  ] as const
  for (const [text, rows] of cases) expect([...(find(text) ?? [])], text).toEqual(rows)
  expect([find('voss', 2), find('voss', 1)]).toEqual([Uint32Array.of(0, 1), null])
})

it('reads no more than 40 terms of a question', () => {
  const many = Array.from({ length: 60 }, (_, i) => `w${i}x`)
  const terms = grepTerms(many.join(' '), openFinder([many.join(' ')]), {
    analyze: createAnalyzer(),
    rare: 1,
  })
  expect(terms).toHaveLength(40)
})

it('ranks by the number of terms, then by their order', async () => {
  const source = sourceQuery(recipeOf(documentsOf(texts)))
  const { ranking } = retrieved('grep', { rare: 0.6 }, source)
  const query = { id: 'q', text: 'Did Almar Voss cross the strait in 1821?', metadata: {} }
  const memo = createMemo(await prepare(temporaryFolder(), [ranking]), [query], () => 0)
  const [cell] = await memo.cells(ranking)
  const { rows } = (cell as { value: Ranking }).value
  // d00 has all terms, d01 the name, d02 and d04 one word alike: the higher row first.
  expect([...rows]).toEqual([0, 1, 4, 2])
  expect(memo.facts([ranking], 0).notes['grep for']).toBe('almar voss | 1821 | cross | almar | voss | strait')
})
