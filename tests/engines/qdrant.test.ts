import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { existingPoints } from '../../src/engines/qdrant/existing.ts'
import { UserError } from '../../src/errors.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { engineKinds } from '../../src/retrieve/steps/engine.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import type { Ranking } from '../../src/types.ts'
import { documentsOf } from '../corpus/recipes.ts'
import { documents, questions } from '../fixtures/passages.ts'
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
/** A corpus that is quickly embedded. */
const FEW = documents.slice(0, 6)
const flat = (params = {}) =>
  retrieve('naive', { engine: 'flat' }, over({ flat: qdrant({ ...EXACT, ...params }) }, FEW))

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

  it('sends the settings of the config, points in batches of 250, and nothing else', async () => {
    server.collections.clear()
    server.asked.length = 0
    const texts = Array.from({ length: 251 }, (_, at) => `Town ${at} lives by ${at % 7} crafts.`)
    const recipe = over(
      { flat: qdrant({ m: 8, efConstruction: 50, efSearch: 40, checkRecall: false }) },
      documentsOf(texts),
    )
    const root = retrieve('naive', { engine: 'flat', pool: 5 }, recipe)
    const store = await prepare(temporaryFolder(), [root])
    const [[name, { points }]] = server.collections
    const size = points.get(0)?.length
    const sent = (from: number, to: number) => ({
      points: [...points].slice(from, to).map(([id, vector]) => ({ id, vector })),
    })
    expect(
      server.asked.slice(0, -1).map(({ method, path, body }) => [method, path.replace(name, 'NAME'), body]),
    ).toEqual([
      ['GET', '/', {}],
      ['GET', '/collections/NAME/aliases', {}],
      [
        'PUT',
        '/collections/NAME',
        { vectors: { size, distance: 'Cosine' }, hnsw_config: { m: 8, ef_construct: 50 } },
      ],
      [
        ...['POST', '/collections/aliases'],
        { actions: [{ create_alias: { collection_name: name, alias_name: `${name}_own` } }] },
      ],
      ['PUT', '/collections/NAME/points?wait=true', sent(0, 250)],
      ['PUT', '/collections/NAME/points?wait=true', sent(250, 251)],
      ['GET', '/collections/NAME', {}],
      ['GET', '/collections/NAME/aliases', {}],
      ['POST', '/collections/NAME/points/count', { exact: true }],
      ['GET', '/', {}],
    ])
    server.asked.length = 0
    await evaluate(store, root, [{ id: 'q', text: texts[3], metadata: {} }])
    const searches = server.asked.filter(({ path }) => path.includes('/query'))
    expect(searches.map(({ path, body: { query: _, ...body } }) => [path, body])).toEqual([
      [`/collections/${name}/points/query`, { limit: 6, with_payload: false, params: { hnsw_ef: 40 } }],
    ])
    await store.close()
  })

  it('waits while a collection is being indexed', async () => {
    server.collections.clear()
    let looks = 0
    server.state.plan = ({ method, path }) =>
      method === 'GET' && /^.collections.\w+$/.test(path) && looks++ === 0
        ? { status: 200, body: { result: { status: 'yellow' }, status: 'ok', time: 0 } }
        : undefined
    const began = performance.now()
    await (await prepare(temporaryFolder(), [flat()])).close()
    expect(looks).toBe(2)
    expect(performance.now() - began).toBeGreaterThan(450)
  })

  it.each([
    [{ status: { error: 'no rights' } }, 'no rights'],
    [{ status: 'no rights' }, 'no rights'],
    [{ status: { error: 'q'.repeat(301) } }, 'q'.repeat(300)],
    [{}, 'no reason'],
  ])("names the server's reason: %j", async (body, words) => {
    server.collections.clear()
    server.state.plan = ({ method }) => (method === 'PUT' ? { status: 403, body } : undefined)
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow(
      expect.objectContaining({ message: `the server in TOUCHSTONE_QDRANT refuses (403): ${words}` }),
    )
  })

  it('finds a server below a path, and asks three times for one that is busy', async () => {
    vi.stubEnv('BELOW', `${server.url}/vectors`)
    server.asked.length = 0
    server.state.plan = () => refusal(503, 'starting')
    await expect(prepare(temporaryFolder(), [flat({ urlEnv: 'BELOW', m: 9 })])).rejects.toThrow(
      'the server in BELOW refuses (503): starting',
    )
    expect(server.asked.map(({ path }) => path)).toEqual(['/vectors/', '/vectors/', '/vectors/'])
  })

  it('a collection that another machine made at the same time is used', async () => {
    server.collections.clear()
    const made: string[] = []
    server.state.plan = ({ method, path }) => {
      if (method !== 'PUT' || path.includes('/points')) return undefined
      made.push(path)
      return refusal(400, made.length > 1 ? 'Wrong size' : 'Wrong input: Collection `a` already exists!')
    }
    // The collection is not there after all, which its points say.
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow('refuses (404)')
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow('refuses (400): Wrong size')
  })

  describe('an existing collection of named vectors', () => {
    const NAMED = { ...EXACT, existing: 'notes', idField: 'note', vectorField: 'dense' }
    const root = () => retrieve('naive', { engine: 'own' }, over({ own: qdrant(NAMED) }, FEW))
    const write = (vectors: object) =>
      server.collections.set('notes', {
        params: { vectors },
        points: new Map(FEW.map((_, at) => [at, [1, 0]])),
        payloads: new Map(FEW.map(({ id }, at) => [at, { note: id }])),
        aliases: [],
      })
    const problem = () => prepare(temporaryFolder(), [root()]).catch((error: Error) => error.message)
    const who = 'the collection notes of the server in TOUCHSTONE_QDRANT'

    it('is another index by another vector', () => {
      const keyOf = (vectorField?: string) =>
        existingPoints(over({}, FEW), 'TOUCHSTONE_QDRANT', {
          existing: 'notes',
          idField: 'note',
          vectorField,
        }).params
      expect(keyOf('dense')).toEqual({ existing: 'notes', idField: 'note', vectorField: 'dense' })
      expect(keyOf()).toEqual({ existing: 'notes', idField: 'note' })
    })

    it('names what is different', async () => {
      write(undefined as never)
      expect(await problem()).toBe(`${who} has not a vector dense; \`vectorField\` names one of `)
      write({ words: { size: 2, distance: 'Cosine' }, titles: { size: 2, distance: 'Cosine' } })
      expect(await problem()).toBe(
        `${who} has not a vector dense; \`vectorField\` names one of words, titles`,
      )
      write({ dense: { size: 2, distance: 'Dot' } })
      expect(await problem()).toMatch(
        new RegExp(
          `^${who} holds vectors of dimension 2, and lsa.* has \\d+\\n${who} compares by Dot, not by Cosine$`,
        ),
      )
    })

    it('reads and searches the vector of this name', async () => {
      const memory = await prepare(temporaryFolder(), [flat()])
      await memory.close()
      const size = [...server.collections.values()].at(-1)?.points.get(0)?.length ?? 0
      write({ dense: { size, distance: 'Cosine' } })
      server.asked.length = 0
      const points = FEW.map(({ id }, at) => ({ id: at, payload: { note: id } }))
      const ok = (result: object) => ({ status: 200, body: { result, status: 'ok', time: 0.002 } })
      server.state.plan = ({ path }) => {
        if (path.includes('/scroll')) return ok({ points })
        return path.includes('/query')
          ? ok({
              points: [
                { ...points[4], score: 0.5 },
                { ...points[1], score: 0.25 },
              ],
            })
          : undefined
      }
      const store = await prepare(temporaryFolder(), [root()])
      const memo = createMemo(store, questions.slice(0, 1), () => 0)
      const [cell] = await memo.cells(root())
      const { rows, scores } = (cell as { value: Ranking }).value
      expect([[...rows], [...scores]]).toEqual([
        [4, 1],
        [0.5, 0.25],
      ])
      expect(memo.tookInEngines()).toBe(2)
      await store.close()
      const bodies = (part: string) =>
        server.asked.filter(({ path }) => path.includes(part)).map(({ body: { query: _, ...body } }) => body)
      const ids = FEW.map(({ id }) => id)
      const filter = { must: [{ key: 'note', match: { any: ids } }] }
      const identity = { limit: 20, with_vector: true, with_payload: ['note'] }
      expect(bodies('/scroll')).toEqual([
        identity,
        { filter, limit: FEW.length, with_payload: ['note'], with_vector: false },
        { filter, limit: FEW.length, with_payload: ['note'], with_vector: ['dense'] },
        identity,
      ])
      expect(bodies('/query')).toEqual([
        { limit: 100, with_payload: ['note'], params: { exact: true }, using: 'dense' },
      ])
      expect(bodies('/count')).toContainEqual({ exact: true })
    })
  })
})
