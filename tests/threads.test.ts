import { isMainThread, parentPort, setEnvironmentData, threadId } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { becomeCommandThread, isCoordinator, supervisor } from '../src/threads.ts'

const KEY = "touchstone: the command's thread"
afterEach(() => setEnvironmentData(KEY, undefined as never))

test('without a command the main thread coordinates', () => {
  expect(isCoordinator()).toBe(isMainThread)
  expect(supervisor()).toBeNull()
})

test('the thread of a command coordinates, and speaks to the main thread', () => {
  becomeCommandThread()
  expect(isCoordinator()).toBe(true)
  expect(supervisor()).toBe(parentPort)
})

test('a thread that the command started does not', () => {
  setEnvironmentData(KEY, threadId + 1)
  expect(isCoordinator()).toBe(false)
  expect(supervisor()).toBeNull()
})
