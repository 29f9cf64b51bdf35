import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test } from 'vitest'
import { lock, removeLeftovers } from '../../src/experiment/lock.ts'
import { processes } from '../../src/library/machine.ts'
import { isAlive, seeByPs, startOfThis } from '../../src/store/processes.ts'
import { HOST } from '../../src/store/write.ts'
import { temporaryFolder } from '../temporary.ts'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** A child of a program that never asks how its children ended. */
async function zombie(): Promise<number> {
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 600'])
  started.push(parent)
  for await (const line of createInterface({ input: parent.stdout })) {
    const pid = Number(line)
    while (seeByPs(pid)?.state[0] !== 'Z') await new Promise((again) => setTimeout(again, 20))
    return pid
  }
  throw new Error('sh printed nothing')
}

describe.skipIf(process.platform === 'win32')('a process', () => {
  test('is dead while nobody has asked how it ended', async () => {
    const pid = await zombie()
    // A signal to it succeeds, so it exists.
    expect(process.kill(pid, 0)).toBe(true)
    expect(isAlive(pid, null)).toBe(false)
    expect(isAlive(pid, startOfThis())).toBe(false)
  })

  // Also if it had no turn on the processor since.
  test.runIf(process.platform === 'linux')('is dead from the moment of SIGKILL on', () => {
    const children = Array.from({ length: 12 }, () =>
      spawn('sh', ['-c', 'while :; do :; done'], { detached: true }),
    )
    started.push(...children)
    for (const { pid } of children) expect(isAlive(pid as number, null)).toBe(true)
    const seen = children.map(({ pid }) => {
      process.kill(-(pid as number), 'SIGKILL')
      return isAlive(pid as number, null)
    })
    expect(seen).toEqual(children.map(() => false))
  })

  test('is another one if it started at another time', () => {
    const start = startOfThis() as number
    expect(start).toBeGreaterThan(0)
    // Linux needs no `ps`, which a small container lacks: ticks since boot, not milliseconds since 1970.
    if (process.platform === 'linux') expect(start).toBeLessThan(1e11)
    expect(isAlive(process.pid, start)).toBe(true)
    expect(isAlive(process.pid, null)).toBe(true)
    expect(isAlive(process.pid, start + 1)).toBe(false)
    expect(isAlive(4_194_305, null)).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('a lock and a temporary file', () => {
  const lockOf = (pid: number, begun: number | null) =>
    JSON.stringify({ pid, ...(begun !== null && { started: begun }), host: HOST, name: 'here' })

  test('of a zombie, or of a number that another process has now, are taken over and removed', async () => {
    const parent = spawn('sleep', ['600'])
    started.push(parent)
    const other = parent.pid as number
    for (const [pid, begun] of [
      [await zombie(), null],
      [other, 1],
      [process.pid, 1],
    ] as const) {
      const half = begun === null ? `x.${HOST}-${pid}` : `x.${HOST}-${pid}.${begun}`
      const folder = temporaryFolder({ lock: lockOf(pid, begun), [`${half}-000000000000.tmp`]: 'half' })
      removeLeftovers(folder, processes)
      expect(existsSync(join(folder, `${half}-000000000000.tmp`))).toBe(false)
      const release = lock(folder, processes)
      expect(JSON.parse(readFileSync(join(folder, 'lock'), 'utf8'))).toMatchObject({
        pid: process.pid,
        started: startOfThis(),
        host: HOST,
      })
      release()
    }
  })

  test('that is damaged is nobody’s', () => {
    for (const text of ['', '{"pid"', '{"pid":"1"}', '{"pid":-1,"host":"x"}', '{"pid":1}', 'null', '[]']) {
      const folder = temporaryFolder({ lock: text })
      lock(folder, processes)()
      expect(existsSync(join(folder, 'lock')), text).toBe(false)
    }
  })
})
