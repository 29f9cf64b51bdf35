import { beforeEach, describe, expect, test } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import { startSystem } from '../../../src/models/external/system.ts'
import { type FakeGuard, useFakeGuards } from './fake-guard.ts'

/** What a system says to a message: lines, or its end. */
type Says = (message: Record<string, unknown>) => (object | string | typeof END)[]
const END = Symbol('end')
const started: FakeGuard[] = []
const asked: object[] = []
let systems: Says[] = []

useFakeGuards((guard) => {
  const says = systems[started.length] ?? systems[systems.length - 1]
  started.push(guard)
  guard.stdin.on('data', (bytes: Buffer) => {
    for (const line of String(bytes).trim().split('\n')) {
      asked.push(JSON.parse(line))
      for (const said of says(JSON.parse(line)))
        if (said === END) {
          guard.emit('message', { code: 1 })
          guard.emit('close')
        } else guard.stdout.write(`${typeof said === 'string' ? said : JSON.stringify(said)}\n`)
    }
  })
})
beforeEach(() => {
  started.length = asked.length = 0
})
const options = {
  ...{ command: ['mine', '--fast'], timeout: 0.3, startTimeout: 0.4, hello: { corpus: '/c' } },
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
  (answer: (message: Record<string, unknown>) => (object | string | typeof END)[]): Says =>
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
  expect(started.map(({ words }) => words)).toEqual([['mine', '--fast']])
  expect([asked, started[0].sent, started[0].stdin.writableEnded]).toEqual([
    [
      { type: 'hello', protocol: 1, corpus: '/c' },
      { type: 'query', id: 1, text: 'one', metadata: { lang: 'en' }, depth: 5 },
      { type: 'query', id: 2, text: 'two', metadata: { lang: 'en' }, depth: 1 },
    ],
    ...[[], true],
  ])
})

describe('a system that does not get ready is refused and ended', () => {
  test.each<[(object | string | typeof END)[], string]>([
    [[{ type: 'error', message: 'no index' }], 'says: no index'],
    [[{ type: 'hello' }], 'answered hello with `hello`, not with `ready`'],
    [['loading'], 'wrote a line that is not JSON: `loading`'],
    [[END], 'ended with code 1'],
    [[], 'gave no answer within 0.4 s'],
  ])('%j', async (lines, words) => {
    await expect(start(() => lines)).rejects.toThrow(new UserError(`the system \`mine --fast\` ${words}`))
    expect(started.map(({ sent }) => sent)).toEqual([['kill']])
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
    ready(() => []),
    ready(({ id }) => [ranking(id, ['a', 1])]),
  )
  await expect(system.ask(query('one'), 5)).rejects.toThrow(
    'the system `mine --fast` gave no answer within 0.3 s',
  )
  expect(await rowsOf(system.ask(query('two'), 5))).toEqual([0])
  expect(started.map(({ sent }) => sent)).toEqual([['kill'], []])
  started.length = 0
  const gone = await start(
    ready(() => [END]),
    () => [{ type: 'error', message: 'out of memory' }],
  )
  await expect(gone.ask(query('one'), 5)).rejects.toThrow('ended with code 1')
  await expect(gone.ask(query('two'), 5)).rejects.toThrow(
    new Error('the system `mine --fast` says: out of memory'),
  )
})
