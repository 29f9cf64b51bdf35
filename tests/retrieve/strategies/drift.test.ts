import { expect, test } from 'vitest'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { type Agenda, nextQueries, quotePrimer } from '../../../src/retrieve/strategies/drift.ts'
import { outputsOf, recipe } from './prepared.ts'

test('a round takes the queries that the last one left, then new ones, each once and never the question', () => {
  const next = (count: number, before: Agenda | null, ...replies: string[][]) => {
    const inputs = [{ text: 'Why?' }, before, ...replies.map((queries) => ({ queries }))]
    return outputsOf(nextQueries, [inputs], { count }, {})[0]
  }
  const first = next(2, null, ['a', 'Why?', 'b'], ['a', 'c'])
  expect(first).toEqual({ taken: ['a', 'b'], left: ['c'], known: ['Why?', 'a', 'b'] })
  const second = next(2, first, ['b', 'd', 'e'])
  expect(second).toEqual({ taken: ['c', 'd'], left: ['e'], known: ['Why?', 'a', 'b', 'c', 'd'] })
  const none = next(2, { ...second, left: [] }, ['d'])
  expect(none.taken).toEqual([])
  const { step } = nextQueries([sourceQuery(recipe), sourceQuery(recipe)] as never, { count: 2 })
  expect([first, next(1, null, ['a']), second, none].map((agenda) => step.facts?.(agenda).notes)).toEqual([
    { 'follow-ups from 1': 'a | b' },
    { 'follow-ups from 1': 'a' },
    { 'follow-ups from 3': 'c | d' },
    {},
  ])
  expect(step.facts?.(first).counts).toEqual({ followUps: 2 })
})

test('without a model the sentences of the nearest reports that share most words are the queries', () => {
  const sentences = {
    // Sentences 0 and 1 are of report 0, 2 of report 1, 3 of report 2.
    reports: Uint32Array.of(0, 0, 1, 2),
    matches: () => [Uint32Array.of(1, 2, 3), Uint32Array.of(1, 3)],
    terms: () => 2,
    text: (sentence: number) => `sentence ${sentence}`,
  }
  const inputs = [{ text: 'Why?' }, { rows: Uint32Array.of(1, 0) }]
  const [{ queries }] = outputsOf(quotePrimer, [inputs], null, { sentences })
  expect(queries).toEqual(['sentence 1', 'sentence 2'])
})
