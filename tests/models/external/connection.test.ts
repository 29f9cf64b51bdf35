import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hashCommand } from '../../../src/models/external/command.ts'
import { connect } from '../../../src/models/external/connection.ts'
import { sha256 } from '../../../src/store/hash.ts'
import { temporaryFolder } from '../../temporary.ts'
import { type FakeGuard, useFakeGuards } from './fake-guard.ts'

let guard: FakeGuard
useFakeGuards((made) => {
  guard = made
})
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())
const turn = () => new Promise((resolve) => setImmediate(resolve))
const open = () => connect(['mine', '--fast'])
async function ends(how: { error?: string; code?: number | null; signal?: string | null }) {
  guard.emit('message', how)
  guard.emit('close')
}

test('messages and answers are lines, whatever pieces they come in', async () => {
  const connection = open()
  expect(guard.file).toMatch(/guard\.js$/)
  expect(guard.words).toEqual(['mine', '--fast'])
  expect(guard.options).toEqual({ stdio: ['pipe', 'pipe', 'pipe', 'ipc'], detached: true, execArgv: [] })
  expect([guard.unref, guard.channel.unref].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  connection.send({ type: 'query', id: 1 })
  connection.send({ id: 2 })
  expect(String(guard.stdin.read())).toBe('{"type":"query","id":1}\n{"id":2}\n')
  const first = connection.line(1000)
  guard.stdout.write('on')
  guard.stdout.write('e\ntwo\nthr')
  expect([await first, await connection.line(1000)]).toEqual(['one', 'two'])
  const third = connection.line(1000)
  guard.stdout.write('ee\n\n')
  expect([await third, await connection.line(1000)]).toEqual(['three', ''])
  expect([connection.ended(), vi.getTimerCount()]).toEqual([false, 0])
})

test('a wait ends after its milliseconds, and the next one goes on', async () => {
  const connection = open()
  const late = expect(connection.line(1500)).rejects.toThrow(/^gave no answer within 1.5 s$/)
  await vi.advanceTimersByTimeAsync(1500)
  await late
  const next = connection.line(1000)
  guard.stdout.write('late\n')
  expect(await next).toBe('late')
})

test.each([
  [{ code: 3 }, 'ended with code 3'],
  [{ code: null, signal: 'SIGKILL' }, 'was ended by SIGKILL'],
  [{ error: 'ENOENT' }, 'cannot be started: there is no such command'],
  [{ error: 'EACCES' }, 'cannot be started: EACCES'],
])('%j: %s', async (how, words) => {
  const connection = open()
  const waiting = expect(connection.line(1000)).rejects.toThrow(new RegExp(`^${words}$`))
  ends(how)
  await waiting
  await expect(connection.line(1000)).rejects.toThrow(words)
  expect(connection.ended()).toBe(true)
  connection.send({ id: 1 })
  expect(guard.stdin.read()).toBeNull()
})

test('lines from before the end are read first, and the last words of stderr are told', async () => {
  const connection = open()
  guard.stdout.write('one\n')
  guard.stderr.write(`${'x'.repeat(3000)} no `)
  guard.stderr.write('memory\n')
  await turn()
  ends({ code: 1 })
  expect(await connection.line(1000)).toBe('one')
  const words = `${'x'.repeat(3000)} no memory\n`.slice(-2000).trim()
  await expect(connection.line(1000)).rejects.toThrow(
    new RegExp(`^ended with code 1; its last output: ${words}$`),
  )
})

test('blanks on stderr are no last words', async () => {
  const connection = open()
  guard.stderr.write(' \n')
  await turn()
  ends({ code: 1 })
  await expect(connection.line(1000)).rejects.toThrow(/^ended with code 1$/)
})

test('a process whose output stays open counts as ended 300 ms after its exit', async () => {
  const connection = open()
  guard.emit('exit')
  await vi.advanceTimersByTimeAsync(299)
  expect(connection.ended()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await expect(connection.line(1000)).rejects.toThrow(/^ended$/)
})

test('a guard that cannot be started is told with its reason', async () => {
  const connection = open()
  guard.emit('error', new Error('spawn EAGAIN'))
  guard.stdin.emit('error', new Error('EPIPE'))
  await expect(connection.line(1000)).rejects.toThrow(/^cannot be started: spawn EAGAIN$/)
})

test('a line beyond 64 MiB ends the system', async () => {
  const connection = open()
  const half = 'x'.repeat(32 * 2 ** 20)
  guard.stdout.emit('data', half)
  guard.stdout.emit('data', half)
  expect(connection.ended()).toBe(false)
  guard.stdout.emit('data', 'x')
  expect(guard.sent).toEqual(['kill'])
  await expect(connection.line(1000)).rejects.toThrow(/^wrote a line without end$/)
})

test('closing ends its input, and killing ends it at once', async () => {
  const connection = open()
  connection.close()
  expect([guard.stdin.writableEnded, guard.connected]).toEqual([true, false])
  connection.kill()
  expect([guard.sent, connection.ended()]).toEqual([[], true])
  const other = open()
  const waiting = expect(other.line(1000)).rejects.toThrow(/^was ended$/)
  other.kill()
  await waiting
  expect(guard.sent).toEqual(['kill'])
})

test('a command is hashed with each file that it names by an absolute path', () => {
  const folder = temporaryFolder({ 'run.sh': '#!/bin/sh\n', 'data.txt': 'x' })
  const [run, data] = ['run.sh', 'data.txt'].map((name) => join(folder, name))
  chmodSync(run, 0o755)
  expect(hashCommand([run, data, folder, join(folder, 'none'), 'data.txt'])).toEqual({
    0: sha256('#!/bin/sh\n'),
    1: sha256('x'),
  })
  expect(hashCommand(['sh', '-c', data])).toEqual({ 2: sha256('x') })
  for (const program of [join(folder, 'none'), 'no-such-command-here'])
    expect(() => hashCommand([program])).toThrow(`there is no command \`${program}\``)
})
