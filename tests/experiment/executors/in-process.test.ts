import { afterEach, expect, test, vi } from 'vitest'
import type { ShardReport } from '../../../src/experiment/executors/executor.ts'
import { inProcess } from '../../../src/experiment/executors/in-process.ts'
import { Stopped } from '../../../src/stopping.ts'
import { runConfig, runOptions, setUp } from '../experiments.ts'

/** Folder of a planned experiment of four shards. */
async function planned(): Promise<string> {
  const at = setUp('[random]')
  const folder = at.at('experiments/towns')
  await runConfig(at.config, at.store, runOptions(folder, { share: { number: 5, count: 5 } }))
  return folder
}
afterEach(() => void vi.useRealTimers())

async function run(
  folder: string,
  shards: number[],
  done: (report: ShardReport, stop: AbortController) => void = () => {},
) {
  let time = 0
  const stop = new AbortController()
  const reports: ShardReport[] = []
  await inProcess(() => time++).run(
    folder,
    shards,
    (report) => {
      reports.push(report)
      done(report, stop)
    },
    stop.signal,
  )
  return reports.map(({ shard }) => shard)
}

test('runs the shards in order, and reports the times of each', async () => {
  const reports: ShardReport[] = []
  expect(await run(await planned(), [2, 0, 3], (report) => reports.push(report))).toEqual([2, 0, 3])
  for (const { milliseconds } of reports) expect(milliseconds).toHaveProperty('random')
})

test('an error ends the run, unless it comes of the request to stop', async () => {
  const folder = await planned()
  const failing = (error: Error, late = false) =>
    run(folder, [0, 1], (_, stop) => {
      if (late) {
        stop.abort()
        vi.advanceTimersByTime(3000)
      }
      throw error
    })
  await expect(failing(new Error('a bug'))).rejects.toThrow('a bug')
  expect(await failing(new Stopped())).toEqual([0])
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  expect(await failing(new Error('a call that was cancelled'), true)).toEqual([0])
})
