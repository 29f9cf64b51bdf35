import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHARE } from '../../../src/metrics/range.ts'
import { leaderboardText } from '../../../src/report/leaderboard.ts'
import { compareExperiments } from '../../../src/results/compare-experiments.ts'
import { readSummary } from '../../../src/results/read.ts'
import { readRowValues } from '../../../src/results/row-values.ts'
import { runConfig, runOptions, setUp } from '../experiments.ts'

const TRIALS = `
  - bm25
  - naive
  - title-ppr
  - name: mine
    router: {rules: fitted, arms: {words: bm25, walk: title-ppr, dense: naive}}
`

test.each(['folds: 3\n', 'split: {dev: 0.6}\n'])('a router is fitted after the run: %s', async (tuning) => {
  const { config, store, at } = setUp(TRIALS, tuning)
  for (const [name, shardSize] of Object.entries({ few: 4, many: 100 }))
    await runConfig(config, store, runOptions(at(name), { shardSize }))
  const read = (name: string) => readFileSync(join(at(name), 'summary.json'), 'utf8')
  expect(read('many')).toBe(read('few'))

  const summary = readSummary(at('few'))
  const row = summary.tuned.find(({ name }) => name === 'mine')
  const routing = summary.routing.find(({ name }) => name === 'mine')
  if (!row?.picked || !routing) throw new Error('there is no row of the router')
  expect(summary.trials.map(({ name }) => name)).toEqual(['bm25', 'naive', 'title-ppr'])
  // In folds it learns from the queries that score it, so no test calls it better or worse.
  const inFolds = tuning.startsWith('folds')
  const compared = summary.comparison?.rows.map(({ id }) => id)
  expect(compared?.includes('tuned:mine')).toBe(!inFolds)
  expect(summary.comparison?.untested).toEqual(inFolds ? ['mine'] : undefined)
  expect(leaderboardText(summary, null).replace(/\s+/g, ' ').includes('No verdict: mine.')).toBe(inFolds)
  expect(row.measures['recall@5'].low === null).toBe(inFolds)
  expect(routing).toMatchObject({ id: 'tuned:mine', missing: [], best: { heldOut: true } })
  expect(routing.arms.map(({ name }) => name)).toEqual(['words', 'walk', 'dense'])
  expect(routing.fitted?.features).toHaveLength(tuning.startsWith('folds') ? 3 : 1)
  // Of the question 4, of its terms 3, of each arm 6, and what the walk linked.
  expect(routing.fitted?.offered).toBe(4 + 3 + 3 * 6 + 1)
  expect(routing.mean).toBeCloseTo(row.measures['recall@5'].mean, 12)

  // `compare` tests it as little.
  const { rows } = await compareExperiments({
    folders: [at('few'), at('many')],
    rows: [],
    measure: undefined,
    limit: 1,
    scaleOf: () => ({ better: 'higher', range: SHARE }),
  })
  const tested = (name: string) => rows.find((one) => one.name === name)?.test !== null
  expect([tested('tuned:mine'), tested('tuned:bm25')]).toEqual([!inFolds, true])

  // Each value is that of the trial that was picked, and what is judged was not chosen on.
  const valuesOf = await readRowValues(at('few'), summary)
  const own = valuesOf('tuned:mine', 'recall@5') as Float64Array
  const honest = valuesOf('tuned:bm25', 'recall@5') as Float64Array
  for (const [query, trial] of row.picked.entries()) {
    expect(Number.isNaN(own[query])).toBe(Number.isNaN(honest[query]))
    if (trial === null) expect(own[query]).toBeNaN()
    else expect(own[query]).toBe(valuesOf(summary.trials[trial].id, 'recall@5')?.[query])
  }
  const counted = own.filter((value) => !Number.isNaN(value))
  expect(counted).toHaveLength(row.measures['recall@5'].n)
})
