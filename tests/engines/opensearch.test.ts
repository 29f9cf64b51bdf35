import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { engineKinds } from '../../src/engines/index.ts'
import { UserError } from '../../src/errors.ts'
import { expressionsOf } from '../../src/retrieve/step.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import type { Ranking } from '../../src/types.ts'
import { questions } from '../fixtures/passages.ts'
import { evaluate, prepare, recipe as prepared } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'
import { bm25In, describeEngine, naiveIn, over, retrieve, rounded } from './engine-contract.ts'
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
/** First rows of a ranking: further down cosines differ by the rounding of a server. */
const first = ({ rows }: Ranking) => [...rows].slice(0, 3)

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
const words = (params = {}) => bm25In('words', over({ words: engine() }), params)

describe('opensearch', () => {
  describeEngine(() => ({ exact: FLAT, words: engine() }))

  it("gives BM25 the trial's k1 and b, and the analyzer of the config", async () => {
    const recipe = over({ words: engine({ analyzer: 'english', shards: 3, replicas: 1 }) })
    await (await prepare(temporaryFolder(), [bm25In('words', recipe, { k1: 1.2, b: 0.75 })])).close()
    const [held] = [...server.indexes.values()].slice(-1)
    expect(held.settings).toMatchObject({
      index: {
        number_of_shards: 3,
        number_of_replicas: 1,
        similarity: { bm25: { type: 'BM25', k1: 1.2, b: 0.75 } },
      },
    })
    expect(held.mapping).toMatchObject({ properties: { text: { analyzer: 'english', similarity: 'bm25' } } })
  })

  it('searches both sides of a fusion in an engine, or one with the other in memory', async () => {
    const recipe = over({ flat: FLAT, words: engine() })
    const norm = { norm: 'minmax' }
    const roots = [
      retrieve('hybrid', norm, recipe, { dense: 'flat', lexical: 'words' }),
      retrieve('hybrid', norm, recipe, { lexical: 'words' }),
    ]
    const store = await prepare(temporaryFolder(), roots)
    const [both, one] = await Promise.all(roots.map((root) => evaluate(store, root, questions)))
    expect(both.map(rounded)).toEqual(one.map(rounded))
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
    const [found] = await evaluate(store, flat(), questions.slice(0, 1))
    expect(found.rows.length).toBeGreaterThan(0)
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

  it("a query that the engine cannot take fails with the engine's words", async () => {
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

  it('names what is missing, and never the address', async () => {
    vi.stubEnv('TOUCHSTONE_OPENSEARCH', undefined)
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow(
      'in the environment variable TOUCHSTONE_OPENSEARCH, which is not set',
    )
    vi.stubEnv('TOUCHSTONE_OPENSEARCH', 'ftp://me:hidden@127.0.0.1')
    await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow(
      'the address in TOUCHSTONE_OPENSEARCH is not one of http or https',
    )
    server.indexes.clear()
    server.state.plan = () => refusal(401, 'security_exception', 'missing credentials')
    vi.stubEnv('TOUCHSTONE_OPENSEARCH', server.url.replace('http://', 'http://me:hidden@'))
    const refused = await prepare(temporaryFolder(), [flat()]).catch((error: Error) => error.message)
    vi.stubEnv('TOUCHSTONE_OPENSEARCH', server.url)
    expect(refused).toBe(
      'the server in TOUCHSTONE_OPENSEARCH refuses (401): security_exception: missing credentials',
    )
  })
})

it('gives graph strategies their dense and lexical starts', async () => {
  const engines = { flat: engine({ index: 'exact' }), words: engine() }
  const all = { ...prepared, engines }
  const given = STARTING.map((name) => ({ name, params: name === 'title-ppr' ? { prior: 'dense' } : {} }))
  const roots = given.flatMap(({ name, params }) => [
    retrieve(name, params, all),
    retrieve(name, params, all, { dense: 'flat' }),
  ])
  const lexical = retrieve('title-ppr', { prior: 'bm25' }, all, { lexical: 'words' })
  const store = await prepare(temporaryFolder(), [...roots, lexical])
  server.asked.length = 0
  for (const [index, name] of STARTING.entries()) {
    const here = await evaluate(store, roots[2 * index], questions)
    const there = await evaluate(store, roots[2 * index + 1], questions)
    expect(there.map(first), name).toEqual(here.map(first))
    const steps = expressionsOf([roots[2 * index + 1]]).map(({ step }) => step.name)
    expect(steps, name).toContain('search-opensearch')
  }
  expect(server.asked.filter(({ path }) => path.includes('_search')).length).toBeGreaterThan(0)
  expect((await evaluate(store, lexical, questions)).every(({ rows }) => rows.length > 0)).toBe(true)
  await store.close()
})

describe('a server that cannot take a load', () => {
  const words403 = (reason: string) => refusal(403, 'cluster_block_exception', reason)
  const cases: readonly [string, RegExp, ReturnType<typeof refusal>][] = [
    ['a read-only index', /_bulk/, words403('index [x] blocked by: [FORBIDDEN/5/index read-only (api)];')],
    [
      'the disk watermark',
      /_bulk/,
      refusal(
        429,
        'cluster_block_exception',
        'index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark];',
      ),
    ],
    [
      'missing rights',
      /^PUT/,
      refusal(403, 'security_exception', 'no permissions for [indices:admin/create]'),
    ],
    ['a mapping conflict', /_bulk/, refusal(400, 'mapper_parsing_exception', 'failed to parse field [row]')],
    [
      'an index that cannot be refreshed',
      /_refresh/,
      words403('index [x] blocked by: [FORBIDDEN/4/index metadata];'),
    ],
  ]
  it.each(cases)(
    '%s: ends at once with the words of the engine, and nothing counts as loaded',
    async (_, at, answer) => {
      server.indexes.clear()
      let refusals = 0
      server.state.plan = ({ path, method }) => {
        if (!at.test(`${method} ${path}`)) return undefined
        refusals++
        return answer
      }
      const folder = temporaryFolder()
      const { error } = answer.body as { error: { type: string; reason: string } }
      const failure = await prepare(folder, [words()]).catch((problem: unknown) => problem)
      expect(failure).toBeInstanceOf(UserError)
      expect((failure as UserError).message).toBe(
        `the server in TOUCHSTONE_OPENSEARCH refuses (${answer.status}): ${error.type}: ${error.reason}`,
      )
      expect(refusals).toBe(1)
      server.state.plan = () => undefined
      const store = await prepare(folder, [words()])
      expect((await evaluate(store, words(), questions.slice(0, 1)))[0].rows.length).toBeGreaterThan(0)
      await store.close()
    },
  )
})
