import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
// Worker threads need compiled files, so these come from the built package.
import { threads } from '../../dist/experiment/executors/threads.js'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import { queryPartNames } from '../../src/experiment/plan/query-parts.ts'
import { runAndWrite } from '../../src/experiment/run-shard.ts'
import { openSession } from '../../src/experiment/shard/session.ts'
import { type Results, readResults } from '../../src/results/read.ts'
import { runConfig, runOptions, setUp } from '../experiment/experiments.ts'

/** Some trials that are far behind: what a race is for. */
const TRIALS =
  '[bm25, {random: {seed: 1}}, {random: {seed: 2}}, naive, {hybrid: {grid: {alpha: [0.1, 0.5], pool: [5, 20]}}}]'

const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.parquet'))
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  )
const summaryOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'))

describe('a race', () => {
  test('at level 0 is the full grid, to the byte, and so is one of which no round tests', async () => {
    for (const more of ['', 'folds: 3\n']) {
      const { config, store, at } = setUp(TRIALS, more)
      await runConfig(config, store, runOptions(at('full')))
      for (const race of ['{level: 0, firstTest: 3, blocks: category}', '{level: 0.9, firstTest: 25}']) {
        const raced = setUp(TRIALS, `${more}race: ${race}\n`)
        await runConfig(raced.config, store, runOptions(raced.at('run')))
        expect(filesOf(raced.at('run'))).toEqual(filesOf(at('full')))
        const { race: told, ...rest } = summaryOf(raced.at('run'))
        expect(told.share).toBe(1)
        expect({ ...rest, race: null }).toEqual(summaryOf(at('full')))
      }
    }
  })

  test.each([
    ['', '{level: 0.3, firstTest: 5}'],
    ['', '{level: 0.05, firstTest: 8, blocks: category}'],
    ['folds: 3\n', '{level: 0.3, firstTest: 6, blocks: category, seed: 4}'],
    ['split: {dev: 0.6}\n', '{level: 0.3, firstTest: 5, seed: 1}'],
  ])(
    'stops whom the rule stops, and leaves every number that was seen as it is: %s %s',
    async (more, race) => {
      const { config, store, at } = setUp(TRIALS, more)
      await runConfig(config, store, runOptions(at('full')))
      const full = await readResults(at('full'))
      const raced = setUp(TRIALS, `${more}race: ${race}\n`)
      await runConfig(raced.config, store, runOptions(raced.at('run')))
      const found = await readResults(raced.at('run'))
      const { order, plan, queries } = await openSession(raced.at('run'))

      const ran = plainRace(full, order, plan.experiment, queries)
      expect(Math.min(...ran)).toBeLessThan(order.length)
      expect(ran[0]).toBe(order.length)
      expect(found.summary.trials.map(({ stopped }) => stopped?.after ?? order.length)).toEqual(ran)
      const turns = new Map([...order].map((query, turn) => [query, turn]))
      for (const [measure, values] of found.scores)
        expect([...values]).toEqual(
          [...(full.scores.get(measure) as Float64Array)].map((value, cell) =>
            (turns.get(cell % order.length) as number) < ran[Math.floor(cell / order.length)]
              ? value
              : Number.NaN,
          ),
        )
      found.summary.trials.forEach((trial, place) => {
        const own = found.scores.get('recall@5')?.slice(place * order.length, (place + 1) * order.length)
        const seen = [...(own ?? [])].filter((value) => !Number.isNaN(value))
        expect(trial.measures['recall@5'].n).toBe(seen.length)
        expect(trial.measures['recall@5'].mean).toBeCloseTo(seen.reduce((a, b) => a + b, 0) / seen.length, 12)
        expect(trial.stopped && trial.finalist).not.toBe(true)
        expect(trial.funnel.reduce((sum, { lost }) => sum + lost, 0)).toBe(
          goldOf(full, (query) => (turns.get(query) as number) < ran[place]),
        )
      })
      // Who was not run on every query is compared with nobody.
      const stopped = new Set(found.summary.trials.filter(({ stopped }) => stopped).map(({ id }) => id))
      for (const { id, baseline } of found.summary.comparison?.rows ?? [])
        expect([stopped.has(id), stopped.has(baseline)]).toEqual([false, false])
      for (const { chosen } of found.summary.tuned) expect(chosen.some((id) => stopped.has(id))).toBe(false)
    },
  )

  test('decides the same whoever runs it and however often it is killed', async () => {
    const more = 'race: {level: 0.3, firstTest: 6, blocks: category}\n'
    const { config, store, manifest, at } = setUp(TRIALS, more)
    await runConfig(config, store, runOptions(at('alone')))
    await runConfig(config, store, runOptions(at('threads'), { executor: threads(2) }))
    expect(manifest('threads').files).toEqual(manifest('alone').files)
    for (const shardSize of [1, 3])
      for (const executor of [inProcess(() => 0)]) {
        await runConfig(config, store, runOptions(at(`cut${shardSize}`), { shardSize, executor }))
        expect(manifest(`cut${shardSize}`).files).toEqual(manifest('alone').files)
      }
    let outcome = ''
    for (let runs = 0; outcome !== 'finished'; runs++) {
      const controller = new AbortController()
      const executor = {
        ...inProcess(() => 0),
        run: (
          ...[folder, rounds, done, signal]: Parameters<ReturnType<typeof inProcess>['run']>
        ): Promise<void> => {
          let left = 3
          const stop: typeof done = (report) => {
            done(report)
            if (--left === 0) controller.abort()
          }
          return inProcess(() => 0).run(folder, rounds, stop, signal)
        },
      }
      const { kind } = await runConfig(
        config,
        store,
        runOptions(at('killed'), { executor, signal: controller.signal }),
      )
      outcome = kind
      // A part that was lost is run again, by the trials that its round had.
      if (runs === 1) {
        const parts = join(at('killed'), 'parts', readdirSync(join(at('killed'), 'parts'))[0])
        rmSync(join(parts, readdirSync(parts)[1]))
      }
      expect(runs).toBeLessThan(50)
    }
    expect(manifest('killed').files).toEqual(manifest('alone').files)
  })

  test('the arms of a fitted router run on every query, which it learns from', async () => {
    const trials = `[bm25, {random: {seed: 1}}, naive, {router: {rules: fitted, arms: {random: 'random', naive: naive}}}]`
    const folds = 'folds: 3\n'
    const full = setUp(trials, folds)
    await runConfig(full.config, full.store, runOptions(full.at('run')))
    const raced = setUp(trials, `${folds}race: {level: 0.3, firstTest: 5}\n`)
    await runConfig(raced.config, raced.store, runOptions(raced.at('run')))
    const [one, two] = [full, raced].map(({ at }) => summaryOf(at('run')))
    expect(two.trials.map(({ stopped }: { stopped?: object }) => stopped)).toEqual(Array(3).fill(undefined))
    expect(two.routing).toEqual(one.routing)
  })

  test('a shard alone is refused until the rounds before are whole', async () => {
    const { config, store, at } = setUp(TRIALS, 'race: {level: 0.3, firstTest: 5}\n')
    await runConfig(config, store, runOptions(at('run')))
    rmSync(join(at('run'), 'parts'), { recursive: true })
    const session = await openSession(at('run'))
    const second = session.shards.findIndex(({ round }) => round === 1)
    await expect(runAndWrite(session, second, () => 0)).rejects.toThrow(
      /round 2 of the race is of the trials that the rounds before leave, and shard 0 of round 1 has not been run: run shards 0 to 4 first/,
    )
    for (let shard = 0; shard < second; shard++) await runAndWrite(session, shard, () => 0)
    await expect(runAndWrite(session, second, () => 0)).resolves.toMatchObject({ shard: second })
  })
})

test('a first round of more queries than there are, and blocks that none has, are told at their place', async () => {
  const { config, store, at } = setUp(TRIALS, 'race:\n  blocks: categry\n  firstTest: 26\n')
  await expect(runConfig(config, store, runOptions(at('run')))).rejects.toThrow(
    /towns\.yaml:8:14: `firstTest`: the first round is of 26 queries, and there are 25\n.*towns\.yaml:7:11: `blocks`: no query has `categry` \(did you mean "category"\?\); there are category/,
  )
})

/** Relevant labels of the queries that count. */
function goldOf({ labels, queries }: Results, seen: (query: number) => boolean): number {
  return [...labels.query].filter(
    (query, row) => queries.answerable[query] === 1 && labels.grade[row] >= 1 && seen(query),
  ).length
}

/** On how many queries each trial runs, from the full grid's values, by a plain reading of the rule: no sums are kept. */
function plainRace(
  { scores, summary }: Results,
  order: Int32Array,
  { race, tuning }: Awaited<ReturnType<typeof openSession>>['plan']['experiment'],
  queries: Awaited<ReturnType<typeof openSession>>['queries'],
): number[] {
  if (!race) throw new Error('there is a race')
  const values = scores.get('recall@5') as Float64Array
  const value = (trial: number, query: number) => values[trial * order.length + query] || 0
  const ends = [race.firstTest]
  for (let last = race.firstTest; last < order.length; ends.push(last))
    last = Math.min(order.length, Math.ceil(1.25 * last))
  const parts = tuning.kind === 'none' ? null : queryPartNames(queries, tuning)
  const scored = tuning.kind === 'split' ? [1] : parts ? [...new Set(parts)] : [null]
  const heats = scored.map((part) => ({
    all: [...order].filter((query) => part === null || parts?.[query] !== part),
    racing: [...summary.trials.keys()],
    wealth: summary.trials.map(() => 1),
    ruledOut: new Set<number>(),
    seen: 0,
  }))
  const ran = summary.trials.map(() => order.length)
  const running = new Set(summary.trials.keys())
  for (const end of ends.slice(0, -1)) {
    for (const heat of heats) {
      const { all, wealth, ruledOut } = heat
      const leaderOver = (seen: number) => {
        const total = (trial: number) =>
          all.slice(0, seen).reduce((sum, query) => sum + value(trial, query), 0)
        return heat.racing.reduce((best, trial) => (total(trial) > total(best) ? trial : best))
      }
      const upTo = [...order].slice(0, end).filter((query) => all.includes(query)).length
      for (; heat.seen < upTo; heat.seen++) {
        const i = heat.seen
        const leader = leaderOver(i)
        for (const trial of heat.racing) {
          const own = all.slice(0, i + 1).map((query) => value(leader, query) - value(trial, query))
          const next = own.pop() as number
          const sum = own.reduce((total, d) => total + d, 0)
          const m = -sum / (all.length - i)
          const spread = own.reduce((total, d) => total + (d - sum / i) ** 2, 0)
          const edge = sum / (i + 1) - m
          const bet = Math.min(edge / ((0.25 + spread) / (i + 1) + edge ** 2), 0.5 / (1 + m))
          if (edge > 0) wealth[trial] *= 1 + bet * (next - m)
          if (m < -1 - 1e-9 || wealth[trial] * race.level >= 1) ruledOut.add(trial)
        }
      }
      const leader = leaderOver(upTo)
      heat.racing = heat.racing.filter((trial) => trial === leader || !ruledOut.has(trial))
    }
    for (const trial of running)
      if (trial !== 0 && heats.every(({ racing }) => !racing.includes(trial))) {
        running.delete(trial)
        ran[trial] = end
      }
  }
  return ran
}
