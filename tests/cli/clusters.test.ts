import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHARE } from '../../src/metrics/range.ts'
import { readColumns } from '../../src/results/columns.ts'
import { readSummary } from '../../src/results/read.ts'
import { readRowValues } from '../../src/results/row-values.ts'
import { meanInterval, tTest } from '../../src/statistics/intervals.ts'
import { callsInTowns } from './calls.ts'

// Each judged question shares gold with one other.
const config = (more: string, trials = '[naive, bm25, { random: {}, name: random }]') =>
  `dataset: towns\nprepare: {embedder: lsa}\nmeasures: [recall@5, recall@1]\ntrials: ${trials}\n${more}`

test('questions that share gold are named by `check` and the report, and sampled together where asked', async () => {
  const { folder, call } = callsInTowns(
    config('compare: {draws: 300, family: all}'),
    {
      'gold.yaml': config('compare: {draws: 300, family: all, cluster: gold}'),
      'c.yaml': config('', '[naive, bm25, { bm25: { b: 0 }, name: random }]'),
    },
    24,
  )
  const pathOf = (...path: string[]) => join(folder, ...path)
  expect(JSON.parse((await call('check', 'towns', '--json')).out)).toMatchObject({
    shared: { by: 'gold', queries: 24, groups: 12, largest: 2 },
  })
  for (const name of ['a', 'gold', 'c'])
    expect(await call('run', `${name}.yaml`, '--workers', '1')).toMatchObject({ code: 0 })

  const experiment = pathOf('experiments', 'gold')
  const summary = readSummary(experiment)
  const { cluster } = await readColumns(join(experiment, 'queries.parquet'), { cluster: 'integer' })
  expect(new Set(cluster).size).toBe(13)
  const valuesOf = await readRowValues(experiment, summary)
  const rows = summary.trials.map(({ id }) => valuesOf(id, 'recall@5') ?? new Float64Array())
  const counted = [...rows[0].keys()].filter((query) => !Number.isNaN(rows[0][query]))
  const at = (row: Float64Array | Int32Array) => counted.map((query) => row[query])
  expect(summary.comparison).toMatchObject({ cluster: 'gold', rows: [{}, { verdict: 'worse' }] })
  for (const [index, compared] of summary.comparison?.rows.entries() ?? []) {
    const differences = at(rows[index + 1]).map((value, place) => value - at(rows[0])[place])
    const { t: _, ...test } = tTest(differences, { clusters: at(cluster), comparisons: 2 })
    expect(compared).toMatchObject({ n: 24, clusters: 12, ...test })
  }
  for (const [index, { measures }] of summary.trials.entries())
    expect(measures['recall@5']).toMatchObject(meanInterval([at(rows[index])], 0.05, SHARE, [at(cluster)]))

  const drops = async (name: string) => {
    const folders = [`experiments/${name}`, '--baseline', 'experiments/c']
    const outcome = await call('gate', ...folders, '--json', '--trial', 'random')
    expect(outcome.err).toBe('')
    return JSON.parse(outcome.out).rows[0]
  }
  const [single, grouped] = [await drops('a'), await drops('gold')]
  expect(grouped.drop).toBe(single.drop)
  expect(grouped.drop).toBeGreaterThan(0)
  expect(grouped.p).toBeGreaterThan(single.p)
  expect(await call('compare', 'experiments/gold', 'experiments/a')).toMatchObject({ code: 0 })
})
