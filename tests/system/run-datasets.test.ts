import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
// Worker threads need compiled files, so these come from the built package.
import { threads } from '../../dist/experiment/executors/threads.js'
import { loadConfig } from '../../src/config/load.ts'
import { splitDatasets } from '../../src/config/split-datasets.ts'
import type { Executor } from '../../src/experiment/executors/executor.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import { openExperiment, prepareAll } from '../../src/experiment/plan/open.ts'
import type { RunOptions } from '../../src/experiment/run.ts'
import { type DatasetsOutcome, runDatasets } from '../../src/experiment/run-datasets.ts'
import { SHARE } from '../../src/metrics/range.ts'
import { type MacroSummary, readMacro } from '../../src/results/macro.ts'
import { readManifest, readSummary } from '../../src/results/read.ts'
import { readFolds, readRowValues } from '../../src/results/row-values.ts'
import { compareTrials } from '../../src/statistics/compare.ts'
import { meanInterval } from '../../src/statistics/mean-interval.ts'
import { compareIds } from '../../src/text/order.ts'
import { runConfig, runOptions, writeConfig, writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

const TRIALS = '[naive, bm25, {hybrid: {grid: {alpha: [0.3, 0.7]}}}]'

function setUp(trials = TRIALS, more = '') {
  const folder = temporaryFolder()
  const at = (path: string) => join(folder, path)
  writeTowns(at('small'), { towns: 16 })
  writeTowns(at('large'), { towns: 24 })
  const config = writeConfig(folder, trials, more)
  const run = async (
    datasets: string,
    into: string,
    options: Partial<RunOptions> = {},
    set: string[] = [],
  ) => {
    const experiment = await loadConfig(config, { set: [`dataset=${datasets}`, ...set], env: {}, folder })
    const opened: { dataset: string; folder: string; open: Awaited<ReturnType<typeof openExperiment>> }[] = []
    for (const { experiment: own, ...named } of splitDatasets(experiment)) {
      const open = await openExperiment(own, at('store'))
      await prepareAll(open)
      opened.push({ ...named, open })
    }
    return runDatasets(experiment, opened, runOptions(at(into), options))
  }
  return { folder, at, config, run, bytes: (path: string) => readFileSync(at(path), 'utf8') }
}

function macroOf(outcome: DatasetsOutcome): MacroSummary {
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  return outcome.macro
}

const BOTH = '[small, large]'

describe('several data sets', () => {
  test('each gives what the config gives with it alone; the table holds their means', async () => {
    const { folder, at, config, run, bytes } = setUp()
    const macro = macroOf(await run(BOTH, 'run'))
    for (const name of ['small', 'large']) {
      writeFileSync(config, bytes('towns.yaml').replace(/^dataset: .*$/m, `dataset: ${name}`))
      await runConfig(config, join(folder, 'store'), runOptions(at(name === 'small' ? 'alone-s' : 'alone-l')))
    }
    expect(macro.datasets.map(({ result }) => result)).toEqual(
      ['alone-s', 'alone-l'].map((alone) => readManifest(at(alone)).result),
    )
    expect(macro.datasets).toMatchObject([
      { name: 'small', folder: 'small', documents: 16, queries: 17, judged: 16 },
      { name: 'large', folder: 'large', documents: 24, queries: 25, judged: 24 },
    ])
    expect(macro.rows.map(({ name }) => name)).toEqual([
      'naive',
      'bm25',
      'hybrid alpha=0.3',
      'hybrid alpha=0.7',
    ])
    const [small, large] = ['alone-s', 'alone-l'].map((alone) => readSummary(at(alone)))
    macro.rows.forEach((row, place) => {
      for (const measure of macro.measures) {
        const own = [small, large].map(({ trials }) => trials[place].measures[measure])
        expect(row.datasets.map((one) => one?.[measure])).toEqual(own)
        const { mean, low, high, n } = row.macro?.[measure] ?? { mean: -1, low: 0, high: 0, n: 0 }
        expect(mean).toBeCloseTo((own[0].mean + own[1].mean) / 2, 12)
        expect(low).toBeLessThanOrEqual(mean)
        expect(high).toBeGreaterThanOrEqual(mean)
        expect(n).toBe(40)
      }
    })
    expect(bytes('run/datasets.json')).not.toContain(folder)
    expect(readMacro(at('run'))).toEqual(macro)
  })

  test('intervals and differences are those of the statistics, over rows read off the files', async () => {
    const { at, run } = setUp(TRIALS.replace('bm25', 'bm25, random'), 'folds: 3\n')
    const macro = macroOf(await run(BOTH, 'run'))
    expect(macro.kind).toBe('tuned')
    // In the order of the names.
    const folders = ['large', 'small'].map((name) => at(join('run', name)))
    const values = await Promise.all(folders.map((path) => readRowValues(path, readSummary(path))))
    const counted = (id: string, measure: string) =>
      values.map((valuesOf) =>
        (valuesOf(id, measure) ?? new Float64Array()).filter((value) => !Number.isNaN(value)),
      )
    for (const [place, path] of folders.entries())
      for (const { strategy, measures } of readSummary(path).tuned)
        for (const [measure, { mean, n }] of Object.entries(measures)) {
          const own = counted(`tuned:${strategy}`, measure)[place]
          expect(own.length).toBe(n)
          expect(own.reduce((sum, value) => sum + value, 0) / n).toBeCloseTo(mean, 12)
        }
    const how = { level: 0.05, draws: 200, seed: 0 }
    const ids = macro.rows.map(({ id }) => id)
    expect(ids).toEqual(['tuned:bm25', 'tuned:hybrid', 'tuned:naive', 'tuned:random'])
    for (const [place, id] of ids.entries())
      expect(macro.rows[place].macro?.['mrr@10']).toMatchObject(
        meanInterval(counted(id, 'mrr@10'), 0.05, SHARE),
      )
    const whole = (id: string) =>
      Float64Array.from(values.flatMap((valuesOf) => [...(valuesOf(id, 'recall@5') ?? [])]))
    const folds = await Promise.all(folders.map((path) => readFolds(path, readSummary(path))))
    const { trials } = readSummary(folders[0])
    const from = (row: string) =>
      trials
        .filter(({ strategy }) => `tuned:${strategy}` === row)
        .sort((a, b) => compareIds(a.id, b.id))
        .map(({ id }) => whole(id))
    const compared = compareTrials({
      names: ids,
      matrix: ids.map(whole),
      strata: values.map((valuesOf) => valuesOf(ids[0], 'recall@5')?.length ?? 0),
      family: ['tuned:bm25', 'tuned:hybrid', 'tuned:random'].map((name) => ({
        name,
        baseline: 'tuned:naive',
      })),
      tuned: {
        folds: Uint8Array.from(folds.flatMap((own) => [...(own ?? [])])),
        trials: new Map(ids.map((id) => [id, from(id)])),
      },
      ...how,
      correction: 'max-t',
      better: 'higher',
      range: SHARE,
    })
    expect(compared.some(({ low }) => low !== null)).toBe(true)
    compared.forEach(({ name, strata, ...row }, place) => {
      expect(macro.comparison?.rows[place]).toMatchObject({ id: name, ...row })
      expect(macro.comparison?.rows[place].datasets).toMatchObject([...strata].reverse())
    })
    const own = readSummary(at('run/small')).comparison?.rows.map(({ verdict }) => verdict)
    expect(macro.comparison?.rows.map(({ datasets }) => datasets[0].verdict)).toEqual(own)
  })

  test('with a split only the test queries count', async () => {
    const { run } = setUp(TRIALS, 'split: {dev: 0.5}\n')
    const { rows, comparison } = macroOf(await run(BOTH, 'run'))
    for (const { datasets, macro } of rows)
      expect(macro?.['recall@5'].n).toBe(datasets.reduce((sum, own) => sum + (own?.['recall@5'].n ?? 0), 0))
    expect(comparison?.rows[0].datasets.map(({ n }) => n)).toEqual(
      rows[0].datasets.map((own) => own?.['recall@5'].n),
    )
  })

  test('the same bytes for 1 and 2 workers, any shards, and after a stop between and inside', async () => {
    const { run, bytes, at } = setUp(TRIALS, 'folds: 3\n')
    const undisturbed = macroOf(await run(BOTH, 'one'))
    const started: Worker[] = []
    const note = (message: unknown) => started.push((message as { worker: Worker }).worker)
    subscribe('worker_threads', note)
    // Shards are merged and the store is closed only after every thread that reads them has ended.
    const executor = {
      ...threads(2),
      async run(...given: Parameters<Executor['run']>) {
        await threads(2).run(...given)
        expect(started.map(({ threadId }) => threadId)).toEqual(started.map(() => -1))
      },
    }
    const two = macroOf(await run(BOTH, 'two', { executor, shardSize: 3 }))
    unsubscribe('worker_threads', note)
    expect(started.length).toBeGreaterThanOrEqual(2)
    expect(two.result).toBe(undisturbed.result)
    expect(bytes('two/datasets.json')).toBe(bytes('one/datasets.json'))
    for (const shards of [1, 4]) {
      const into = `stopped-${shards}`
      const controller = new AbortController()
      let seen = 0
      const stopped = await run(BOTH, into, {
        signal: controller.signal,
        progress: (what, done) => {
          if (what.endsWith('shards') && done > 0 && ++seen === shards) controller.abort()
        },
      })
      expect(stopped.kind).toBe('interrupted')
      expect(existsSync(at(join(into, 'datasets.json')))).toBe(false)
      expect(() => readMacro(at(into))).toThrow('has not finished')
      expect(() => readSummary(at(into))).toThrow('over several datasets; name the folder of one')
      expect(readdirSync(at(into))).not.toContain('lock')
      await run(BOTH, into)
      expect(bytes(join(into, 'datasets.json'))).toBe(bytes('one/datasets.json'))
    }
  })

  test('the order in the config changes columns and no number', async () => {
    const { run } = setUp()
    const one = macroOf(await run(BOTH, 'one'))
    const other = macroOf(await run('[large, small]', 'other'))
    expect(other.datasets).toEqual([...one.datasets].reverse())
    expect(other.rows.map(({ macro }) => macro)).toEqual(one.rows.map(({ macro }) => macro))
    const numbers = ({ comparison }: MacroSummary) => comparison?.rows.map(({ datasets: _, ...row }) => row)
    expect(numbers(other)).toEqual(numbers(one))
  })
})

describe('the folder', () => {
  const refuse = { ...inProcess(() => 0), run: () => Promise.reject(new Error('asked to run')) }
  const onlyTheRest: RunOptions['executor'] = {
    ...inProcess(() => 0),
    run: (_, shards) => (shards.length > 0 ? refuse.run() : Promise.resolve()),
  }

  test('is left as it stands when all is there; a changed table is written again, a data set less is less', async () => {
    const { at, run, bytes } = setUp()
    const first = macroOf(await run(BOTH, 'run'))
    const said: string[] = []
    const again = (datasets: string, set: string[] = []) =>
      run(datasets, 'run', { executor: onlyTheRest, say: (what, path) => said.push(`${what} ${path}`) }, set)
    expect(await again(BOTH)).toMatchObject({ whole: true })
    const whole = bytes('run/datasets.json')
    for (const altered of [
      whole.replace('"experiment":"towns"', '"experiment":"other"'),
      whole.slice(0, 200),
    ]) {
      writeFileSync(at('run/datasets.json'), altered)
      expect(() => readMacro(at('run'))).toThrow(/datasets\.json: (was changed|is not readable)/)
      expect(await again(BOTH)).toMatchObject({ whole: false })
      expect(bytes('run/datasets.json')).toBe(whole)
    }
    expect(said).toEqual([`altered ${at('run/datasets.json')}`, `altered ${at('run/datasets.json')}`])
    const plan = bytes('run/plan.json')
    for (const altered of [plan.replace('"shardSize": 0', '"shardSize": 1'), 'half a plan', '']) {
      writeFileSync(at('run/plan.json'), altered)
      expect(await again(BOTH)).toMatchObject({ whole: true })
      expect(bytes('run/plan.json')).toBe(plan)
    }
    rmSync(at('run/datasets.json'))
    expect(macroOf(await again(BOTH))).toEqual(first)
    // Neither runs anything: what was there is kept.
    expect(macroOf(await again('[large]')).datasets).toHaveLength(1)
    expect(macroOf(await again(BOTH)).result).toBe(first.result)
    expect(said).toHaveLength(2)
  })

  test('is no result of its data sets when one of them has another by now', async () => {
    const { at, run } = setUp()
    await run(BOTH, 'run')
    rmSync(at('run/small/summary.json'))
    expect(() => readMacro(at('run'))).toThrow('has not finished')
  })

  test('is told from that of one data set: both are set aside and taken back whole', async () => {
    const { at, config, run, bytes } = setUp()
    const said: string[] = []
    const options = {
      say: (what: string, path: string) => said.push(`${what} ${path.slice(at('x').length - 1)}`),
    }
    const whole = macroOf(await run(BOTH, 'run')).result
    writeFileSync(config, bytes('towns.yaml').replace(/^dataset: .*$/m, 'dataset: small'))
    await runConfig(config, at('store'), runOptions(at('run'), options))
    expect(existsSync(at('run/datasets.json'))).toBe(false)
    const back = await run(BOTH, 'run', { ...options, executor: refuse })
    expect(back).toMatchObject({ whole: true, macro: { result: whole } })
    expect(said.map((line) => line.replace(/\.[0-9a-f]{8}$/, '.HASH'))).toEqual([
      'set aside run.HASH',
      'set aside run.HASH',
      'taken back run.HASH',
    ])
  })
})

test('a trial that fails on every query of one data set has no macro mean and is in no comparison', async () => {
  const mine = `export default ({ defineStrategy, steps, z }) => defineStrategy({
  name: 'mine', summary: 's', source: 's', params: z.strictObject({}),
  retrieve({ query }) {
    const last = steps.defineStep({ name: 'last', version: 1, yields: 'ranking',
      run: () => ({ rows: Uint32Array.of(20), scores: Float64Array.of(1) }) })
    return { ranking: last([query], null) }
  },
})`
  const { folder, run } = setUp('[naive, bm25, ./mine.mjs]')
  writeFileSync(join(folder, 'mine.mjs'), mine)
  const { rows, comparison } = macroOf(await run(BOTH, 'run'))
  expect(rows.map(({ name, macro }) => [name, macro !== null])).toEqual([
    ['naive', true],
    ['bm25', true],
    ['mine', false],
  ])
  expect(rows[2].datasets.map((own) => own !== null)).toEqual([false, true])
  expect(comparison?.rows.map(({ name }) => name)).toEqual(['bm25'])
})

test('folders of data sets are safe names, each once, and none that the experiment uses itself', async () => {
  const { config, folder, at } = setUp()
  const names = ['A b', 'a-b', 'lock', '..hidden', 'für', 'plan.json']
  for (const name of names) writeTowns(at(name), { towns: 12 })
  const { experiment, split } = await loadConfig(config, {
    set: [`dataset=${JSON.stringify(names)}`],
    env: {},
    folder,
  }).then((loaded) => ({ experiment: loaded, split: splitDatasets(loaded) }))
  expect(split.map(({ dataset }) => dataset)).toEqual(names)
  expect(split.map((one) => one.folder)).toEqual(['A-b', 'a-b-2', 'lock-2', 'hidden', 'f-r', 'plan.json-2'])
  for (const [place, { experiment: own }] of split.entries()) {
    expect(own.datasets).toEqual([experiment.datasets[place]])
    expect(own.resolved).toMatchObject({ dataset: at(names[place]) })
  }
})
