import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import type { Executor } from '../../src/experiment/executors/executor.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import { threads } from '../../src/experiment/executors/threads.ts'
import { runConfig, runOptions, setUp } from '../experiment/experiments.ts'

describe('executors', () => {
  const executors: readonly Executor[] = [inProcess(() => 0), threads(2)]
  test.each(executors)('$name gives the same result', async (executor) => {
    const { config, store, manifest, at } = setUp()
    await runConfig(config, store, runOptions(at('alone')))
    await runConfig(config, store, runOptions(at('run'), { executor, machine: { cpu: 'another' } }))
    expect(manifest('run').machine).toEqual({ cpu: 'another' })
    expect(manifest('run').result).toBe(manifest('alone').result)
    expect(manifest('run').files).toEqual(manifest('alone').files)
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
