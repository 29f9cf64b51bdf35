import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
// Worker threads need compiled files, so these come from the built package.
import { threads } from '../../dist/experiment/executors/threads.js'
import { readResults } from '../../src/results/read.ts'
import { readRowRepeats, readRowValues } from '../../src/results/row-values.ts'
import { compareTrials } from '../../src/statistics/compare.ts'
import { SHARE } from '../../src/statistics/range.ts'
import { runConfig, runOptions, setUp } from '../experiment/experiments.ts'

const TRIALS =
  '[bm25, random, {bm25: {}, before: [{noise: {kind: typos, share: 0.4}}], name: noisy}, {random: {seed: 7}, name: other}]'

const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.parquet') || name === 'summary.json')
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  )

async function finished(more: string, trials = TRIALS, options = {}) {
  const { config, store, at } = setUp(trials, more)
  const { open } = await runConfig(config, store, runOptions(at('run'), options))
  return { folder: at('run'), results: await readResults(at('run')), open }
}

describe('repeats', () => {
  test('of trials that draw by chance are means over other seeds, the first those of a single run', async () => {
    const once = await finished('')
    const { folder, results, open } = await finished('repeats: 4\n')
    expect(open.repeats.map(({ of, repeat }) => [open.trials[of].name, repeat])).toEqual(
      [1, 2, 3].flatMap((repeat) => ['random', 'noisy', 'other'].map((name) => [name, repeat])),
    )
    const { summary } = results
    expect(summary.trials.map(({ name }) => name)).toEqual(
      once.results.summary.trials.map(({ name }) => name),
    )
    const valuesOf = await readRowValues(folder, summary)
    const repeatsOf = await readRowRepeats(folder, summary)
    const onceOf = await readRowValues(once.folder, once.results.summary)
    for (const { id, name, measures, repeats } of summary.trials) {
      const own = repeatsOf(id, 'recall@5')
      if (name === 'bm25') {
        expect([own, repeats]).toEqual([undefined, undefined])
        expect(valuesOf(id, 'recall@5')).toEqual(onceOf(id, 'recall@5'))
        continue
      }
      expect(own).toHaveLength(4)
      expect(own?.[0]).toEqual(onceOf(id, 'recall@5'))
      expect(new Set(own?.map((values) => values.join())).size).toBeGreaterThan(1)
      valuesOf(id, 'recall@5')?.forEach((value, query) => {
        const all = own?.map((values) => values[query]) ?? []
        if (Number.isNaN(value)) expect(all.every(Number.isNaN)).toBe(true)
        else expect(value).toBeCloseTo(all.reduce((sum, one) => sum + one, 0) / 4, 12)
      })
      const means = repeats?.means ?? []
      expect(measures['recall@5'].mean).toBeCloseTo(means.reduce((sum, mean) => sum + mean, 0) / 4, 12)
    }
    expect(readFileSync(join(folder, 'rankings.parquet'))).toEqual(
      readFileSync(join(once.folder, 'rankings.parquet')),
    )
  })

  test('of a config in which nothing draws change no byte', async () => {
    const trials = '[bm25, {bm25: {k1: 2}, name: other}]'
    const [once, five] = [await finished('', trials), await finished('repeats: 5\n', trials)]
    expect(five.open.repeats).toEqual([])
    expect(filesOf(five.folder)).toEqual(filesOf(once.folder))
    expect(existsSync(join(five.folder, 'repeats.parquet'))).toBe(false)
  })

  test.each(['', 'folds: 3\n'])('are the same for any shards and workers: %j', async (more) => {
    const one = await finished(`repeats: 3\n${more}`)
    const cut = await finished(`repeats: 3\n${more}`, TRIALS, { shardSize: 3 })
    const two = await finished(`repeats: 3\n${more}`, TRIALS, { executor: threads(2) })
    expect(filesOf(cut.folder)).toEqual(filesOf(one.folder))
    expect(filesOf(two.folder)).toEqual(filesOf(one.folder))
  })

  test('are in the intervals and tests of what was compared', async () => {
    const { folder, results } = await finished(
      'repeats: 5\n',
      '[bm25, {naive: {}, before: [{noise: {kind: typos, share: 0.9}}], name: noisy}, hybrid, random]',
    )
    const { comparison, trials, primary } = results.summary
    const valuesOf = await readRowValues(folder, results.summary)
    const repeatsOf = await readRowRepeats(folder, results.summary)
    const rows = comparison?.rows ?? []
    const input = {
      names: trials.map(({ id }) => id),
      matrix: trials.map(({ id }) => valuesOf(id, primary) ?? new Float64Array()),
      family: rows.map(({ id, baseline }) => ({ name: id, baseline })),
      ...({ level: 0.05, correction: 'max-t', draws: 200, seed: 0, better: 'higher', range: SHARE } as const),
    }
    const repeats = new Map(
      trials.flatMap(({ id }) => (repeatsOf(id, primary) ? [[id, repeatsOf(id, primary) ?? []]] : [])),
    )
    const joint = compareTrials({ ...input, repeats })
    const queriesAlone = compareTrials(input)
    expect(rows.map(({ low, high, adjusted }) => [low, high, adjusted])).toEqual(
      joint.map(({ low, high, adjusted }) => [low, high, adjusted]),
    )
    const wider = joint.map(
      (row, index) => row.high - row.low - (queriesAlone[index].high - queriesAlone[index].low),
    )
    for (const more of wider) expect(more).toBeGreaterThanOrEqual(0)
    expect(Math.max(...wider)).toBeGreaterThan(0.001)
    for (const [index, { adjusted }] of joint.entries())
      expect(adjusted).toBeGreaterThanOrEqual(queriesAlone[index].adjusted)
  })

  test('tuned rows take their repeats from the trials that were chosen', async () => {
    const { folder, results } = await finished(
      'repeats: 3\nfolds: 3\n',
      '[bm25, {random: {grid: {seed: [1, 2]}}}]',
    )
    const { summary } = results
    const repeatsOf = await readRowRepeats(folder, summary)
    const valuesOf = await readRowValues(folder, summary)
    expect(repeatsOf('tuned:bm25', 'recall@5')).toBeUndefined()
    const own = repeatsOf('tuned:random', 'recall@5')
    expect(own).toHaveLength(3)
    valuesOf('tuned:random', 'recall@5')?.forEach((value, query) => {
      const mean = (own ?? []).reduce((sum, values) => sum + values[query], 0) / 3
      if (Number.isNaN(value)) expect(mean).toBeNaN()
      else expect(mean).toBeCloseTo(value, 12)
    })
  })
})
