import { expect, test } from 'vitest'
import { adviceOn } from '../../src/report/sections/lost.tsx'
import type { Latency } from '../../src/results/latency.ts'
import type { TrialSummary } from '../../src/results/summary.ts'
import { estimate, smallSummary } from './small-summary.ts'

const summary = smallSummary({ trials: [{ name: 'a', mean: 0.5 }] })
const trialOf = (recalls: Record<string, number>, channels: Record<string, number> = {}): TrialSummary => ({
  ...summary.trials[0],
  channels,
  measures: Object.fromEntries(Object.entries(recalls).map(([name, mean]) => [name, estimate(mean)])),
})
const observed = (trial: TrialSummary, latency: Latency | null = null) =>
  adviceOn(trial, latency).map(({ likely }) => likely)

test.each([
  [
    'gold is ranked low',
    { 'recall@10': 0.45, 'recall@30': 0.8, 'mrr@10': 0.1 },
    ['relevant passages are found but ranked low'],
  ],
  ['the gap is small', { 'recall@10': 0.7, 'recall@30': 0.8 }, []],
  ['the first ranks are good', { 'recall@5': 0.82, 'recall@100': 1 }, []],
  [
    'gold is nowhere',
    { 'recall@5': 0.1, 'recall@30': 0.49 },
    ['questions and relevant passages share few terms, or chunking splits the passages'],
  ],
  ['no recall is measured', { 'mrr@10': 0.1 }, []],
])('%s', (_, recalls, expected) => {
  expect(observed(trialOf(recalls))).toEqual(expected)
})

test('each observation of the seed document has its action', () => {
  const { id, name } = summary.trials[0]
  const slow = { trials: [{ id, name, p50: { value: 1500 } }] } as unknown as Latency
  const next = (...args: Parameters<typeof trialOf>) =>
    adviceOn(trialOf(...args), null).map((advice) => advice.next)
  expect(next({ 'recall@10': 0.3, 'recall@30': 0.8 })).toEqual([expect.stringContaining('tune weights')])
  expect(next({ 'recall@10': 0.1, 'recall@30': 0.2 })).toEqual([expect.stringContaining('query expansion')])
  expect(next({}, { lexical: 60, 'dense+lexical': 38, dense: 2 })).toEqual([
    expect.stringContaining('lexical search more weight'),
  ])
  expect(next({}, { dense: 60, 'dense+lexical': 38, lexical: 2 })).toEqual([
    expect.stringContaining('expand the query'),
  ])
  expect(adviceOn(trialOf({}), slow).map((advice) => advice.next)).toEqual([
    expect.stringContaining('smaller or local model'),
  ])
})
