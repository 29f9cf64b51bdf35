import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { requireExperimentFolder, takeFolder } from '../../src/experiment/folder.ts'
import { FORMAT } from '../../src/results/format.ts'
import { temporaryFolder } from '../temporary.ts'
import { PROCESSES } from './experiments.ts'

const hashOf = (digit: string) => digit.repeat(16)
const planOf = (hash: string, shardSize = 8, format = FORMAT) => JSON.stringify({ format, hash, shardSize })

describe('a folder for an experiment', () => {
  const refusal = (files: Readonly<Record<string, string>>, name = 'run') => {
    try {
      requireExperimentFolder(join(temporaryFolder(files), name))
    } catch (error) {
      return (error as Error).message.replace(/^.*?: /, '')
    }
    return null
  }

  test.each<[string, Record<string, string>, string | null]>([
    ['may be missing', {}, null],
    ['may hold an experiment of any version', { 'run/summary.json': '{"format": 1}', 'run/x': '' }, null],
    ['may hold what a run left that was killed at its start', { 'run/lock': '{"pid": 1}' }, null],
    ['is no file', { run: '' }, 'is not a folder; name a new folder with --out'],
    [
      'holds nothing else',
      { 'run/a': '', 'run/b': '', 'run/c': '', 'run/d': '' },
      'is not an experiment folder and contains a, b, c; name a new folder with --out',
    ],
    [
      'holds no JSON of another program',
      { 'run/manifest.json': '{"format": "x"}' },
      'is not an experiment folder and contains manifest.json; name a new folder with --out',
    ],
    [
      'holds no lock of another program',
      { 'run/lock': 'locked' },
      'is not an experiment folder and contains lock; name a new folder with --out',
    ],
  ])('%s', (_, files, message) => {
    expect(refusal(files)).toBe(message)
  })
})

describe('taking a folder', () => {
  function taking(files: Readonly<Record<string, string>>) {
    const root = temporaryFolder(files)
    const events: string[] = []
    const take = (hash: string, { shardSize = 8, inputs = [] as string[] } = {}) =>
      takeFolder(
        join(root, 'run'),
        { hash, shardSize },
        PROCESSES,
        (event, path) => events.push(`${event} ${path.slice(root.length + 1)}`),
        inputs.map((path) => join(root, path)),
      )()
    const entries = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
    return { root, told: events, take, held: entries }
  }

  test('sets results of another plan aside by its hash, or by a number, and takes them back', () => {
    const { told, take, root, held } = taking({ 'run/plan.json': planOf(hashOf('a')), 'run/x': '' })
    take(hashOf('b'))
    expect(held()).toEqual(['run', 'run.aaaaaaaa', 'run.aaaaaaaa/plan.json', 'run.aaaaaaaa/x'])
    writeFileSync(join(root, 'run/plan.json'), planOf(hashOf('b')))
    take(hashOf('a'))
    expect(held()).toEqual(['run', 'run.bbbbbbbb', 'run.bbbbbbbb/plan.json', 'run/plan.json', 'run/x'])
    writeFileSync(join(root, 'run/plan.json'), planOf(hashOf('b')))
    take(hashOf('c'))
    writeFileSync(join(root, 'run/plan.json'), '{"format": 0}')
    take(hashOf('c'))
    expect(held()).toEqual([
      'run',
      'run.bbbbbbbb',
      'run.bbbbbbbb/plan.json',
      'run.old-1',
      'run.old-1/plan.json',
      'run.old-1/x',
      'run.old-2',
      'run.old-2/plan.json',
    ])
    expect(told).toEqual([
      'set aside run.aaaaaaaa',
      'set aside run.bbbbbbbb',
      'taken back run.aaaaaaaa',
      'set aside run.old-1',
      'set aside run.old-2',
    ])
  })

  test('sets nothing aside that the new experiment reads', () => {
    const { root, take, held } = taking({ 'run/plan.json': planOf(hashOf('a')), 'run/data/x': '', run2: '' })
    const before = held()
    expect(() => take(hashOf('b'), { inputs: ['run2', 'run/data'] })).toThrow(
      `run: holds another experiment and ${join(root, 'run/data')}, which this one reads; name another folder with --out`,
    )
    expect(held()).toEqual(before)
    take(hashOf('a'), { inputs: ['run/data'] })
  })
})
