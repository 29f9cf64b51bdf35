import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexNames } from '../../../src/corpus/graph/titles.ts'
import {
  ANCHORS,
  type Anchor,
  lookUp,
  pairsOf,
  type TraversalIndex,
} from '../../../src/corpus/graph/traversal.ts'
import traversal, {
  type Expansion,
  matchIn,
  scoresOf,
  type Term,
} from '../../../src/retrieve/strategies/traversal.ts'
import { countTerms } from '../../../src/text/term-counts.ts'
import { retrieved } from '../strategies/prepared.ts'

const words = (text: string) => text.split(' ').filter((word) => word !== '')

type Entry = Readonly<Record<Anchor | 'text', string>>

function indexOf(entries: readonly Entry[]): TraversalIndex {
  const texts = entries.map(({ text }) => text)
  const holding = lookUp(countTerms(texts, words))
  const holdingPair = lookUp(countTerms(texts, (text) => pairsOf(words(text))))
  const anchored = (anchor: Anchor) => indexNames(entries.map((entry) => [entry[anchor]]))
  return {
    chunks: entries.length,
    runs: (text) => [words(text)],
    holding,
    holdingPair: (first, second) => holdingPair(`${first} ${second}`),
    anchors: {
      title: anchored('title'),
      entity: anchored('entity'),
      tag: anchored('tag'),
      trait: anchored('trait'),
    },
  }
}

const termOf = (text: string, from: Term['from']): Term => ({ text, runs: [words(text)], from })

interface Point {
  readonly idf: 'log' | 'none'
  readonly phraseBonus: number
  readonly anchorBonus: number
  readonly coverageBonus: number
}

/** The formula as it is written down, text by text. */
function oracle(entries: readonly Entry[], { terms, indexes }: Expansion, point: Point): number[] {
  const weight = (holds: (entry: Entry) => boolean) =>
    point.idf === 'none' ? 1 : Math.log(entries.length / entries.filter(holds).length)
  return entries.map((entry) => {
    let score = 0
    let anchored = false
    for (const { text, from } of terms) {
      const entryWords = words(text)
      let hit = false
      const count = (holds: (entry: Entry) => boolean, factor: number) => {
        if (!holds(entry)) return false
        score += factor * weight(holds)
        return true
      }
      for (const token of entryWords)
        hit = count(({ text }) => words(text).includes(token), indexes.term ?? 1) || hit
      for (const pair of pairsOf(entryWords))
        count(({ text }) => pairsOf(words(text)).includes(pair), point.phraseBonus * (indexes.term ?? 1))
      const below = ANCHORS.filter((anchor) =>
        count((entry) => entry[anchor] === text && text.length > 2, indexes[anchor] ?? 1),
      )
      if (hit || below.length > 0) score += point.coverageBonus
      if (below.length > 0 && from === 'name') anchored = true
    }
    return anchored ? score + point.anchorBonus : score
  })
}

const word = fc.constantFrom('ash', 'bay', 'cod', 'dune', 'elm', 'fir', 'sea')
const phrase = (max: number) => fc.array(word, { maxLength: max }).map((list) => list.join(' '))
const expansion = fc.record({
  intent: fc.constant('general'),
  indexes: fc.record(
    { term: fc.constantFrom(0.5, 2), title: fc.constantFrom(0, 3), tag: fc.constantFrom(0, 3) },
    { requiredKeys: [] },
  ),
  terms: fc.array(
    fc
      .tuple(phrase(3), fc.constantFrom<Term['from']>('name', 'words'))
      .map(([text, from]) => termOf(text, from)),
    { maxLength: 4 },
  ),
})
const point = fc.record({
  idf: fc.constantFrom('log' as const, 'none' as const),
  phraseBonus: fc.constantFrom(0, 2),
  anchorBonus: fc.constantFrom(0, 1),
  coverageBonus: fc.constantFrom(0, 0.1),
})

test('scores are those of the formula, over tokens, pairs, titles, entities, tags and traits', () => {
  const names = { title: phrase(2), entity: phrase(2), tag: phrase(1), trait: phrase(1) }
  const entries = fc.array(fc.record({ ...names, text: phrase(8) }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(entries, expansion, point, (entries, expansion, point) => {
      const scores = scoresOf(matchIn(expansion, indexOf(entries)), entries.length, point)
      oracle(entries, expansion, point).forEach((score, row) => {
        expect(scores[row]).toBeCloseTo(score, 10)
      })
    }),
  )
})

test("the seed's flaw: common tokens outrank the one chunk that is meant; idf cures it", () => {
  const none = { entity: '', tag: '', trait: '' }
  const entries = [
    { ...none, title: 'Covering Fire', text: 'covering fire feat' },
    ...Array.from({ length: 20 }, (_, i) => ({ ...none, title: `Feat ${i}`, text: `feat back be ${i}` })),
  ]
  const terms = ['covering fire feat', 'be back feat', 'be back'].map((text) => termOf(text, 'rule'))
  const matches = matchIn({ intent: 'general', indexes: {}, terms }, indexOf(entries))
  const plain = { phraseBonus: 0, anchorBonus: 0, coverageBonus: 0 }
  const bestOf = (scores: Float64Array) => scores.indexOf(Math.max(...scores))
  expect(bestOf(scoresOf(matches, entries.length, { idf: 'none', ...plain }))).not.toBe(0)
  expect(bestOf(scoresOf(matches, entries.length, { idf: 'log', ...plain }))).toBe(0)
})

test('idf is ln(N / df) by default: 7.86 and 2.98 for the tokens of the seed document', () => {
  // df as the document has them, N as its two values give it.
  const [N, covering, feat] = [23_310, 9, 1184]
  const rowsOf = (count: number) => Uint32Array.from({ length: count }, (_, row) => row)
  const term = termOf('covering feat', 'words')
  const rows = rowsOf(feat)
  const matches = [{ term, tokens: [rowsOf(covering), rows], pairs: [], anchors: [], rows }]
  const { idf } = traversal.params.parse({}) as unknown as Point
  const point = { idf, phraseBonus: 0, anchorBonus: 0, coverageBonus: 0 }
  const scores = scoresOf({ intent: 'general', indexes: {}, found: matches, chunks: feat }, N, point)
  expect(scores[covering].toFixed(2)).toBe('2.98')
  expect((scores[0] - scores[covering]).toFixed(2)).toBe('7.86')
  expect(scores[feat]).toBe(0)
})

test.each([
  ['half and half by default', {}, { fusion: 'weighted', norm: 'minmax', weights: [0.5, 0.5] }],
  ['alpha for the dense side', { alpha: 0.25 }, { weights: [0.75, 0.25] }],
  ['ranks', { alpha: 0.25, fusion: 'rrf' }, { fusion: 'rrf', rrfK: 60, weights: [0.75, 0.25] }],
  ['a fusion without weights', { alpha: 0.25, fusion: 'max' }, { fusion: 'max', weights: [1, 1] }],
])('the two lists are fused: %s', (_, options, params) => {
  const { ranking } = retrieved('traversal', options)
  expect([ranking.step.name, ranking.params]).toEqual(['count-paths', { requireBoth: false }])
  expect(ranking.inputs[0].params).toMatchObject(params)
  expect(retrieved('traversal', { ...options, requireBothPaths: true }).ranking.params).toEqual({
    requireBoth: true,
  })
})
