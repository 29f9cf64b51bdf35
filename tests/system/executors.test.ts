import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
// Worker threads need compiled files, so these come from the built package.
import { threads } from '../../dist/experiment/executors/threads.js'
import { UserError } from '../../src/errors.ts'
import type { Executor } from '../../src/experiment/executors/executor.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import { runConfig, runOptions, setUp } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

describe('executors', () => {
  const executors: readonly Executor[] = [inProcess(() => 0), threads(2)]
  const nothing = {
    trials: 0,
    queries: 0,
    values: [],
    labelOffsets: new Int32Array(1),
    ranks: new Int32Array(),
    scores: new Float64Array(),
    stages: new Uint8Array(),
  }
  const rowsIn = (folder: string) => ({ folder, measures: [], trials: [], labels: [], merged: nothing })

  test.each(executors)('$name gives the same result', async (executor) => {
    const { config, store, manifest, at } = setUp()
    await runConfig(config, store, runOptions(at('alone')))
    await runConfig(config, store, runOptions(at('run'), { executor, machine: { cpu: 'another' } }))
    expect(manifest('run').machine).toEqual({ cpu: 'another' })
    expect(manifest('run').result).toBe(manifest('alone').result)
    expect(manifest('run').files).toEqual(manifest('alone').files)
  })

  test('threads tell of a table that cannot be written, and of a disk that refuses', async () => {
    const write = (folder: string) => threads(2).writeRows?.(rowsIn(folder))
    await expect(write(join(temporaryFolder(), 'none'))).rejects.toThrow('ENOENT')
    // Nobody may make files there.
    await expect(write('/sys')).rejects.toThrow(/permission denied|read-only/)
  })

  test('one that fails to write leaves no finished experiment, and the same command resumes', async () => {
    const { config, store, manifest, at } = setUp()
    await runConfig(config, store, runOptions(at('alone')))
    const told: string[] = []
    const executor = { ...inProcess(() => 0), writeRows: () => Promise.reject(new UserError('no pen')) }
    await expect(runConfig(config, store, runOptions(at('run'), { executor }))).rejects.toThrow('no pen')
    expect(existsSync(join(at('run'), 'summary.json'))).toBe(false)
    await runConfig(config, store, runOptions(at('run'), { progress: (what) => told.push(what) }))
    expect(manifest('run').files).toEqual(manifest('alone').files)
    expect(new Set(told)).toEqual(new Set(['shards', 'parts merged', 'trials summarized']))
  })
})
