import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { expressionsOf } from '../../src/retrieve/step.ts'
import { engineKinds } from '../../src/retrieve/steps/engine.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import type { Ranking } from '../../src/types.ts'
import { documents, questions } from '../fixtures/passages.ts'
import { evaluate, prepare, recipe as prepared } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'
import { describeEngine, over, retrieve, rounded } from './engine-contract.ts'
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
/** A corpus that is quickly embedded. */
const FEW = documents.slice(0, 6)
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
        number_of_shards: 3,
        number_of_replicas: 1,
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

  it('fuses both sides itself only as it can, and sends one request for them', async () => {
    const fused = (params: object) => retrieve('hybrid', { engine: 'flat', ...params }, over({ flat: FLAT }))
    expect(() => fused({ fusion: 'max' })).toThrow('must be `rrf` or `weighted` with `engine`')
    expect(() => fused({})).toThrow('must be `minmax` with `engine`')
    expect(() => fused({ fusion: 'rrf', alpha: 0.7 })).toThrow("no part of an engine's RRF")
    expect(() => fused({ fusion: 'rrf', denseEngine: 'flat' })).toThrow('searches both sides; leave out')
    expect(() => fused({ fusion: 'rrf', rrfK: 0 })).toThrow("OpenSearch's `rrfK` is 1 or more")
    server.asked.length = 0
    server.state.plan = ({ path }) =>
      path.includes('_search') ? refusal(400, 'parsing_exception', 'unknown query [hybrid]') : undefined
    await expect(prepare(temporaryFolder(), [fused({ norm: 'minmax', alpha: 0.7 })])).rejects.toThrow(
      /this needs OpenSearch 2.19 or newer with the plugin neural-search: .*unknown query \[hybrid\]/,
    )
    expect(server.asked.filter(({ path }) => path.includes('_bulk'))).toEqual([])
  })

  it('loads texts and vectors together for a fusion of its own, and searches both', async () => {
    const graph = engine({ m: 8, efSearch: 40, analyzer: 'english', shards: 2 })
    const recipe = over({ both: graph }, FEW)
    const fused = retrieve(
      'hybrid',
      { engine: 'both', norm: 'minmax', alpha: 0.75, pool: 3, k1: 1.2, b: 0.5 },
      recipe,
    )
    const rrf = retrieve(
      'hybrid',
      { engine: 'both', fusion: 'rrf', rrfK: 7, pool: 3, k1: 1.2, b: 0.5 },
      recipe,
    )
    server.indexes.clear()
    server.asked.length = 0
    const hits = [4, 1].map((row, at) => ({
      _id: String(row),
      _score: 0.75 - at / 4,
      fields: { row: [row] },
    }))
    const found = { timed_out: false, took: 1, _shards: { total: 2, failed: 0 }, hits: { hits } }
    server.state.plan = ({ path }) => (path.includes('_search') ? { status: 200, body: found } : undefined)
    const store = await prepare(temporaryFolder(), [fused, rrf])
    // Two fusions of the same index.
    expect(server.indexes.size).toBe(1)
    const [held] = server.indexes.values()
    const vectors = [...held.documents.values()].map(({ vector }) => vector as number[])
    expect(held.documents.size).toBe(FEW.length)
    expect([...held.documents.values()].map(({ row }) => row)).toEqual([...FEW.keys()])
    expect(held.documents.get('2')?.text).toContain(FEW[2].text)
    expect(held.mapping).toMatchObject({
      properties: {
        row: { type: 'integer' },
        text: { type: 'text', analyzer: 'english', similarity: 'bm25' },
        vector: {
          type: 'knn_vector',
          dimension: vectors[0].length,
          method: {
            name: 'hnsw',
            engine: 'lucene',
            space_type: 'cosinesimil',
            parameters: { m: 8, ef_construction: 100 },
          },
        },
      },
    })
    expect(held.settings).toMatchObject({
      index: {
        knn: true,
        number_of_shards: 2,
        number_of_replicas: 0,
        max_terms_count: 65_536,
        similarity: { bm25: { type: 'BM25', k1: 1.2, b: 0.5 } },
      },
    })
    const bodies = () =>
      server.asked.filter(({ path }) => path.includes('_search')).map(({ body }) => JSON.parse(body))
    const plain = { size: 1, _source: false, track_total_hits: false }
    const pipeline = (processor: object) => ({ phase_results_processors: [processor] })
    const ranked = (rank_constant: number) =>
      pipeline({ 'score-ranker-processor': { combination: { technique: 'rrf', rank_constant } } })
    // Before anything is loaded, the server is asked whether it can fuse.
    expect(bodies()).toEqual([
      {
        ...plain,
        query: { hybrid: { queries: [{ match_all: {} }], pagination_depth: 1 } },
        search_pipeline: ranked(60),
      },
    ])
    server.asked.length = 0
    const [{ rows, scores }] = await evaluate(store, fused, [{ id: 'q', text: FEW[4].text, metadata: {} }])
    expect([[...rows], [...scores]]).toEqual([
      [4, 1],
      [0.75, 0.5],
    ])
    const { query, docvalue_fields, sort, search_pipeline, size } = bodies()[0]
    const [byWords, byVector] = query.hybrid.queries
    expect([docvalue_fields, sort, size, query.hybrid.pagination_depth]).toEqual([['row'], undefined, 3, 3])
    expect(byWords).toEqual({ bool: { must: [{ match: { text: { query: FEW[4].text } } }], filter: [] } })
    expect(byVector.knn.vector).toEqual({
      vector: expect.any(Array),
      k: 3,
      method_parameters: { ef_search: 40 },
    })
    expect(search_pipeline).toEqual(
      pipeline({
        'normalization-processor': {
          normalization: { technique: 'min_max' },
          combination: { technique: 'arithmetic_mean', parameters: { weights: [0.25, 0.75] } },
        },
      }),
    )
    server.asked.length = 0
    // A query without a known word has no vector, and words alone are asked for.
    await evaluate(store, fused, [{ id: 'q', text: 'zzzz', metadata: {} }])
    await evaluate(store, rrf, [{ id: 'q', text: FEW[4].text, metadata: {} }])
    const [alone, second] = bodies()
    expect(alone.query.hybrid.queries).toHaveLength(1)
    const [{ 'normalization-processor': normalized }] = alone.search_pipeline.phase_results_processors
    expect(normalized.combination.parameters.weights).toEqual([1])
    expect(second.search_pipeline).toEqual(ranked(7))
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
    retrieve(name, { ...params, engine: 'flat' }, all),
  ])
  const lexical = retrieve('title-ppr', { prior: 'bm25', engine: 'words' }, all)
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
  expect(() => retrieve('title-ppr', { engine: 'flat' }, all)).toThrow('gives no scores of all chunks')
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

  it.each([
    ['another server 9.0.0', { number: '9.0.0' }],
    ['opensearch 1.3.9', { distribution: 'opensearch', number: '1.3.9' }],
    ['opensearch 2.15.0', { distribution: 'opensearch', number: '2.15.0' }],
    ['other 9.0.0', { distribution: 'other', number: '9.0.0' }],
  ])('of another version is named: %s', async (said, version) => {
    server.state.plan = ({ path }) => (path === '/' ? { status: 200, body: { version } } : undefined)
    await expect(prepare(temporaryFolder(), [words()])).rejects.toThrow(
      `is ${said}; this needs OpenSearch 2.16 or newer`,
    )
  })

  it.each([
    { distribution: 'opensearch', number: '2.16.0' },
    { distribution: 'opensearch', number: '3.0.0' },
  ])('of the version %j is old enough', async (version) => {
    server.state.plan = ({ path }) =>
      path === '/'
        ? { status: 200, body: { version } }
        : path === '/_count'
          ? undefined
          : refusal(403, 'no', 'rights')
    await expect(prepare(temporaryFolder(), [words()])).rejects.toThrow('refuses (403): no: rights')
  })

  it.each([
    [{ error: 'a text' }, 'a text'],
    [{ error: 'q'.repeat(301) }, 'q'.repeat(300)],
    [{ error: { type: 't', reason: 'q'.repeat(400) } }, `t: ${'q'.repeat(297)}`],
    [{ error: { type: 'no_reason' } }, 'no_reason'],
  ])('is quoted: %j', async (body, said) => {
    server.state.plan = ({ path }) => (path === '/' ? undefined : { status: 403, body })
    const failure = await prepare(temporaryFolder(), [words()]).catch((problem: Error) => problem.message)
    expect(failure).toBe(`the server in TOUCHSTONE_OPENSEARCH refuses (403): ${said}`)
  })

  it('reports how long its searches take, apart from the client', async () => {
    const store = await prepare(temporaryFolder(), [flat()])
    const memo = createMemo(store, questions.slice(0, 3), () => 0)
    await memo.cells(flat())
    expect(memo.tookInEngines()).toBe(3)
    await store.close()
  })
})
