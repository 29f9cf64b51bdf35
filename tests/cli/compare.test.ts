import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHARE } from '../../src/metrics/range.ts'
import { comparedText } from '../../src/report/compared.tsx'
import { type ComparedExperiments, compareExperiments } from '../../src/results/compare-experiments.ts'
import type { Summary } from '../../src/results/summary.ts'
import { callsInTowns } from './calls.ts'

const config = (trials: string, more = '') =>
  `dataset: towns\nprepare: {embedder: lsa}\nmeasures: [recall@5, recall@1]\ntrials: ${trials}\n${more}`

test('`compare` of experiments shows the numbers of their result files', async () => {
  const { folder, call } = callsInTowns(config('[bm25, {title-ppr: {}, name: other}]'), {
    'b.yaml': config('[{random: {pool: 5}, name: bm25}, naive]'),
  })
  for (const name of ['a', 'b']) expect((await call('run', `${name}.yaml`, '--workers', '1')).err).toBe('')
  const json = async (limit: number): Promise<ComparedExperiments> => {
    const words = ['experiments/a', 'experiments/b', '--limit', `${limit}`, '--json']
    return JSON.parse((await call('compare', ...words)).out).comparisons[0]
  }

  // A gap of one rank is shown; a longer one is a sign.
  const whole = await json(1)
  const ranksWith = (gold: number) => {
    const ranking = Array.from({ length: 9 }, (_, at) => ({
      chunk: `c${at}`,
      title: `T${at}`,
      gold: at === gold,
    }))
    const [query] = whole.flipped.queries
    const queries = [
      { ...query, before: { ...query.before, ranking }, now: { ...query.now, ranking: null, gold: [] } },
    ]
    const text = comparedText({ ...whole, flipped: { ...whole.flipped, queries } }, 100)
    return [...text.matchAll(/^ +(?:(…)|\d+ +\*? *T(\d))/gm)].map(([, sign, rank]) => sign ?? rank).join(' ')
  }
  expect([5, 6, 7].map(ranksWith)).toEqual(['0 1 2 3 4 5 6 …', '0 1 2 … 5 6 7 …', '0 1 2 … 6 7 8'])

  // Of a measure that is better low, what has fallen is gained.
  const request = { folders: ['a', 'b'].map((name) => join(folder, 'experiments', name)), rows: [], limit: 1 }
  const low = await compareExperiments({
    ...request,
    measure: 'recall@5',
    scaleOf: () => ({ range: SHARE, better: 'lower' }),
  })
  expect(low.flipped).toMatchObject({ gained: 9, lost: 0, equal: 3 })
  expect(low.rows[0].test).toMatchObject({ wins: 9, losses: 0 })

  const shown = await json(100)
  const summary = (name: string): Summary =>
    JSON.parse(readFileSync(join(folder, 'experiments', name, 'summary.json'), 'utf8'))
  const [row] = shown.rows
  expect(row.before).toBeCloseTo(summary('a').trials[0].measures['recall@5'].mean, 12)
  expect(row.now).toBeCloseTo(summary('b').trials[0].measures['recall@5'].mean, 12)
  expect(row.test?.difference).toBeCloseTo(row.now - row.before, 12)
  const { gained, lost, equal, queries } = shown.flipped
  expect([gained, equal, lost]).toEqual([row.test?.wins, row.test?.ties, row.test?.losses])
  expect(queries).toHaveLength(gained + lost)
  const sum = queries.reduce((total, { values }) => total + values.now - values.before, 0)
  expect(sum / row.n).toBeCloseTo(row.now - row.before, 12)
  for (const { before, now, part, values } of queries) {
    // Of so few gold labels, recall@5 is the share of the gold that stands in the first five.
    for (const [side, value] of [[before, values.before] as const, [now, values.now] as const])
      expect(side.gold.filter(({ rank }) => rank > 0 && rank <= 5).length / side.gold.length).toBe(value)
    for (const { gold, ranking } of [before, now])
      for (const { judged, rank } of gold)
        if (rank > 0) expect(ranking?.[rank - 1]).toMatchObject({ chunk: judged, gold: true })
    if (part.kind !== 'stage') continue
    const lostAt = ({ gold }: typeof before) =>
      gold.filter(({ stage }) => stage === part.stage).map(({ judged }) => judged)
    expect(lostAt(before)).toEqual(expect.arrayContaining([...part.before]))
    expect(lostAt(now)).toEqual(expect.arrayContaining([...part.now]))
  }
})
