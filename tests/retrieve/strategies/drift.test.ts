import { expect, it, test } from 'vitest'
import { expressionsOf, sourceQuery } from '../../../src/retrieve/step.ts'
import { type Agenda, foldsOf, nextQueries, quotePrimer } from '../../../src/retrieve/steps/drift.ts'
import { outputsOf, recipe, retrieved } from './prepared.ts'

it('splits reports into parts of nearly equal size, none empty', () => {
  expect(foldsOf([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6, 7],
  ])
  expect(foldsOf([1, 2], 5)).toEqual([[1], [2]])
})

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

const model = { name: 'openai-compatible', params: { baseUrl: 'http://localhost:1', model: 'm' } }
const asking = { ...recipe, models: { m: model } }

test.each([
  ['three rounds with a model', { model: 'm' }, 3],
  ['as many as are asked for', { model: 'm', rounds: 2 }, 2],
  ['one without a model', {}, 1],
])('%s', (_, given, rounds) => {
  const { ranking } = retrieved('drift', { followUps: 2, ...given }, sourceQuery(asking))
  const all = expressionsOf([ranking])
  const named = (name: string) => all.filter(({ step }) => step.name === name)
  expect(named('next-queries')).toHaveLength(rounds)
  expect(named('ask-follow-ups')).toHaveLength(2 * (rounds - 1))
  // The question is searched for too.
  expect(named('fuse')[0].params).toMatchObject({
    fusion: 'rrf',
    rrfK: 60,
    weights: Array(1 + 2 * rounds).fill(1),
  })
  expect(named('link-entities')[0].params).toMatchObject({ entities: 20 })
})
