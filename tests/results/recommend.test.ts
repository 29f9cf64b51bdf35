import { expect, test } from 'vitest'
import { recommendationWords } from '../../src/report/recommend.ts'
import { type Candidate, type Costs, chooseTrial, type Limits } from '../../src/results/recommend.ts'
import type { ComparedRow, Summary, TrialSummary } from '../../src/results/summary.ts'

const QUERIES = 60

/** A trial that answers this share of the queries: others for another name. */
function candidate(name: string, share: number, costs: Partial<Costs> = {}): Candidate {
  const step = [7, 11, 13, 17, 19][name.length % 5]
  const values = Float64Array.from({ length: QUERIES }, (_, query) =>
    (query * step) % QUERIES < share * QUERIES ? 1 : 0,
  )
  const mean = values.reduce((sum, value) => sum + value, 0) / QUERIES
  const trial = {
    id: name,
    name,
    strategy: name,
    categories: {},
    perQuery: {},
    varied: {},
    measures: { 'recall@5': { mean, low: mean - 0.1, high: mean + 0.1, n: QUERIES } },
  } as object as TrialSummary
  return { trial, strategy: name, values, costs: { tokens: 500, callTokens: 0, ...costs } }
}

const OPTIONS = {
  better: 'higher' as const,
  correction: 'max-t' as const,
  range: { low: 0, high: 1 },
  level: 0.05,
  draws: 1000,
  seed: 1,
}

function decide(
  candidates: readonly Candidate[],
  limits: Limits = {},
  declared: readonly ComparedRow[] = [],
) {
  const summary = {
    primary: 'recall@5',
    trials: [],
    tuned: [],
    measures: ['recall@5'],
    comparison: null,
    findings: [],
    tuning: { kind: 'none' },
    datasets: [{ name: 'd', judged: QUERIES, queries: QUERIES }],
  } as object as Summary
  const recommendation = chooseTrial(candidates, summary, { ...OPTIONS, limits, declared })
  if (recommendation.choice === null) throw new Error('nothing is within the limits')
  return { found: recommendation, words: recommendationWords(recommendation, summary, limits) }
}

test('the best is taken where it is better than all', () => {
  const { found, words } = decide([candidate('poor', 0.2), candidate('good', 0.9), candidate('bad', 0.1)])
  expect(found).toMatchObject({ reason: 'better', runnerUp: { strategy: 'poor' }, comparisons: 3 })
  expect(found.choice.strategy).toBe('good')
  expect(words.because).toMatch(
    /^It is better than each of the 2 other strategies: .* difference from poor is \+/,
  )
})

test('the cheapest is taken of those close to the best, and more questions are counted', () => {
  const { found, words } = decide([
    candidate('dear', 0.75, { callTokens: 900 }),
    candidate('cheap', 0.73),
    candidate('far', 0.6),
    candidate('bad', 0.1),
  ])
  expect(found).toMatchObject({ reason: 'cheapest', cheaper: 'callTokens', runnerUp: { strategy: 'dear' } })
  expect(found.choice.strategy).toBe('cheap')
  expect(found.open.map(({ strategy }) => strategy)).toEqual(['dear', 'cheap', 'far'])
  expect(found.close.map(({ strategy }) => strategy)).toEqual(['dear', 'cheap'])
  expect(words.because).toMatch(
    /Not significantly worse than the best mean: dear, cheap, far\. Means close to the best: dear, cheap\. It is the cheapest of them by tokens .* over 60 questions/,
  )
  expect(words.changes[0]).toMatch(/^Ask more questions: if [\d.]+ points .* there are 60\.$/)
})

test('a limit leaves out what is over it and what was not measured, and names what it costs', () => {
  const all = [
    candidate('slow', 0.9, { p95: 80 }),
    candidate('untimed', 0.95),
    candidate('fast', 0.3, { p95: 5 }),
  ]
  const { found, words } = decide(all, { p95: 50 })
  expect(found).toMatchObject({ choice: { strategy: 'fast' }, reason: 'only' })
  expect(found.excluded.map(({ broken, unknown }) => [broken, unknown])).toEqual([
    [['p95'], []],
    [[], ['p95']],
  ])
  expect(words.changes).toEqual([
    expect.stringMatching(/^Raise the limit on p95: untimed \(not measured\) has .* not tested here\.$/),
  ])
})

test("a verdict of the experiment's own comparison comes first", () => {
  const all = [candidate('dear', 0.75, { callTokens: 900 }), candidate('cheap', 0.6)]
  const declared = [
    { id: 'tuned:dear', baseline: 'tuned:cheap', verdict: 'better', difference: 0.15, low: 0.01, high: 0.3 },
  ].map((row) => ({ ...row, n: 60, adjusted: 0.03, wins: 20, ties: 30, losses: 10, effect: 1, datasets: [] }))
  const { found } = decide(all, {}, declared as object as ComparedRow[])
  expect(found).toMatchObject({
    choice: { strategy: 'dear' },
    reason: 'better',
    comparison: { adjusted: 0.03 },
  })
})
