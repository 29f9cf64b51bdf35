import { existsSync, lutimesSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lock, removeLeftovers } from '../../src/experiment/lock.ts'
import { HOST } from '../../src/store/write.ts'
import { temporaryFolder } from '../temporary.ts'
import { PROCESSES } from './experiments.ts'

const ELSEWHERE = { ...PROCESSES, host: 'aaaaaaaaaaaa' }

describe('a lock', () => {
  test('of another host is never taken over: whether it lives cannot be seen from here', () => {
    const folder = temporaryFolder()
    // The same process number, and no such process is alive here.
    lock(folder, ELSEWHERE)
    const holder = readFileSync(join(folder, 'lock'), 'utf8')
    for (const pid of [process.pid, process.pid + 1])
      expect(() => lock(folder, { ...PROCESSES, pid })).toThrow(
        /is being run by process \d+ on \S+ \(another machine or container, or this one before it was started again\)/,
      )
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(holder)
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  test('of a dead process of this host is', () => {
    const folder = temporaryFolder()
    lock(folder, { ...PROCESSES, pid: process.pid + 1 })
    expect(() => lock(folder, { ...PROCESSES, isAlive: () => true })).toThrow(/is being run by process/)
    lock(folder, PROCESSES)()
    expect(readdirSync(folder)).toEqual([])
  })

  test('of a dead process is not taken over after another run has', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'lock')
    lock(folder, { ...PROCESSES, pid: 4_000_000 })
    const other = readFileSync(path, 'utf8').replace('4000000', '4000001')
    // The other run takes it while this one sees that its holder is dead.
    const isAlive = (pid: number) => {
      writeFileSync(path, other)
      return pid === 4_000_001
    }
    expect(() => lock(folder, { ...PROCESSES, isAlive })).toThrow('is being run by process 4000001')
    expect(readFileSync(path, 'utf8')).toBe(other)
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  test('is given back by a process that ends before it comes to that', () => {
    const folder = temporaryFolder()
    const removed = new Set<string>()
    const removeAtExit = (path: string) => {
      removed.add(path)
      return () => void removed.delete(path)
    }
    const release = lock(folder, { ...PROCESSES, removeAtExit })
    expect([...removed]).toEqual([join(folder, 'lock')])
    release()
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    expect([...removed]).toEqual([])
  })
})

describe('what was left half-written', () => {
  const dead = 4_000_000
  const alive = 4_000_001
  const fakeProcesses = { ...PROCESSES, isAlive: (pid: number) => pid === alive }
  const name = (host: string, pid: number) => `x.${host}-${pid}-000000000000.tmp`

  test('is removed where its process of this host is dead, or where it is old; nothing else is', () => {
    const folder = temporaryFolder()
    const stays = [
      name(HOST, alive),
      name(HOST, process.pid),
      name(ELSEWHERE.host, dead),
      'x.4000000.tmp',
      'y.tmp',
    ]
    const goes = [name(HOST, dead), name(ELSEWHERE.host, dead + 2)]
    for (const one of [...stays, ...goes]) mkdirSync(join(folder, one))
    writeFileSync(join(folder, goes[0], 'half'), 'half')
    const eightDays = Date.now() / 1000 - 8 * 24 * 3600
    for (const one of [goes[1], stays[3], stays[4]]) lutimesSync(join(folder, one), eightDays, eightDays)
    removeLeftovers(folder, fakeProcesses)
    expect(readdirSync(folder).sort()).toEqual(stays.sort())
  })
})
