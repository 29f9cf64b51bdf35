import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { splitDatasets } from '../../src/config/datasets.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Executor } from '../../src/experiment/executors/executor.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import { threads } from '../../src/experiment/executors/threads.ts'
import { openExperiment } from '../../src/experiment/plan/open.ts'
import { prepareAll } from '../../src/experiment/plan/prepare.ts'
import type { RunOptions } from '../../src/experiment/run.ts'
import { type Outcome, runExperiment } from '../../src/experiment/run-datasets.ts'
import { SHARE } from '../../src/metrics/range.ts'
import { readManifest, readResults, readSummary } from '../../src/results/read.ts'
import { readFolds, readRowValues } from '../../src/results/row-values.ts'
import type { Summary } from '../../src/results/summary.ts'
import { compareTrials } from '../../src/statistics/compare.ts'
import { meanInterval } from '../../src/statistics/intervals.ts'
import { compareIds } from '../../src/text/ids.ts'
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
    for (const { experiment: part, ...named } of splitDatasets(experiment)) {
      const open = await openExperiment(part, at('store'))
      await prepareAll(open)
      opened.push({ ...named, open })
    }
    return runExperiment(experiment, opened, runOptions(at(into), options))
  }
  return { folder, at, config, run, bytes: (path: string) => readFileSync(at(path), 'utf8') }
}

function macroOf(outcome: Outcome): Summary {
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  return outcome.summary
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
      ['alone-s', 'alone-l'].map((name) => readManifest(at(name)).result),
    )
    expect(macro.datasets).toMatchObject([
      { name: 'small', folder: 'small', documents: 16, queries: 17, judged: 16 },
      { name: 'large', folder: 'large', documents: 24, queries: 25, judged: 24 },
    ])
    expect(macro.trials.map(({ name }) => name)).toEqual([
      'naive',
      'bm25',
      'hybrid alpha=0.3',
      'hybrid alpha=0.7',
    ])
    const [small, large] = ['alone-s', 'alone-l'].map((name) => readSummary(at(name)))
    macro.trials.forEach((row, place) => {
      for (const measure of macro.measures) {
        const estimates = [small, large].map(({ trials }) => trials[place].measures[measure])
        expect(['small', 'large'].map((name) => row.categories[name][measure])).toEqual(estimates)
        const { mean, low, high, n } = row.measures[measure]
        expect(mean).toBeCloseTo((estimates[0].mean + estimates[1].mean) / 2, 12)
        expect(low).toBeLessThanOrEqual(mean)
        expect(high).toBeGreaterThanOrEqual(mean)
        expect(n).toBe(40)
      }
    })
    expect(bytes('run/summary.json')).not.toContain(folder)
    expect(readSummary(at('run'))).toEqual(macro)
  })

  test('intervals and differences are those of the statistics, over rows read off the files', async () => {
    const { at, run } = setUp(TRIALS.replace('bm25', 'bm25, random'), 'folds: 3\n')
    const macro = macroOf(await run(BOTH, 'run'))
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
          const differences = counted(`tuned:${strategy}`, measure)[place]
          expect(differences.length).toBe(n)
          expect(differences.reduce((sum, value) => sum + value, 0) / n).toBeCloseTo(mean, 12)
        }
    const how = { level: 0.05, draws: 200, seed: 0 }
    const ids = macro.tuned.map(({ id }) => id)
    expect(ids).toEqual(['tuned:bm25', 'tuned:hybrid', 'tuned:naive', 'tuned:random'])
    for (const [place, id] of ids.entries())
      expect(macro.tuned[place].measures['mrr@10']).toMatchObject(
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
    const verdicts = readSummary(at('run/small')).comparison?.rows.map(({ verdict }) => verdict)
    expect(macro.comparison?.rows.map(({ datasets }) => datasets[0].verdict)).toEqual(verdicts)
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
      async run(...args: Parameters<Executor['run']>) {
        await threads(2).run(...args)
        expect(started.map(({ threadId }) => threadId)).toEqual(started.map(() => -1))
      },
    }
    const two = macroOf(await run(BOTH, 'two', { executor, shardSize: 3 }))
    unsubscribe('worker_threads', note)
    expect(started.length).toBeGreaterThanOrEqual(2)
    expect(two).toEqual(undisturbed)
    expect(readManifest(at('two')).result).toBe(readManifest(at('one')).result)
    expect(bytes('two/summary.json')).toBe(bytes('one/summary.json'))
    for (const shards of [1, 4]) {
      const into = `stopped-${shards}`
      const controller = new AbortController()
      let seen = 0
      const stopped = await run(BOTH, into, {
        signal: controller.signal,
        progress: (label, done) => {
          if (label.endsWith('shards') && done > 0 && ++seen === shards) controller.abort()
        },
      })
      expect(stopped.kind).toBe('interrupted')
      expect(existsSync(at(join(into, 'summary.json')))).toBe(false)
      expect(() => readSummary(at(into))).toThrow('has not finished')
      expect(readdirSync(at(into))).not.toContain('lock')
      await run(BOTH, into)
      expect(bytes(join(into, 'summary.json'))).toBe(bytes('one/summary.json'))
    }
  })
})

describe('the folder', () => {
  const refuse = { ...inProcess(() => 0), run: () => Promise.reject(new Error('asked to run')) }
  const onlyTheRest: RunOptions['executor'] = {
    ...inProcess(() => 0),
    run: (_, shards) => (shards.length > 0 ? refuse.run() : Promise.resolve()),
  }

  test('is left as it stands when all is there; a changed summary is written again', async () => {
    const { at, run, bytes } = setUp()
    const first = macroOf(await run(BOTH, 'run'))
    const said: string[] = []
    const again = (datasets: string, set: string[] = []) =>
      run(
        datasets,
        'run',
        { executor: onlyTheRest, say: (event, path) => said.push(`${event} ${path}`) },
        set,
      )
    expect(await again(BOTH)).toMatchObject({ whole: true })
    const whole = bytes('run/summary.json')
    for (const altered of [
      whole.replace('"experiment":"towns"', '"experiment":"other"'),
      whole.slice(0, 200),
    ]) {
      writeFileSync(at('run/summary.json'), altered)
      expect(() => readSummary(at('run'))).toThrow(/summary\.json: (was changed|is not readable)/)
      expect(await again(BOTH)).toMatchObject({ whole: false })
      expect(bytes('run/summary.json')).toBe(whole)
    }
    expect(said).toEqual([`altered ${at('run/summary.json')}`, `altered ${at('run/summary.json')}`])
    const plan = bytes('run/plan.json')
    for (const altered of [plan.replace('"shardSize": 0', '"shardSize": 1'), 'half a plan', '']) {
      writeFileSync(at('run/plan.json'), altered)
      expect(await again(BOTH)).toMatchObject({ whole: true })
      expect(bytes('run/plan.json')).toBe(plan)
    }
    rmSync(at('run/summary.json'))
    expect(macroOf(await again(BOTH))).toEqual(first)
    // Nothing is run: the results of both are kept.
    expect(macroOf(await again(BOTH))).toEqual(first)
    expect(said).toHaveLength(2)
  })

  test('is no result of its data sets when one of them has another by now', async () => {
    const { at, run } = setUp()
    await run(BOTH, 'run')
    await expect(readResults(at('run'))).rejects.toThrow('over several datasets; name the folder of one')
    rmSync(at('run/small/summary.json'))
    expect(() => readSummary(at('run'))).toThrow('has another result than the table')
  })
})
