import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { engineKinds } from '../../src/retrieve/steps/engine.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { questions } from '../fixtures/passages.ts'
import { evaluate, prepare } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'
import { describeEngine, describeExisting, over, removeAll, retrieve } from './engine-contract.ts'
import { refusal, startQdrant } from './qdrant-server.ts'
import { shortPauses } from './short-pauses.ts'

await Promise.all([strategies.load(['naive', 'bm25']), engineKinds.load(['qdrant'])])

let server: Awaited<ReturnType<typeof startQdrant>>
shortPauses()
beforeAll(async () => {
  server = await startQdrant()
  vi.stubEnv('TOUCHSTONE_QDRANT', server.url)
})
afterEach(() => {
  server.state.plan = () => undefined
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

const qdrant = (params: Record<string, string | number | boolean> = {}) => ({ name: 'qdrant', params })
const EXACT = { index: 'exact', checkRecall: false }
const flat = (params = {}) =>
  retrieve('naive', { engine: 'flat' }, over({ flat: qdrant({ ...EXACT, ...params }) }))

describe('qdrant', () => {
  describeEngine(() => ({ exact: qdrant({ index: 'exact' }), index: qdrant() }))

  describeExisting(() => ({
    engine: qdrant({ ...EXACT, existing: 'notes', idField: 'note' }),
    async write(points) {
      server.collections.set('notes', {
        params: { vectors: { size: points[0].vector.length, distance: 'Cosine' } },
        points: new Map(points.map(({ vector }, at) => [at, vector])),
        payloads: new Map(points.map(({ id }, at) => [at, { note: id }])),
        aliases: ['current'],
      })
    },
  }))

  it('goes on where a load ended between a collection and its mark; one with points is refused', async () => {
    server.collections.clear()
    server.state.plan = ({ path }) =>
      path.includes('/aliases') && path.startsWith('/collections/aliases') ? refusal(403, 'no') : undefined
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow('refuses (403): no')
    server.state.plan = () => undefined
    const [[name, collection]] = server.collections
    expect(collection.aliases).toEqual([])
    const folder = temporaryFolder()
    await (await prepare(folder, [flat()])).close()
    expect(server.collections.get(name)?.aliases).toEqual([`${name}_own`])
    expect(collection.points.size).toBeGreaterThan(0)
    // The mark alone is lost, and the points stay.
    collection.aliases.length = 0
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow("that is not Touchstone's; rename it")
    collection.points.clear()
    await removeAll(folder)
    expect(server.collections.has(name)).toBe(false)
  })

  it('completes a load that was cut off, and ends at once where the server refuses', async () => {
    server.collections.clear()
    const folder = temporaryFolder()
    server.state.plan = ({ method, path }) =>
      method === 'PUT' && path.includes('/points')
        ? refusal(403, 'Forbidden: Global manage access is required')
        : undefined
    await expect(prepare(folder, [flat()])).rejects.toThrow(
      'the server in TOUCHSTONE_QDRANT refuses (403): Forbidden: Global manage access is required',
    )
    server.state.plan = () => undefined
    await (await prepare(folder, [flat()])).close()
    server.asked.length = 0
    await (await prepare(temporaryFolder(), [flat()])).close()
    expect(server.asked.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  it('waits for a server that is busy or cuts the connection, and counts its own time', async () => {
    const turns = [refusal(503, 'Service unavailable'), 'cut'] as const
    let turn = 0
    const store = await prepare(temporaryFolder(), [flat()])
    server.state.plan = ({ path }) => (path.includes('/query') ? turns[turn++] : undefined)
    const memo = createMemo(store, questions.slice(0, 1), () => 0)
    const [cell] = await memo.cells(flat())
    expect(cell?.failure).toBeUndefined()
    expect(memo.tookInEngines()).toBe(2)
    await store.close()
  })

  it('refuses a collection that was changed or is not its own', async () => {
    server.collections.clear()
    const folder = temporaryFolder()
    const store = await prepare(folder, [flat()])
    const [[name, collection]] = server.collections
    collection.points.delete(0)
    await expect(evaluate(store, flat(), questions.slice(0, 1))).rejects.toThrow(
      /does not hold the collection touchstone_\w+ as it was prepared \(\d+ points, found \d+\)/,
    )
    await store.close()
    collection.aliases.length = 0
    await expect(removeAll(folder)).rejects.toThrow("that is not Touchstone's")
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow("that is not Touchstone's")
    expect(server.collections.has(name)).toBe(true)
    server.collections.clear()
  })

  it.each([
    [
      'twice',
      [
        [1, 0.9],
        [1, 0.8],
      ],
      /the chunk of row 1 twice in one ranking/,
    ],
    ['no score', [[1, null]], /the score NaN for the chunk of row 1|the score null for the chunk of row 1/],
    [
      'an id of another kind',
      [['8e0f7a52-9a39-4b5c-a1fe-3f2f7f1c9a01', 0.5]],
      /NaN in place of a chunk's row/,
    ],
  ])('refuses a ranking that cannot be right: %s', async (_, points, message) => {
    server.collections.clear()
    const store = await prepare(temporaryFolder(), [flat()])
    server.state.plan = ({ path }) =>
      path.includes('/query')
        ? {
            status: 200,
            body: { result: { points: points.map(([id, score]) => ({ id, score })) }, status: 'ok', time: 0 },
          }
        : undefined
    await expect(evaluate(store, flat(), questions.slice(0, 1))).rejects.toThrow(message)
    await store.close()
  })

  it('sends the key of the address, and never shows it', async () => {
    vi.stubEnv('SECRET', server.url.replace('http://', 'http://:hidden@'))
    server.asked.length = 0
    await (await prepare(temporaryFolder(), [flat({ urlEnv: 'SECRET' })])).close()
    expect(new Set(server.asked.map(({ key }) => key))).toEqual(new Set(['hidden']))
    vi.stubEnv('SECRET', 'http://:hidden@127.0.0.1:59999')
    const failure = await prepare(temporaryFolder(), [flat({ urlEnv: 'SECRET', m: 8 })]).catch(
      (e: unknown) => e,
    )
    expect(failure).toEqual(new UserError('the server in SECRET does not answer (ECONNREFUSED)'))
  })
})
