import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readProgress, recordProgress, removeProgress } from '../../src/experiment/progress-file.ts'
import { FORMAT } from '../../src/results/format.ts'
import { temporaryFolder } from '../temporary.ts'
import { PROCESSES } from './experiments.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const SPENT = { dollars: 0.5, unpriced: false, tokens: 7, requests: 1, failed: 0 }
const FIXED = { experiment: 'a', datasets: ['towns'], budget: null }
const record = (folder: string, more: object = {}) =>
  recordProgress(folder, { ...FIXED, processes: PROCESSES, spent: () => SPENT, ...more })
const read = (folder: string, more: object = {}) => readProgress(folder, { ...PROCESSES, ...more })

test('a run says at once that it began, and then each half second how far it is', () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  const { progress, close } = record(folder)
  const begun = { format: FORMAT, ...FIXED, started: 1000, written: 1000, steps: [], spent: SPENT }
  expect(read(folder)).toEqual(begun)
  vi.advanceTimersByTime(100)
  progress('embedding', 2, 8)
  expect(read(folder)).toEqual(begun)
  // Half a second after the first report.
  vi.advanceTimersByTime(499)
  expect(read(folder)).toEqual(begun)
  vi.advanceTimersByTime(1)
  const step = { what: 'embedding', done: 2, total: 8, first: 2, started: 1100, reported: 1100 }
  expect(read(folder)).toEqual({ ...begun, written: 1600, steps: [step] })
  vi.advanceTimersByTime(500)
  progress('embedding', 8, 8)
  const done = { ...step, done: 8, reported: 2100 }
  expect(read(folder)).toEqual({ ...begun, written: 2100, steps: [done] })
  // A step that was done begins anew, and comes last.
  vi.advanceTimersByTime(500)
  progress('shards', 0, 2)
  vi.advanceTimersByTime(500)
  progress('embedding', 1, 3)
  expect(read(folder)?.steps).toEqual([
    { what: 'shards', done: 0, total: 2, first: 0, started: 2600, reported: 2600 },
    { what: 'embedding', done: 1, total: 3, first: 1, started: 3100, reported: 3100 },
  ])
  close()
  // Nothing is written after the end, and the folders that were made for the record are gone.
  vi.advanceTimersByTime(5000)
  expect(existsSync(join(folder, '..'))).toBe(false)
})

test('the record goes with the process, and is of a living process of this machine', () => {
  const folder = temporaryFolder()
  const registered = new Set<string>()
  const removeAtExit = (path: string) => {
    registered.add(path)
    return () => void registered.delete(path)
  }
  const { close } = record(folder, { processes: { ...PROCESSES, removeAtExit } })
  const [name] = readdirSync(folder)
  expect([...registered]).toEqual([join(folder, name)])
  expect(read(folder)?.experiment).toBe('a')
  expect(read(folder, { host: 'aaaaaaaaaaaa' })).toBeNull()
  expect(read(folder, { pid: process.pid + 1 })).toBeNull()
  expect(read(folder, { pid: process.pid + 1, isAlive: () => true })?.experiment).toBe('a')
  removeProgress(folder, { ...PROCESSES, host: 'aaaaaaaaaaaa' })
  removeProgress(folder, { ...PROCESSES, pid: process.pid + 1 })
  expect(readdirSync(folder)).toEqual([name])
  const text = readFileSync(join(folder, name), 'utf8')
  writeFileSync(join(folder, name), text.replace(`"format":${FORMAT}`, '"format":0'))
  expect(read(folder)).toBeNull()
  writeFileSync(join(folder, name), text.slice(0, 20))
  expect(read(folder)).toBeNull()
  mkdirSync(join(folder, 'progress'))
  removeProgress(folder, PROCESSES)
  expect(readdirSync(folder)).toEqual(['progress'])
  close()
  expect([...registered]).toEqual([])
})
