import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { engineKinds } from '../../src/retrieve/steps/engine.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { questions } from '../fixtures/passages.ts'
import { evaluate, prepare } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'
import { describeEngine, over, retrieve, rounded } from './engine-contract.ts'
import { refusal, startOpenSearch } from './opensearch-server.ts'

await Promise.all([strategies.load(['naive', 'bm25', 'hybrid']), engineKinds.load(['opensearch'])])

let server: Awaited<ReturnType<typeof startOpenSearch>>
beforeAll(async () => {
  server = await startOpenSearch()
  vi.stubEnv('TOUCHSTONE_OPENSEARCH', server.url)
})
afterEach(() => {
  server.state.plan = () => undefined
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

const engine = (params: Record<string, never | string | number> = {}) => ({ name: 'opensearch', params })
const FLAT = engine({ index: 'exact' })
const flat = (params = {}) => retrieve('naive', { engine: 'flat', ...params }, over({ flat: FLAT }))
const words = (params = {}) => retrieve('bm25', { engine: 'words', ...params }, over({ words: engine() }))

describe('opensearch', () => {
  describeEngine(() => ({ exact: FLAT, words: engine() }))

  it("gives BM25 the trial's k1 and b, and the analyzer of the config", async () => {
    const recipe = over({ words: engine({ analyzer: 'english', shards: 3, replicas: 1 }) })
    await (
      await prepare(temporaryFolder(), [retrieve('bm25', { engine: 'words', k1: 1.2, b: 0.75 }, recipe)])
    ).close()
    const [held] = [...server.indexes.values()].slice(-1)
    expect(held.settings).toMatchObject({
      index: {
        ...{ number_of_shards: 3, number_of_replicas: 1 },
        similarity: { bm25: { type: 'BM25', k1: 1.2, b: 0.75 } },
      },
    })
    expect(held.mapping).toMatchObject({ properties: { text: { analyzer: 'english', similarity: 'bm25' } } })
  })

  it('fuses both sides of an engine, or one side with the search in memory', async () => {
    const recipe = over({ flat: FLAT, words: engine() })
    const sides = { lexicalEngine: 'words', norm: 'minmax' }
    const roots = [
      retrieve('hybrid', { ...sides, denseEngine: 'flat' }, recipe),
      retrieve('hybrid', sides, recipe),
    ]
    const store = await prepare(temporaryFolder(), roots)
    const [both, one] = await Promise.all(roots.map((root) => evaluate(store, root, questions)))
    expect(both.map(rounded)).toEqual(one.map(rounded))
    await store.close()
  })

  it('completes a load that was cut off, and loads no document twice', async () => {
    const folder = temporaryFolder()
    server.indexes.clear()
    let bulks = 0
    server.state.plan = ({ path }) =>
      path.includes('_bulk') && bulks++ === 0
        ? refusal(403, 'cluster_block_exception', 'disk full')
        : undefined
    await expect(prepare(folder, [flat()])).rejects.toThrow(
      'the server in TOUCHSTONE_OPENSEARCH refuses (403): cluster_block_exception: disk full',
    )
    server.state.plan = () => undefined
    await (await prepare(folder, [flat()])).close()
    server.asked.length = 0
    // Another store finds the index complete.
    await (await prepare(temporaryFolder(), [flat()])).close()
    expect(server.asked.filter(({ path }) => path.includes('_bulk'))).toEqual([])
  })

  it('waits for a server that is busy, cuts the connection or has a full queue', async () => {
    server.indexes.clear()
    const turns = [
      refusal(429, 'rejected', 'queue is full'),
      'cut',
      refusal(503, 'unavailable', 'no master'),
    ] as const
    let turn = 0
    server.state.plan = ({ path }) => (path.includes('_bulk') ? turns[turn++] : undefined)
    const store = await prepare(temporaryFolder(), [flat()])
    expect(turn).toBe(4)
    turn = 0
    server.state.plan = ({ path }) => (path.includes('_search') ? turns[turn++] : undefined)
    const [found] = await evaluate(store, flat(), questions.slice(0, 1))
    expect(found.rows.length).toBeGreaterThan(0)
    await store.close()
  })

  it('never gives the part of a ranking that some shards found', async () => {
    const store = await prepare(temporaryFolder(), [flat()])
    server.state.plan = ({ path }) =>
      path.includes('_search')
        ? { status: 200, body: { timed_out: false, _shards: { total: 3, failed: 1 }, hits: { hits: [] } } }
        : undefined
    await expect(evaluate(store, flat(), questions.slice(0, 1))).rejects.toThrow(
      /searched only a part of touchstone_\w+: 1 of 3 shards failed/,
    )
    await store.close()
  })

  it("a query that the engine cannot take fails alone, with the engine's words", async () => {
    const store = await prepare(temporaryFolder(), [words()])
    server.state.plan = ({ path, body }) =>
      path.includes('_search') && body.includes(questions[0].text)
        ? refusal(400, 'too_many_clauses', 'maxClauseCount is set to 1024')
        : undefined
    await expect(evaluate(store, words(), questions.slice(0, 1))).rejects.toThrow(
      /search-opensearch-text: .* refuses \(400\): too_many_clauses: maxClauseCount/,
    )
    expect((await evaluate(store, words(), questions.slice(1, 2)))[0].rows.length).toBeGreaterThan(0)
    await store.close()
  })

  it('refuses an index that was changed, is gone, or is not its own', async () => {
    server.indexes.clear()
    const folder = temporaryFolder()
    await (await prepare(folder, [flat()])).close()
    const [name] = server.indexes.keys()
    const search = async () => {
      const store = await prepare(folder, [flat()])
      return evaluate(store, flat(), questions.slice(0, 1)).finally(() => store.close())
    }
    server.indexes.get(name)?.documents.set('999', { row: 999 })
    await expect(search()).rejects.toThrow(
      /does not hold the index touchstone_\w+ as it was prepared \((\d+) documents, found \d+ documents\)/,
    )
    server.indexes.clear()
    await expect(search()).rejects.toThrow('found no such index')
    server.indexes.set(name, { mapping: {}, settings: {}, documents: new Map() })
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow("that is not Touchstone's")
    server.indexes.clear()
  })

  it('names what is missing, and never the address', async () => {
    const at = (urlEnv: string) =>
      retrieve('naive', { engine: 'flat' }, over({ flat: engine({ index: 'exact', urlEnv }) }))
    await expect(prepare(temporaryFolder(), [at('NOWHERE')])).rejects.toThrow(
      'in the environment variable NOWHERE, which is not set',
    )
    vi.stubEnv('NOWHERE', 'ftp://me:hidden@127.0.0.1')
    await expect(prepare(temporaryFolder(), [at('NOWHERE')])).rejects.toThrow(
      'the address in NOWHERE is not one of http or https',
    )
    server.indexes.clear()
    server.state.plan = () => refusal(401, 'security_exception', 'missing credentials')
    vi.stubEnv('NOWHERE', server.url.replace('http://', 'http://me:hidden@'))
    const refused = await prepare(temporaryFolder(), [at('NOWHERE')]).catch((error: Error) => error.message)
    expect(refused).toBe('the server in NOWHERE refuses (401): security_exception: missing credentials')
  })
})
