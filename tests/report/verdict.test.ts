import { describe, expect, test } from 'vitest'
import { leaderboardText } from '../../src/report/leaderboard.ts'
import type { Summary } from '../../src/results/summary.ts'
import { estimate, type Small, smallSummary } from './small-summary.ts'
import { verdictWords } from './verdict-words.ts'

/** The words of a verdict, without markup. */
function words(summary: Summary): string {
  return verdictWords(summary)
}
const verdict = (small: Small) => words(smallSummary(small))
const terminal = (small: Small) => leaderboardText(smallSummary(small), null).replace(/\s+/g, ' ')

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

describe('each sentence is said where it is true, and not elsewhere', () => {
  const cases: readonly (readonly [string, Small, readonly string[], readonly string[]])[] = [
    [
      'nothing',
      { trials: [] },
      ['No trial was scored.'],
      ['leads', 'tie:', 'Tests.', 'Limits of the tests', 'Tuning', 'Stand-in'],
    ],
    [
      'every query failed',
      { trials: [{ ...a, mean: 0, failed: 100 }] },
      [
        'No trial was scored: every query failed in every trial.',
        'Failures. a failed on every query; first on q1, in the step expand: no chunk',
      ],
      ['leads', 'only row'],
    ],
    [
      'one trial, no baseline',
      { trials: [a] },
      ['a is the only row: recall@5 of 50.0 [45.0, 55.0] over 100 queries.'],
      ['leads', 'baseline', 'Tuning', 'tested'],
    ],
    [
      'one trial, the baseline itself',
      { trials: [a], compared: {} },
      ['a is the only row', 'It is the baseline; there is nothing else to compare it with.'],
      ['no other row', 'Tests.', 'Limits of the tests'],
    ],
    [
      'all vectors are those of lsa',
      { trials: [a, b], more: { standIn: ['naive', 'hybrid'] } },
      ['Stand-in embedder. Dense results (naive, hybrid) come from lsa, which knows only the words'],
      [],
    ],
    [
      'no query counts',
      { trials: [a, b], n: 0 },
      ['No query counts in recall@5, so no row leads.'],
      ['leads:', 'b leads', 'Too few'],
    ],
    [
      'a winner that is better',
      { trials: [a, b], compared: { b: {} } },
      [
        'b leads: recall@5 of 60.0 [55.0, 65.0] over 100 queries.',
        'That is better than the baseline: +10.0 points from a [+2.0, +18.0], adjusted p = 0.008.',
        'Tests. 1 comparison in recall@5 with a (family: best-per-strategy)',
        'corrected by max-T: 1 better.',
        'Every test reached a verdict. The minimum detectable effect (80 % power) is 5.0 points, with 100 queries',
      ],
      ['tie:', 'Too few', 'Where it loses', 'Tuning', 'not significant', 'identical', 'ot tested'],
    ],
    [
      'a winner that cannot be told from the baseline',
      { trials: [a, b], compared: { b: { verdict: 'cannot tell', adjusted: 0.4 } } },
      [
        'It does not differ significantly from the baseline: +10.0 points from a',
        'adjusted p = 0.400',
        ': 1 not significant.',
        'No significant difference from the baseline: b.',
      ],
      ['reached a verdict', 'is better'],
    ],
    [
      'a winner that the test calls worse',
      { trials: [a, b], compared: { b: { verdict: 'worse', difference: -0.1, adjusted: 0.0004 } } },
      ['Compared query by query, it is worse than the baseline: −10.0 points', 'adjusted p < 0.001'],
      ['is better'],
    ],
    [
      'an equivalent winner',
      { trials: [a, b], compared: { b: { verdict: 'equivalent' } } },
      ['It is equivalent to the baseline: ', ': 1 equivalent.'],
      ['is better', 'not significant'],
    ],
    [
      'the baseline wins',
      { trials: [{ ...a, mean: 0.7 }, b], compared: { b: { verdict: 'worse', difference: -0.1 } } },
      ['a leads', 'It is the baseline: no other row has a better mean.', ': 1 worse.'],
      ['nothing that was tried', 'only row'],
    ],
    [
      'a winner outside the tested family',
      { trials: [a, { name: 'c', mean: 0.9 }, b], compared: { b: {} } },
      ['c leads', 'It was not tested against the baseline.'],
      ['is better than the baseline'],
    ],
    [
      'nothing compared',
      { trials: [a, b] },
      ['b leads', 'No difference was tested.'],
      ['baseline', 'Tests.', 'Limits of the tests'],
    ],
    [
      'a tie, identical on every query',
      { trials: [a, { ...b, mean: 0.5 }], compared: identical },
      [
        'a and b tie: recall@5 of 50.0',
        ': 1 identical.',
        'Identical to the baseline on every query: b.',
        'No minimum detectable effect can be computed.',
      ],
      ['leads', '0.0 points', 'not significant', 'reached a verdict', 'No significant difference'],
    ],
    [
      'the other one first',
      {
        trials: [
          { ...a, mean: 0.5 - 1e-15 },
          { ...b, mean: 0.5 },
        ],
        compared: identical,
      },
      ['b and a tie', 'b scores the same as the baseline, a, on every query.'],
      ['leads', 'from the baseline: +0.0'],
    ],
    [
      'equal means that differ by query',
      {
        trials: [a, { ...b, mean: 0.5 }],
        compared: { b: { ...same, wins: 3, ties: 94, losses: 3, verdict: 'cannot tell' } },
      },
      ['a and b tie', ': 1 not significant.'],
      ['leads', 'identical', 'Identical'],
    ],
    [
      'all rows tie',
      { trials: ['a', 'b', 'c'].map((name) => ({ name, mean: 0 })) },
      ['a, b and c tie: recall@5 of 0.0'],
      ['leads'],
    ],
    [
      'few queries',
      { trials: [a, b], compared: { b: split }, n: 9 },
      [
        'Too few queries. Means over 9 queries do not generalise to other queries. Below 15 queries',
        'It was not tested against the baseline (9 queries, and a verdict needs 15): +10.0 points from a',
        ': 1 not tested.',
        'Not tested: b: 9 queries, and a verdict needs 15.',
      ],
      ['That is better', 'significant', 'reached a verdict'],
    ],
    [
      'one query',
      { trials: [a, b], n: 1 },
      ['over 1 query.', 'Means over 1 query do not generalise'],
      ['over 1 queries'],
    ],
    ['fifteen queries', { trials: [a, b], n: 15 }, ['over 15 queries'], ['Too few']],
    [
      'several comparisons: the power is told of the family',
      {
        trials: [a, b, { name: 'c', mean: 0.4 }],
        compared: { b: {}, c: { detectable: 0.08, verdict: 'cannot tell' } },
      },
      [
        '2 comparisons',
        ': 1 better, 1 not significant.',
        'The minimum detectable effect (80 % power) is 5.0 to 8.0 points',
        'No significant difference from the baseline: c.',
      ],
      ['open for b'],
    ],
    [
      'a difference that does not vary says nothing of power, the others do',
      { trials: [a, b, { name: 'c', mean: 0.5 }], compared: { b: {}, c: identical.b } },
      ['effect (80 % power) is 5.0 points', ': 1 better, 1 identical.', 'Every test reached a verdict'],
      ['0.0 to', 'do not vary'],
    ],
    [
      'where it loses: the best other row, in categories that are large enough',
      {
        trials: [
          {
            ...a,
            categories: { fact: estimate(0.5), paraphrase: estimate(0.733, 0.1, 15), odd: estimate(1, 0, 4) },
          },
          {
            ...b,
            categories: {
              fact: estimate(0.9),
              paraphrase: estimate(0.067, 0.06, 15),
              odd: estimate(0, 0, 4),
            },
          },
          { name: 'c', mean: 0.4, categories: { fact: estimate(0.2), paraphrase: estimate(0.5, 0.1, 15) } },
        ],
      },
      [
        'Where it loses. b scores far worse than another row in 1 category: paraphrase (n = 15), 6.7 against 73.3 of a. The 95 % intervals do not overlap. This is a description over 3 categories, not a test.',
      ],
      ['odd', 'fact'],
    ],
    [
      'no loss where the intervals overlap',
      {
        trials: [
          { ...a, categories: { fact: estimate(0.62, 0.1) } },
          { ...b, categories: { fact: estimate(0.5, 0.1) } },
        ],
      },
      ['b leads'],
      ['Where it loses'],
    ],
    [
      'no loss without intervals, or where one row lacks the category',
      {
        trials: [
          { ...a, categories: { fact: estimate(0.9, null), other: estimate(0.9) } },
          { ...b, categories: { fact: estimate(0.1) } },
        ],
      },
      ['b leads'],
      ['Where it loses'],
    ],
    [
      'a measure that is better low',
      {
        primary: 'contamination@5',
        trials: [
          { ...a, mean: 0.1, categories: { fact: estimate(0.9), paraphrase: estimate(0.1) } },
          { ...b, mean: 0.2, categories: { fact: estimate(0.1), paraphrase: estimate(0.9) } },
        ],
        compared: { b: { verdict: 'worse' } },
      },
      ['a leads: contamination@5 of 10.0', 'in 1 category: fact (n = 100), 90.0 against 10.0 of b'],
      ['paraphrase (n', 'b leads'],
    ],
    [
      'failures of some queries',
      { trials: [a, { ...b, failed: 2 }] },
      ['Failures. b failed on 2 of 100 queries; first on q1, in the step expand: no chunk'],
      ['a failed'],
    ],
  ]
  test.each(cases)('%s', (_, small, said, unsaid) => {
    const text = verdict(small)
    for (const sentence of said) expect(text).toContain(sentence)
    for (const sentence of unsaid) expect(text).not.toContain(sentence)
    expect(text).not.toMatch(/NaN|undefined|null|Infinity|\bseen in tuning|read off its own/)
  })
})

describe('the terminal', () => {
  test('puts the lowest first for a measure that is better low', () => {
    const text = terminal({ primary: 'contamination@5', trials: [b, { name: 'a', mean: 0.1 }] })
    expect(text.indexOf(' a ')).toBeLessThan(text.indexOf(' b '))
  })

  test('explains brackets where there are some', () => {
    const text = terminal({ trials: [a, b], compared: { b: {} } })
    expect(text).toContain('Brackets: 95 % interval.')
    expect(terminal({ trials: [{ ...a, half: null }] })).not.toContain('Brackets')
  })
})
