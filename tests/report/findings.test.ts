import { expect, test } from 'vitest'
import { findingsOf } from '../../src/report/findings/index.ts'
import { boardOf } from '../../src/report/make-board.ts'
import { rendered } from '../../src/report/markup.ts'
import { limitsSection, verdictSection } from '../../src/report/sections/verdict.tsx'
import type { DatasetSummary, Summary, TrialSummary } from '../../src/results/summary.ts'
import { macroFixture } from './macro-fixture.ts'
import { estimate, type Small, smallSummary } from './small-summary.ts'

/** A summary of three trials, with changes to its dataset and to its trials by name. */
function summary(
  more: Partial<Summary>,
  dataset: Partial<DatasetSummary> = {},
  changes: Readonly<Record<string, Partial<TrialSummary>>> = {},
): Summary {
  const trials = [0.5, 0.6, 0.4].map((mean, at) => ({ name: 'abc'[at], mean }))
  const plain = smallSummary({ trials, compared: {} })
  return {
    ...plain,
    datasets: plain.datasets.map((set) => ({ ...set, ...dataset })),
    trials: plain.trials.map((trial) => ({ ...trial, ...changes[trial.name] })),
    ...more,
  }
}

const plain = summary({})
const graph = { chunks: 240, entities: 60, relationships: 43, entitiesPerChunk: 0.3, isolatedChunks: 121 }
const indexes = (...counts: Record<string, number>[]) => ({
  indexes: counts.map((own, at) => ({ name: `variant ${at + 1}`, prepare: null, counts: own })),
})
const funnel = (found: number) => [
  { stage: 'search', lost: 9 },
  { stage: 'found', lost: found },
]
const everyTrial = (change: Partial<TrialSummary>) => ({ a: change, b: change, c: change })
const tuned = (mean: number, optimism: number) => ({
  id: 'tuned:s',
  name: 's (tuned)',
  strategy: 's',
  measures: { 'recall@5': estimate(mean) },
  categories: {},
  chosen: ['b'],
  optimism,
})
const failure = { query: 'q1', message: 'no answer' }

const cases: Readonly<Record<string, Summary>> = {
  'nothing to say but that labels are of relevant results': plain,
  'a sample': summary({}, { sample: { queries: 20, of: 1200, seed: 3 } }),
  'drafted questions': summary({}, { synthetic: 100, reviewed: 40 }),
  'queries that share gold': summary({}, { shared: { by: 'gold', queries: 30, groups: 12, largest: 4 } }),
  'queries that share documents, in clusters': summary(
    {
      comparison: {
        ...smallSummary({ trials: [{ name: 'a', mean: 0.5 }], compared: { b: { clusters: 70 } } })
          .comparison!,
        cluster: 'document',
      },
    },
    { shared: { by: 'document', queries: 30, groups: 12, largest: 4 } },
  ),
  'missing gold and unanswerable queries': summary({}, { missing: 1, evaluability: 0.99, unanswerable: 2 }),
  'a cutoff near the number of documents that a query searches': summary(
    { measures: ['recall@5', 'recall@10', 'hit@10', 'mrr'] },
    { documents: 272, searched: 27.2 },
  ),
  'a saturated measure': smallSummary({
    trials: [
      { name: 'a', mean: 0.9 },
      { name: 'b', mean: 0.98 },
    ],
    compared: { b: { detectable: 0.031 } },
  }),
  'no trial finds gold': summary({}, {}, everyTrial({ funnel: funnel(0) })),
  'a run of another system finds no gold': summary(
    {},
    {},
    { a: { funnel: funnel(1) }, b: { strategy: 'run', funnel: funnel(0) }, c: { funnel: funnel(0) } },
  ),
  'fallbacks of the winner and of another trial': summary(
    {},
    {},
    {
      b: { fallbacks: [{ when: 'nothing is linked', share: 0.1 }] },
      c: {
        fallbacks: [
          { when: 'no report is relevant', share: 0.05 },
          { when: 'nothing is linked', share: 0.5 },
        ],
      },
    },
  ),
  'fallbacks of many trials': {
    ...plain,
    trials: Array.from({ length: 14 }, (_, at) => ({
      ...plain.trials[0],
      id: `t${at}`,
      name: `t${at}`,
      fallbacks: [{ when: 'nothing is linked', share: 0.5 - at / 100 }],
    })),
  },
  'a filter that leaves nothing': summary(
    {},
    {},
    { a: { perQuery: { leftNothing: 0.25 } }, b: { perQuery: { leftNothing: 0 } } },
  ),
  'a boost over nearly everything': summary(
    indexes({ chunks: 1000 }),
    {},
    {
      b: { perQuery: { neighbors: 820.4, tiedAtLimit: 468 } },
      c: { perQuery: { neighbors: 50, tiedAtLimit: 50 } },
    },
  ),
  'a boost in a small corpus': summary(indexes({ chunks: 60 }), {}, { b: { perQuery: { neighbors: 18 } } }),
  'a graph of few chunks': summary(indexes(graph)),
  'graphs of few relationships': summary(
    indexes(
      { ...graph, isolatedChunks: 0, isolatedEntities: 45 },
      { ...graph, isolatedChunks: 0, isolatedEntities: 30 },
      { entities: 0 },
    ),
  ),
  'few title links, and none': summary(
    indexes({ chunks: 100, titleLinks: 9, chunksWithoutTitleLink: 80 }, { chunks: 100, titleLinks: 0 }),
  ),
  'tied scores, unsolved queries, small categories': summary({
    health: {
      unsolved: ['q1', 'q2'],
      small: [{ name: 'rare', queries: 4 }],
      trials: [
        {
          id: 'b',
          name: 'b',
          ceiling: null,
          ties: { share: 0.06, worst: 0.55, best: 0.62 },
          unjudged: { k: 5, share: 0.5 },
        },
      ],
    },
  }),
  'another row leads by other measures': summary(
    { measures: ['recall@5', 'mrr@5', 'ndcg@5'] },
    {},
    Object.fromEntries(
      ['a', 'b', 'c'].map((name, at) => [
        name,
        {
          measures: {
            'recall@5': plain.trials[at].measures['recall@5'],
            'mrr@5': estimate([0.9, 0.5, 0.7][at]),
            'ndcg@5': estimate([0.4, 0.3, 0.2][at]),
          },
        },
      ]),
    ),
  ),
  'trials of one strategy': summary({}, {}, everyTrial({ strategy: 's' })),
  'a tuned row below its trials': summary(
    { tuning: { kind: 'folds', folds: 5, seed: 1 }, tuned: [tuned(0.3, 0.02)] },
    {},
    everyTrial({ strategy: 's' }),
  ),
  'answers and verdicts that failed': summary({
    answers: {
      measures: [],
      comparisons: {},
      rows: [
        {
          answerer: 'mine',
          trial: { id: 'b', name: 'b' },
          measures: {},
          perQuery: { sent: 0 },
          failed: 2,
          failures: [failure],
        },
      ],
      judges: [{ name: 'correctness', failed: 1, failures: [failure] }],
    } as never,
  }),
  'several datasets, one of which lacks a row': (() => {
    const macro = macroFixture({ lacking: [2] })
    const rows = macro.comparison!.rows.map((row) => ({
      ...row,
      datasets: row.datasets.map((stratum, at) => ({
        ...stratum,
        verdict: at === 0 ? ('better' as const) : ('worse' as const),
      })),
    }))
    return { ...macro, comparison: { ...macro.comparison!, rows } }
  })(),
}

test('findings of each case', async () => {
  const text = Object.entries(cases).map(([name, result]) => {
    const lines = findingsOf(result, []).map(({ severity, about, text }) => `${severity}: ${about}: ${text}`)
    return [`# ${name}`, ...lines].join('\n')
  })
  await expect(`${text.join('\n\n')}\n`).toMatchFileSnapshot('findings.txt')
})

const a = { name: 'a', mean: 0.5 }
const b = { name: 'b', mean: 0.6 }
const same = { difference: 0, low: 0, high: 0, p: 1, adjusted: 1, wins: 0, ties: 100, losses: 0 }
const identical = { b: { ...same, effect: 0, detectable: null, verdict: 'cannot tell' as const } }
const split = {
  n: 9,
  wins: 5,
  ties: 2,
  losses: 2,
  verdict: 'cannot tell' as const,
  low: null,
  high: null,
  p: null,
  adjusted: null,
  detectable: null,
  untested: '9 queries, and a verdict needs 15',
}

/** Trials and comparisons whose verdicts are told in other words each. */
const verdicts: Readonly<Record<string, Small>> = {
  nothing: { trials: [] },
  'every query failed': { trials: [{ ...a, mean: 0, failed: 100 }] },
  'one trial, no baseline': { trials: [a] },
  'one trial, the baseline itself': { trials: [a], compared: {} },
  'all vectors are those of lsa': { trials: [a, b], more: { standIn: ['naive', 'hybrid'] } },
  'no query counts': { trials: [a, b], n: 0 },
  'a winner that is better': { trials: [a, b], compared: { b: {} } },
  'a winner that cannot be told from the baseline': {
    trials: [a, b],
    compared: { b: { verdict: 'cannot tell', adjusted: 0.4 } },
  },
  'a winner that the test calls worse': {
    trials: [a, b],
    compared: { b: { verdict: 'worse', difference: -0.1, adjusted: 0.0004 } },
  },
  'an equivalent winner': { trials: [a, b], compared: { b: { verdict: 'equivalent' } } },
  'the baseline wins': {
    trials: [{ ...a, mean: 0.7 }, b],
    compared: { b: { verdict: 'worse', difference: -0.1 } },
  },
  'a winner outside the tested family': { trials: [a, { name: 'c', mean: 0.9 }, b], compared: { b: {} } },
  'nothing compared': { trials: [a, b] },
  'a tie, identical on every query': { trials: [a, { ...b, mean: 0.5 }], compared: identical },
  'the other one first': {
    trials: [
      { ...a, mean: 0.5 - 1e-15 },
      { ...b, mean: 0.5 },
    ],
    compared: identical,
  },
  'equal means that differ by query': {
    trials: [a, { ...b, mean: 0.5 }],
    compared: { b: { ...same, wins: 3, ties: 94, losses: 3, verdict: 'cannot tell' } },
  },
  'all rows tie': { trials: ['a', 'b', 'c'].map((name) => ({ name, mean: 0 })) },
  'few queries': { trials: [a, b], compared: { b: split }, n: 9 },
  'one query': { trials: [a, b], n: 1 },
  'fifteen queries': { trials: [a, b], n: 15 },
  'several comparisons: the power is told of the family': {
    trials: [a, b, { name: 'c', mean: 0.4 }],
    compared: { b: {}, c: { detectable: 0.08, verdict: 'cannot tell' } },
  },
  'a difference that does not vary says nothing of power, the others do': {
    trials: [a, b, { name: 'c', mean: 0.5 }],
    compared: { b: {}, c: identical.b },
  },
  'where it loses: the best other row, in categories that are large enough': {
    trials: [
      {
        ...a,
        categories: { fact: estimate(0.5), paraphrase: estimate(0.733, 0.1, 15), odd: estimate(1, 0, 4) },
      },
      {
        ...b,
        categories: { fact: estimate(0.9), paraphrase: estimate(0.067, 0.06, 15), odd: estimate(0, 0, 4) },
      },
      { name: 'c', mean: 0.4, categories: { fact: estimate(0.2), paraphrase: estimate(0.5, 0.1, 15) } },
    ],
  },
  'no loss where the intervals overlap': {
    trials: [
      { ...a, categories: { fact: estimate(0.62, 0.1) } },
      { ...b, categories: { fact: estimate(0.5, 0.1) } },
    ],
  },
  'no loss without intervals, or where one row lacks the category': {
    trials: [
      { ...a, categories: { fact: estimate(0.9, null), other: estimate(0.9) } },
      { ...b, categories: { fact: estimate(0.1) } },
    ],
  },
  'a measure that is better low': {
    primary: 'contamination@5',
    trials: [
      { ...a, mean: 0.1, categories: { fact: estimate(0.9), paraphrase: estimate(0.1) } },
      { ...b, mean: 0.2, categories: { fact: estimate(0.1), paraphrase: estimate(0.9) } },
    ],
    compared: { b: { verdict: 'worse' } },
  },
  'failures of some queries': { trials: [a, { ...b, failed: 2 }] },
}

/** Sentences of a verdict and of its limits, without markup, table and chart. */
function verdictWords(summary: Summary): string {
  const [sentences] = rendered(verdictSection({ board: boardOf(summary), summary }).body).split(
    '<div class="overview">',
  )
  return `${sentences} ${rendered(limitsSection({ summary }).body)}`
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/\s+/g, ' ')
    .trim()
}

test('the verdict of each case, and the limits of its tests', async () => {
  const text = Object.entries(verdicts).map(
    ([name, result]) => `# ${name}\n${verdictWords(smallSummary(result))}`,
  )
  expect(text.join()).not.toMatch(/NaN|undefined|null|Infinity/)
  await expect(`${text.join('\n\n').replaceAll('. ', '.\n')}\n`).toMatchFileSnapshot('verdicts.txt')
})
