import { expect, it, test } from 'vitest'
import { expressionsOf, sourceQuery } from '../../../src/retrieve/step.ts'
import { alone } from '../../../src/retrieve/strategies/define.ts'
import {
  type Agenda,
  askFollowUps,
  askPrimer,
  foldsOf,
  nextQueries,
  quotePrimer,
} from '../../../src/retrieve/strategies/drift/steps.ts'
import { drift } from '../../../src/retrieve/strategies/drift/strategy.ts'
import { outputsOf, recipe } from './prepared.ts'

it('splits reports into parts of nearly equal size, none empty', () => {
  expect(foldsOf([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6, 7],
  ])
  expect(foldsOf([1, 2], 5)).toEqual([[1], [2]])
})

it('refuses rounds and prompts that no model reads', () => {
  const { error } = drift.params.safeParse({ rounds: 2 })
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['rounds', 'is for a `model`'],
  ])
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
  expect([first, next(1, null, ['a']), second, none].map((agenda) => step.notes?.(agenda))).toEqual([
    { 'follow-ups from 1': 'a | b' },
    { 'follow-ups from 1': 'a' },
    { 'follow-ups from 3': 'c | d' },
    {},
  ])
  expect(step.counts?.(first)).toEqual({ followUps: 2 })
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
  const params = drift.params.parse({ followUps: 2, ...given })
  const { ranking } = drift.retrieve({ query: sourceQuery(asking), params, inner: alone })
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

test('replies that could not be read are noted, and nothing is asked about a query that is not there', async () => {
  const source = sourceQuery(asking) as never
  const params = { model: 'm', template: '', seed: 0 }
  const primer = askPrimer([source, source], { ...params, folds: 2 }).step
  const followUps = askFollowUps([source, source, source, source], { ...params, index: 1 }).step
  const notesOf = (unread: number) =>
    [primer, followUps].map((step) => step.notes?.({ value: { queries: [], unread } } as never))
  expect(notesOf(0)).toEqual([{}, {}])
  expect(notesOf(1)).toEqual([
    { 'parts of the reports that could not be read': '1' },
    { 'follow-ups that could not be read': '1' },
  ])
  const inputs = [{ text: 'Why?' }, { taken: ['a'] }, { sources: [] }, []] as never
  const context = { params: { ...params, index: 1 }, artifacts: { model: {}, texts: [] } } as never
  const [reply] = (await followUps.runBlock?.([inputs], context)) ?? []
  expect(reply).toMatchObject({ value: { queries: [], unread: 0 }, completions: [] })
})
