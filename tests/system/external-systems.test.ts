import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type ExternalOptions, type ExternalSystem, startSystem } from '../../src/models/external/system.ts'
import { isAlive } from '../../src/store/processes.ts'
import { temporaryFolder } from '../temporary.ts'

/** Answers as the query's text says; `log` takes its process number at every start. */
const SYSTEM = `
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [log, mood] = process.argv.slice(2)
appendFileSync(log, process.pid + '\\n')
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
const raw = (text) => process.stdout.write(text + '\\n')
if (mood === 'stays') process.on('SIGTERM', () => {}), setInterval(() => {}, 1000)
for await (const line of createInterface({ input: process.stdin })) {
  const { type, id, text, depth } = JSON.parse(line)
  if (type === 'hello') {
    if (mood === 'fails') { console.error('no model here'); process.exit(3) }
    if (mood === 'errs') say({ type: 'error', message: 'no corpus' })
    else if (mood !== 'mute') say({ type: 'ready' })
    continue
  }
  const answer = (ranking, counters) => say({ type: 'ranking', id, ranking, counters })
  if (text === 'dies') { console.error('out of luck'); process.exit(7) }
  else if (text === 'killed') process.kill(process.pid, 'SIGKILL')
  else if (text === 'slow') continue
  else if (text === 'talks') { raw('loading...'); answer([['a', 1]]) }
  else if (text === 'errs') say({ type: 'error', id, message: 'out of credit' })
  else if (text === 'raw') raw('{"type":"ranking","id":' + id + ',"ranking":[["a",NaN]]}')
  else if (text === 'infinite') raw('{"type":"ranking","id":' + id + ',"ranking":[["a",1e999]]}')
  else if (text.startsWith('[')) answer(JSON.parse(text))
  else if (text.startsWith('{')) say({ type: 'ranking', id, ...JSON.parse(text) })
  else answer([['b', 1], ['c', 3], ['a', 1]].slice(0, depth), { calls: 2 })
}
`

const open: ExternalSystem[] = []
afterEach(() => {
  for (const system of open.splice(0)) system.close()
})

async function start(mood = '', more: Partial<ExternalOptions> = {}) {
  const folder = temporaryFolder({ 'system.mjs': SYSTEM, log: '' })
  const log = join(folder, 'log')
  const pids = () => readFileSync(log, 'utf8').trim().split('\n').filter(Boolean).map(Number)
  const starting = startSystem({
    command: [process.execPath, join(folder, 'system.mjs'), log, mood],
    timeout: 20,
    startTimeout: 20,
    hello: { corpus: '/nowhere' },
    rowOf: new Map([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]),
    ...more,
  })
  starting.then((system) => open.push(system)).catch(() => {})
  const system = await starting.catch((error: Error) => error)
  const ask = (text: string, depth = 10) =>
    system instanceof Error
      ? Promise.reject(system)
      : system.ask({ id: 'q', text, metadata: {} }, depth).then(({ rows, scores, counters }) => ({
          rows: [...rows],
          scores: [...scores],
          counters,
        }))
  return { system, ask, pids }
}

async function gone(pid: number): Promise<boolean> {
  for (let wait = 0; wait < 600 && isAlive(pid, null); wait++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  return !isAlive(pid, null)
}

test('answers are rankings in our order, cut at depth, with counters', async () => {
  const { ask, pids } = await start()
  expect(await ask('plain')).toEqual({ rows: [2, 1, 0], scores: [3, 1, 1], counters: { calls: 2 } })
  // The order in the message does not count: what is asked for is cut by score.
  expect((await ask('[["b",1],["c",3],["a",2]]', 2)).rows).toEqual([2, 0])
  expect(await ask('[]')).toEqual({ rows: [], scores: [], counters: {} })
  expect(pids()).toHaveLength(1)
})

test('nonsense fails the query alone, in words', async () => {
  const { ask, pids } = await start()
  const nonsense: [string, RegExp][] = [
    ['talks', /wrote a line that is not JSON: `loading\.\.\.`/],
    ['raw', /not JSON: .*NaN/],
    ['infinite', /gave `a` the score `null`, which is not a finite number/],
    ['errs', /says: out of credit/],
    ['[["a",1],["z",2]]', /ranked a chunk that does not exist: `"z"`/],
    ['[["a",1],["a",2]]', /ranked `a` twice/],
    ['["a"]', /ranked a chunk that does not exist/],
    ['{}', /answered without a `ranking`/],
    ['{"id":99,"ranking":[]}', /answered query 99 when it was asked/],
    ['{"type":"rank"}', /answered with `rank`, not with `ranking`/],
    ['{"ranking":[],"counters":{"calls":-1}}', /counted `calls` as `-1`/],
    ['{"ranking":[],"counters":{"calls":"2"}}', /counted `calls` as `"2"`/],
    ['{"ranking":[],"counters":{"calls":1e999}}', /counted `calls` as `null`/],
    ['{"ranking":[],"counters":{"tokens":1}}', /counted `tokens`, which is counted already/],
    ['{"ranking":[],"counters":{"linked":1}}', /counted `linked`, which is counted already/],
    ['{"ranking":[],"counters":[1]}', /`counters` that are not a map/],
  ]
  for (const [text, message] of nonsense) {
    await expect(ask(text), text).rejects.toThrow(message)
    expect((await ask('plain')).rows, `after ${text}`).toEqual([2, 1, 0])
  }
  expect(pids()).toHaveLength(1)
})

test('one that ends fails the query in flight with its last words, and is started again', async () => {
  const { ask, pids } = await start()
  await expect(ask('dies')).rejects.toThrow(/ended with code 7; its last output: out of luck/)
  expect((await ask('plain')).rows).toEqual([2, 1, 0])
  await expect(ask('killed')).rejects.toThrow(/was ended by SIGKILL/)
  expect((await ask('plain')).rows).toEqual([2, 1, 0])
  expect(pids()).toHaveLength(3)
})

test('one that is too slow is ended and started again', async () => {
  const { ask, pids } = await start('', { timeout: 0.5 })
  await expect(ask('slow')).rejects.toThrow(/gave no answer within 0\.5 s/)
  const [slow] = pids()
  expect(await gone(slow)).toBe(true)
  expect(pids()).toHaveLength(1)
})

test.skipIf(process.platform !== 'linux')('it runs in a process group of its own', async () => {
  const { pids } = await start()
  const groupOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[2]
  expect(groupOf(pids()[0])).not.toBe(groupOf(process.pid))
})

test('queries asked at once are asked one after another', async () => {
  const { ask } = await start()
  const answers = await Promise.all(
    ['[["a",1]]', '[["b",1]]', 'dies', '[["c",1]]'].map((text) => ask(text).catch(() => null)),
  )
  expect(answers.map((answer) => answer?.rows)).toEqual([[0], [1], undefined, [2]])
})

describe('a system that does not get ready', () => {
  test.each([
    ['fails', /ended with code 3; its last output: no model here/],
    ['errs', /says: no corpus/],
    ['mute', /gave no answer within 0\.7 s/],
  ])('%s', async (mood, message) => {
    const { system } = await start(mood, { startTimeout: mood === 'mute' ? 0.7 : 20 })
    expect(String(system)).toMatch(message)
    expect((system as Error).name).toBe('UserError')
  })

  test('because there is no such command', async () => {
    const { system } = await start('', { command: ['no-such-command-here'] })
    expect(String(system)).toMatch(/`no-such-command-here` cannot be started: there is no such command/)
  })
})

test('closing ends it, also where it will not', async () => {
  for (const mood of ['', 'stays']) {
    const { system, pids } = await start(mood)
    if (system instanceof Error) throw system
    const [pid] = pids()
    expect(isAlive(pid, null)).toBe(true)
    system.close()
    expect(await gone(pid), mood).toBe(true)
  }
})
