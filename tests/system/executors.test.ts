import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { runConfig, runOptions, setUp } from '../experiment/experiments.ts'

describe('executors', () => {
  test('one that fails to write leaves no finished experiment, and the same command resumes', async () => {
    const { config, store, manifest, at } = setUp()
    await runConfig(config, store, runOptions(at('alone')))
    const told: string[] = []
    const executor = { run: () => Promise.reject(new UserError('no pen')) }
    await expect(runConfig(config, store, runOptions(at('run'), { executor }))).rejects.toThrow('no pen')
    expect(existsSync(join(at('run'), 'summary.json'))).toBe(false)
    await runConfig(config, store, runOptions(at('run'), { progress: (what) => told.push(what) }))
    expect(manifest('run').files).toEqual(manifest('alone').files)
    expect(new Set(told)).toEqual(new Set(['shards', 'parts merged', 'trials summarized']))
  })
})
