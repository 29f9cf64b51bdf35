import { getEnvironmentData, isMainThread } from 'node:worker_threads'
import { expect, test } from 'vitest'
import {
  isStopping,
  listen,
  native,
  outsideNative,
  requestStop,
  Stopped,
  throwIfStopping,
  wasStopped,
} from '../src/stopping.ts'

test('threads end only while no native call is under way, and none begins meanwhile', async () => {
  // Later than LOST / 2 after the process began: its clock starts at 0.
  await new Promise((later) => setTimeout(later, Math.max(0, 1100 - performance.now())))
  const events: string[] = []
  const call = (name: string) =>
    native(async () => {
      events.push(`${name} begins`)
      await new Promise((later) => setTimeout(later, 20))
      events.push(`${name} ends`)
    })
  const first = call('first')
  const end = outsideNative(async () => {
    events.push('closing')
    await new Promise((later) => setTimeout(later, 20))
    events.push('closed')
  })
  const second = call('second')
  await Promise.all([first, end, second])
  expect(events).toEqual(['first begins', 'first ends', 'closing', 'closed', 'second begins', 'second ends'])
})

test('a request to stop ends work, until it is taken back', async () => {
  const { signal } = new AbortController()
  expect([isStopping(), wasStopped(signal), wasStopped(AbortSignal.abort())]).toEqual([false, false, true])
  requestStop(true)
  expect([isStopping(), wasStopped(signal)]).toEqual([true, true])
  expect(() => throwIfStopping()).toThrow(new Stopped())
  await expect(listen()).rejects.toMatchObject({ name: 'Stopped', message: 'stopped on request' })
  requestStop(false)
  throwIfStopping()
  expect(isStopping()).toBe(false)
})

test.runIf(isMainThread)(
  'all threads see a request to stop; a native call is none, and is over if it fails',
  async () => {
    const flags = new Int32Array(getEnvironmentData('touchstone: stopping') as unknown as SharedArrayBuffer)
    requestStop(true)
    expect([...flags]).toEqual([1, 0, 0])
    requestStop(false)
    await native(async () => expect([isStopping(), ...flags]).toEqual([false, 0, 1, 0]))
    await expect(native(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await outsideNative(() => [isStopping(), ...flags])).toEqual([false, 0, 0, 1])
    expect([...flags]).toEqual([0, 0, 0])
  },
)
