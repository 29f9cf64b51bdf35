import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { engineKinds } from '../../src/engines/index.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { questions } from '../fixtures/passages.ts'
import { evaluate, prepare } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'
import { describeEngine, naiveIn, over, retrieve, rounded } from './engine-contract.ts'
import { refusal, startOpenSearch } from './opensearch-server.ts'
import { shortPauses } from './short-pauses.ts'

/** Strategies that start from, or fall back to, a dense search. */
const STARTING = [
  'hipporag',
  'lightrag',
  'graphrag-local',
  'graphrag-global',
  'pathrag',
  'traversal',
  'linearrag',
  'lazy-graphrag',
  'title-ppr',
]

await Promise.all([
  strategies.load(['naive', 'bm25', 'hybrid', ...STARTING]),
  engineKinds.load(['opensearch']),
])

let server: Awaited<ReturnType<typeof startOpenSearch>>
shortPauses()
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

const engine = (params: Record<string, boolean | string | number> = {}) => ({ name: 'opensearch', params })
const FLAT = engine({ index: 'exact' })
const flat = (params = {}) => naiveIn('flat', over({ flat: FLAT }), params)

describe('opensearch', () => {
  describeEngine(() => ({ exact: FLAT, words: engine() }))

  it('searches both sides of a fusion in an engine, or one with the other in memory', async () => {
    const recipe = over({ flat: FLAT, words: engine() })
    const norm = { norm: 'minmax' }
    const roots = [
      retrieve('hybrid', norm, recipe, { dense: 'flat', lexical: 'words' }),
      retrieve('hybrid', norm, recipe, { lexical: 'words' }),
    ]
    const store = await prepare(temporaryFolder(), roots)
    const [both, single] = await Promise.all(roots.map((root) => evaluate(store, root, questions)))
    expect(both.map(rounded)).toEqual(single.map(rounded))
    await store.close()
  })

  it('refuses what an engine does not search, or scores otherwise than the trial asks', () => {
    const recipe = over({ flat: FLAT })
    const both = { dense: 'flat', lexical: 'flat' }
    const refused = (name: string, params: object, engine = {}) => {
      try {
        retrieve(name, { ...params }, recipe, engine)
        return undefined
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(refused('hybrid', {}, both)).toContain('the norm `corpus` reads scores of others')
    expect(refused('hybrid', {}, { lexical: 'flat' })).toContain('the norm `corpus` reads scores of others')
    expect(refused('title-ppr', {}, { dense: 'flat' })).toContain('the norm `corpus` reads scores of others')
    for (const params of [{ norm: 'tmm' }, { norm: 'zscore' }, { fusion: 'rrf' }])
      expect(refused('hybrid', params, both)).toBeUndefined()
    expect(refused('naive', {}, { lexical: 'flat' })).toBe('`engine`: this trial has no lexical search')
    expect(refused('bm25', {}, { dense: 'flat' })).toBe('`engine`: this trial has no dense search')
    expect(refused('random', {}, both)).toBe('`engine`: this trial has no dense or lexical search')
    expect(refused('hybrid', { fusion: 'rrf', alpha: 1 }, both)).toBeUndefined()
    expect(refused('bm25', { idf: 'okapi' }, { lexical: 'flat' })).toBe(
      '`idf` is of the search in memory; the engine `flat` has its own text analysis',
    )
    expect(refused('bm25', { fields: { text: 1 } }, { lexical: 'flat' })).toContain('`fields` is of')
    expect(refused('naive', {}, { dense: 'other' })).toBe('there is no engine `other` in `engines`')
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
    const [ranking] = await evaluate(store, flat(), questions.slice(0, 1))
    expect(ranking.rows.length).toBeGreaterThan(0)
    await store.close()
  })

  it.each([
    ['that some shards found', { timed_out: false, _shards: { total: 3, failed: 1 } }, '1 of 3'],
    ['that was found until a timeout', { timed_out: true, _shards: { total: 3, failed: 0 } }, '0 of 3'],
  ])('never gives the part of a ranking %s', async (_, state, said) => {
    const store = await prepare(temporaryFolder(), [flat()])
    server.state.plan = ({ path }) =>
      path.includes('_search') ? { status: 200, body: { ...state, hits: { hits: [] } } } : undefined
    await expect(evaluate(store, flat(), questions.slice(0, 1))).rejects.toThrow(
      new RegExp(`searched only a part of touchstone_\\w+: ${said} shards failed`),
    )
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
      /does not hold the index touchstone_\w+ as it was prepared \((\d+) chunks, found \d+\)/,
    )
    // A server that was replaced is loaded again by `prepare`; a run that found it there before says that it is gone.
    const store = await prepare(folder, [flat()])
    server.indexes.clear()
    await expect(evaluate(store, flat(), questions.slice(0, 1))).rejects.toThrow('found no such index')
    await store.close()
    expect((await search())[0].rows.length).toBeGreaterThan(0)
    server.indexes.set(name, { mapping: {}, settings: {}, documents: new Map() })
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow("that is not Touchstone's")
    server.indexes.clear()
  })
})
