import { syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'
import workerThreads from 'node:worker_threads'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ShardReport } from '../../../src/experiment/executors/executor.ts'
import { inProcess } from '../../../src/experiment/executors/in-process.ts'
import { Stopped } from '../../../src/stopping.ts'
import { temporaryFolder } from '../../temporary.ts'
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

test('runs the shards in order, and reports times and quality of each', async () => {
  const reports: ShardReport[] = []
  expect(await run(await planned(), [2, 0, 3], (report) => reports.push(report))).toEqual([2, 0, 3])
  for (const { milliseconds, quality } of reports) {
    expect(milliseconds).toHaveProperty('random')
    expect(quality).toBeDefined()
  }
})

test('opens nothing where no shard is left', async () => {
  expect(await run('/nowhere', [])).toEqual([])
  await expect(run('/nowhere', [0])).rejects.toThrow()
})

test('begins no shard after a request to stop', async () => {
  expect(await run(await planned(), [0, 1, 2], (_, stop) => stop.abort())).toEqual([0])
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

describe('the other side of a thread', () => {
  const thread = new URL('../../../src/experiment/executors/thread.ts', import.meta.url)
  const writeThread = new URL('../../../src/experiment/executors/write-thread.ts', import.meta.url)
  let loads = 0
  /** What a module exports that is loaded in a thread of this data, and what it posts meanwhile. */
  async function loaded(file: URL, workerData: unknown) {
    const posted: unknown[] = []
    const { workerData: data, parentPort: port } = workerThreads
    const parentPort = { postMessage: (message: unknown) => posted.push(message) }
    Object.assign(workerThreads, { workerData, parentPort })
    syncBuiltinESMExports()
    try {
      return { module: await import(`${fileURLToPath(file)}?${++loads}`), posted }
    } finally {
      Object.assign(workerThreads, { workerData: data, parentPort: port })
      syncBuiltinESMExports()
    }
  }
  const runner = async (folder: string): Promise<(shard: number) => Promise<unknown>> =>
    (await loaded(thread, [{}, { folder }])).module.default

  test('runs the shards that it gets, and reports each', async () => {
    const run = await runner(await planned())
    expect(await run(2)).toMatchObject({ shard: 2, milliseconds: { random: expect.any(Number) } })
    expect(await run(0)).toMatchObject({ shard: 0 })
  })

  test("gives back a user's mistake, and throws a bug", async () => {
    const run = await runner(temporaryFolder())
    expect(await run(0)).toEqual({ diagnostics: [expect.objectContaining({ message: expect.any(String) })] })
    await expect((await runner(await planned()))(99)).rejects.toThrow()
  })

  test('writes rows, and gives back an error of the disk', async () => {
    const folder = temporaryFolder({ file: '' })
    const merged = { trials: 0, queries: 0, values: [], labelOffsets: [], ranks: [], scores: [], stages: [] }
    const rows = { folder, measures: [], trials: [], labels: [], merged }
    expect((await loaded(writeThread, rows)).posted).toEqual([{ diagnostics: [] }])
    const { posted } = await loaded(writeThread, { ...rows, folder: `${folder}/file` })
    expect(posted).toEqual([
      { diagnostics: [expect.objectContaining({ message: 'a part of this path is a file, not a folder' })] },
    ])
    await expect(loaded(writeThread, {})).rejects.toThrow(TypeError)
  })
})
