import { expect, test } from 'vitest'
import { leaderboardCsv, leaderboardJson, leaderboardText } from '../../src/report/leaderboard.ts'
import { leaderboardOf, representatives, rivals } from '../../src/report/leaderboard-rows.ts'
import { comparableMean, stopInWords } from '../../src/report/raced.ts'
import type { Summary } from '../../src/results/summary.ts'
import { smallSummary } from './small-summary.ts'

/** `c` looks best on the few queries that it was run on, and `b` was ruled out later. */
function racedSummary(): Summary {
  const summary = smallSummary({
    trials: [
      { name: 'a', mean: 0.5 },
      { name: 'b', mean: 0.6 },
      { name: 'c', mean: 0.9 },
      { name: 'd', mean: 0.55 },
    ],
    more: {
      race: {
        level: 0.05,
        firstTest: 10,
        blocks: null,
        rounds: [{ queries: 10, trials: 4 }],
        share: 0.5,
        untuned: ['hippo'],
      },
    },
  })
  const stopped = (after: number, by: string, mean: number) => ({
    stopped: { after, by, difference: { mean, n: after } },
  })
  const { trials } = summary
  return {
    ...summary,
    trials: [
      trials[0],
      { ...trials[1], ...stopped(45, trials[3].id, -0.1) },
      { ...trials[2], ...stopped(10, trials[1].id, -0.2) },
      trials[3],
    ],
  }
}

test('what a race stopped stands below the others whatever its mean, is no rival and represents no strategy', () => {
  const summary = racedSummary()
  const { ranked } = leaderboardOf(summary)
  expect(ranked.map(({ name }) => name)).toEqual(['d', 'a', 'b', 'c'])
  expect(rivals(leaderboardOf(summary)).map(({ name }) => name)).toEqual(['d', 'a'])
  expect(representatives(summary).map((place) => summary.trials[place].stopped)).not.toContainEqual(
    expect.anything(),
  )
  const text = leaderboardText(summary, null)
  expect(text).toMatch(/^- +b +60\.00 .* 45$/m)
  expect(text).toMatch(/^- +c +90\.00 .* 10$/m)
  expect(text.replace(/\s+/g, ' ')).toContain(': 2 of 4 stopped, and 50.0 % of the work was done')
  expect(text.replace(/\s+/g, ' ')).toContain('the race left no trial for some part of the queries: hippo.')
  expect(leaderboardCsv(summary, null).split('\n')[0]).toContain('stopped after')
  expect(JSON.stringify(leaderboardJson(summary, null))).toContain('"stopped":{"after":45')
})

test('beside full means a stopped trial stands with the differences that were seen, one after another', () => {
  const summary = racedSummary()
  const means = summary.trials.map(comparableMean(summary))
  expect(means.map((mean) => Number(mean.toFixed(6)))).toEqual([0.5, 0.45, 0.25, 0.55])
  const [far] = summary.trials
    .slice(2, 3)
    .map((trial) => ({ ...trial, stopped: { ...trial.stopped!, difference: { mean: -0.9, n: 10 } } }))
  expect(comparableMean(summary)(far)).toBe(0)
  expect(stopInWords(summary, summary.trials[1].stopped!)).toBe(
    'after 45 queries, −10.0 points from d on these queries',
  )
})
