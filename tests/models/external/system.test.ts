import { beforeEach, describe, expect, test, vi } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import type { Connection } from '../../../src/models/external/connection.ts'
import { startSystem } from '../../../src/models/external/system.ts'

/** What a system says to each message, in the order in which it is started. */
type Says = (message: Record<string, unknown>) => (object | string | Error)[]
const started: {
  command: readonly string[]
  sent: object[]
  waits: number[]
  killed: number
  closed: number
  ended: boolean
}[] = []
let systems: Says[] = []

vi.mock('../../../src/models/external/connection.ts', () => ({
  connect(command: readonly string[]): Connection {
    const says = systems[started.length] ?? systems[systems.length - 1]
    const state = { command, sent: [] as object[], waits: [] as number[], killed: 0, closed: 0, ended: false }
    started.push(state)
    const lines: (object | string | Error)[] = []
    return {
      send(message) {
        state.sent.push(message as object)
        lines.push(...says(message as Record<string, unknown>))
      },
      async line(timeout) {
        state.waits.push(timeout)
        const line = lines.shift() ?? new Error('ended with code 1')
        if (line instanceof Error) {
          state.ended = true
          throw line
        }
        return typeof line === 'string' ? line : JSON.stringify(line)
      },
      ended: () => state.ended,
      close: () => void state.closed++,
      kill() {
        state.killed++
        state.ended = true
      },
    }
  },
}))

beforeEach(() => {
  started.length = 0
})
const options = {
  ...{ command: ['mine', '--fast'], timeout: 2, startTimeout: 30, hello: { corpus: '/c' } },
  rowOf: new Map([
    ['a', 0],
    ['b', 1],
  ]),
}
const query = (text: string) => ({ id: text, text, metadata: { lang: 'en' } }) as never
const start = (...says: Says[]) => {
  systems = says
  return startSystem(options)
}
/** A system that is ready and answers each query by `answer`. */
const ready =
  (answer: (message: Record<string, unknown>) => (object | string | Error)[]): Says =>
  (message) =>
    message.type === 'hello' ? [{ type: 'ready' }] : answer(message)
const ranking = (id: unknown, ...pairs: [string, number][]) => ({ type: 'ranking', id, ranking: pairs })
const rowsOf = async (reply: Promise<{ rows: ArrayLike<number> }>) => Array.from((await reply).rows)

test('a system is greeted, asked one query after another, and closed', async () => {
  const system = await start(
    ready(({ id, text }) => [
      ranking(id, ...(text === 'one' ? [['b', 2] as [string, number], ['a', 1] as [string, number]] : [])),
    ]),
  )
  const [one, two] = [system.ask(query('one'), 5), system.ask(query('two'), 1)]
  expect([await rowsOf(one), await rowsOf(two)]).toEqual([[1, 0], []])
  system.close()
  expect(started).toEqual([
    {
      command: ['mine', '--fast'],
      sent: [
        { type: 'hello', protocol: 1, corpus: '/c' },
        { type: 'query', id: 1, text: 'one', metadata: { lang: 'en' }, depth: 5 },
        { type: 'query', id: 2, text: 'two', metadata: { lang: 'en' }, depth: 1 },
      ],
      ...{ waits: [30_000, 2000, 2000], killed: 0, closed: 1, ended: false },
    },
  ])
})

describe('a system that does not get ready is refused and ended', () => {
  test.each<[(object | string | Error)[], string]>([
    [[{ type: 'error', message: 'no index' }], 'says: no index'],
    [[{ type: 'hello' }], 'answered hello with `hello`, not with `ready`'],
    [['loading'], 'wrote a line that is not JSON: `loading`'],
    [[new Error('ended with code 3')], 'ended with code 3'],
  ])('%j', async (lines, words) => {
    await expect(start(() => lines)).rejects.toThrow(new UserError(`the system \`mine --fast\` ${words}`))
    expect(started.map(({ killed }) => killed)).toEqual([1])
  })
})

describe('an answer that is none fails its query alone', () => {
  test.each<[(id: number) => object | string, string]>([
    [(id) => ({ type: 'error', id, message: 'too long' }), 'says: too long'],
    [(id) => ({ type: 'ready', id }), 'answered with `ready`, not with `ranking`'],
    [(id) => ranking(id + 1), 'answered query 2 when it was asked 1'],
    [() => ranking('1'), 'answered query "1" when it was asked 1'],
    [() => ranking(undefined), 'answered query null when it was asked 1'],
    [(id) => ranking(id, ['c', 1]), 'ranked a chunk that does not exist: `"c"`'],
  ])('%o', async (answer, words) => {
    const system = await start(ready(({ id }) => [id === 1 ? answer(1) : ranking(id, ['a', 1])]))
    await expect(system.ask(query('one'), 5)).rejects.toThrow(
      new Error(`the system \`mine --fast\` ${words}`),
    )
    expect(await rowsOf(system.ask(query('two'), 5))).toEqual([0])
    expect(started).toHaveLength(1)
  })
})

test('a late answer to an earlier query is passed over', async () => {
  const system = await start(
    ready(({ id }) => (id === 1 ? ['nonsense', ranking(1)] : [ranking(id, ['b', 1])])),
  )
  await expect(system.ask(query('one'), 5)).rejects.toThrow('that is not JSON: `nonsense`')
  expect(await rowsOf(system.ask(query('two'), 5))).toEqual([1])
})

test('a system that ended or was too slow is started again for the next query', async () => {
  const system = await start(
    ready(() => [new Error('gave no answer within 2 s')]),
    ready(({ id }) => [ranking(id, ['a', 1])]),
  )
  await expect(system.ask(query('one'), 5)).rejects.toThrow(
    'the system `mine --fast` gave no answer within 2 s',
  )
  expect(await rowsOf(system.ask(query('two'), 5))).toEqual([0])
  expect(started.map(({ killed, sent }) => [killed, sent.length])).toEqual([
    [1, 2],
    [0, 2],
  ])
  started.length = 0
  const gone = await start(
    ready(() => [new Error('ended with code 1')]),
    () => [{ type: 'error', message: 'out of memory' }],
  )
  await expect(gone.ask(query('one'), 5)).rejects.toThrow('ended with code 1')
  await expect(gone.ask(query('two'), 5)).rejects.toThrow(
    new Error('the system `mine --fast` says: out of memory'),
  )
})
