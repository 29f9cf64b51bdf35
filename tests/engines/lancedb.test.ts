import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Embeddings } from '../../src/corpus/dense/embeddings.ts'
import { lancedb as kind } from '../../src/engines/lancedb/kind.ts'
import { lanceTexts, lanceVectors } from '../../src/engines/lancedb/table.ts'
import { UserError } from '../../src/errors.ts'
import { engineKinds } from '../../src/retrieve/steps/engine.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { derived } from '../../src/store/artifact.ts'
import { openStore } from '../../src/store/store.ts'
import { documents } from '../fixtures/passages.ts'
import { evaluate, prepare } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'
import { describeEngine, describeExisting, over, removeAll, retrieve } from './engine-contract.ts'
import { FakeTable, lancePackage } from './lancedb-package.ts'
import { installPackage } from './optional-package.ts'

await Promise.all([strategies.load(['naive', 'bm25']), engineKinds.load(['lancedb'])])

const fake = lancePackage()
let remove: () => void
beforeAll(() => {
  remove = installPackage('@lancedb/lancedb', fake.exported)
})
beforeEach(() => {
  fake.databases.clear()
  fake.searches.length = 0
  fake.state.fail = undefined
  fake.state.hits = undefined
})
afterAll(() => remove())

const lance = (params: Record<string, string | number | boolean> = {}) => ({
  ...{ name: 'lancedb', params: { path: '/lance', ...params } },
})
/** A corpus that is quickly embedded, and a query that finds some of it. */
const FEW = documents.slice(0, 6)
const ASKED = FEW.slice(0, 1).map(({ text }) => ({ id: 'q', text, metadata: {} }))
const EXACT = { index: 'exact', checkRecall: false }
const dense = (params = {}) =>
  retrieve('naive', { engine: 'own' }, over({ own: lance({ checkRecall: false, ...params }) }, FEW))
const lexical = (params = {}) => retrieve('bm25', { engine: 'own' }, over({ own: lance(params) }, FEW))
const tables = () => fake.databases.get('/lance') ?? new Map<string, FakeTable>()
const failureOf = (prepared: Promise<unknown>) =>
  prepared.then(
    () => undefined,
    (failed: unknown) => failed as UserError,
  )
const messagesOf = async (prepared: Promise<unknown>) =>
  (await failureOf(prepared))?.diagnostics.map(({ message }) => message)
/** Writes a table of another program. */
function writeTable(name: string, rows: readonly Record<string, unknown>[]): FakeTable {
  const table = new FakeTable(rows)
  fake.databases.set('/lance', new Map([...tables(), [name, table]]))
  return table
}

describe('lancedb', () => {
  describeEngine(() => ({ exact: lance({ index: 'exact' }), index: lance(), words: lance() }))

  describeExisting(() => ({
    engine: lance({ ...EXACT, existing: 'notes', idField: 'note' }),
    async write(points) {
      const rows = points.map(({ id, vector }) => ({ note: id, vector: new Float32Array(vector) }))
      writeTable('notes', rows).changes = rows.length
    },
  }))

  it.each([
    ['exact', [], { bypassVectorIndex: [] }],
    ['ivf_rq', ['IvfRq'], { nprobes: [5], refineFactor: [3] }],
    ['ivf_pq', ['IvfPq'], { nprobes: [5], refineFactor: [3] }],
  ])('index: %s', async (index, types, how) => {
    const root = dense({ index, probes: 5, refine: 3 })
    const store = await prepare(temporaryFolder(), [root])
    const [table] = tables().values()
    expect(table.indexes.map(({ indexType }) => indexType)).toEqual(types)
    for (const { column, distanceType } of table.indexes)
      expect([column, distanceType]).toEqual(['vector', 'cosine'])
    // An index cuts vectors into pieces of 16.
    for (const { vector } of table.rows) expect((vector as Float32Array).length % 16).toBe(0)
    await evaluate(store, root, ASKED)
    expect(fake.searches[0]).toMatchObject({ distanceType: ['cosine'], ...how })
    for (const other of ['bypassVectorIndex', 'nprobes', 'refineFactor'])
      expect(other in fake.searches[0]).toBe(other in how)
    await store.close()
    expect(table.closed).toBe(1)
  })

  it('finds nothing for a query without words, and does not ask the table', async () => {
    const root = lexical()
    const store = await prepare(temporaryFolder(), [root])
    const [{ rows }] = await evaluate(store, root, [{ id: 'q', text: '?! \u2026', metadata: {} }])
    expect([...rows]).toEqual([])
    expect(fake.searches).toEqual([])
    await store.close()
  })

  it('gives each index a table of its own', async () => {
    const roots = [
      ...[dense({ index: 'exact' }), dense(), dense({ partitions: 2 }), dense({ partitions: 3 })],
      // Neither is part of a table.
      ...[dense({ probes: 7, refine: 9 }), dense({ checkRecall: true })],
    ]
    await (await prepare(temporaryFolder(), roots)).close()
    expect(tables().size).toBe(4)
  })

  it('refuses a table that was changed after it was prepared, and one that is gone', async () => {
    const folder = temporaryFolder()
    await (await prepare(folder, [dense(), lexical()])).close()
    const changed = /the table touchstone_\w+ was changed after it was prepared: /
    const search = async (root: typeof lexical extends () => infer R ? R : never) => {
      const store = await prepare(folder, [root])
      return evaluate(store, root, ASKED).finally(() => store.close())
    }
    for (const [name, table] of [...tables()]) {
      const root = table.indexes[0].column === 'vector' ? dense() : lexical()
      const count = table.rows.length
      table.rows.push(table.rows[0])
      await expect(search(root)).rejects.toThrow(
        new RegExp(`${changed.source}${count + 1} rows instead of ${count}, 1 of them not in its index`),
      )
      table.rows.pop()
      const indexes = table.indexes.splice(0)
      await expect(search(root)).rejects.toThrow(
        new RegExp(`${changed.source}${count} rows instead of ${count}, ${count} of them not in its index`),
      )
      table.indexes.push(...indexes)
      const rows = table.rows.splice(0)
      await expect(search(root)).rejects.toThrow(`0 rows instead of ${count}, 0 of them not in its index`)
      table.rows.push(...rows)
      await search(root)
      const store = await prepare(folder, [root])
      tables().delete(name)
      await expect(evaluate(store, root, ASKED)).rejects.toThrow(
        `no longer holds the table ${name}; delete the table, and prepare again`,
      )
      await store.close()
      // Preparing loads it again.
      await search(root)
      expect([...tables().keys()]).toContain(name)
    }
  })

  it('writes vectors and texts in parts, and tells its progress', async () => {
    const rows = 20_001
    const embeddings = derived('vectors', {}, (): Embeddings => {
      const one = new Uint8Array(new Float32Array([0.6, 0.8]).buffer)
      return { vectors: new Array(rows).fill(one), dims: 2, model: 'fixed' }
    })
    const texts = derived('texts', {}, () => Array.from({ length: rows }, (_, row) => `town ${row}`))
    const told: unknown[] = []
    const tell = (...report: [string, number, number]) => void told.push(report)
    const store = openStore(temporaryFolder())
    await store.prepare(lanceVectors(embeddings, { uri: '/lance' }, { index: 'ivf_rq' }), tell)
    await store.prepare(lanceTexts(texts, { uri: '/lance' }), tell)
    await store.close()
    for (const table of tables().values()) {
      expect(table.rows.map(({ row }) => row)).toEqual(Array.from({ length: rows }, (_, row) => row))
      // Writes, and the index: 20 000 vectors at a time, or 10 000 texts.
      expect(table.changes).toBe(table.indexes[0].column === 'vector' ? 3 : 4)
    }
    expect(told).toContainEqual(['lancedb', 1000, rows])
    expect(told).toContainEqual(['lancedb', 20_000, rows])
    expect(told).toContainEqual(['lancedb_text', 10_000, rows])
  })

  it('finds its table among more than the ten that are listed at once', async () => {
    const folder = temporaryFolder()
    await (await prepare(folder, [dense()])).close()
    const [[name, table]] = tables()
    for (let at = 0; at < 12; at++) writeTable(`a${at}`, [])
    await (await prepare(folder, [dense()])).close()
    expect(tables().get(name)).toBe(table)
    await removeAll(folder)
    expect(tables().size).toBe(12)
  })

  it.each([
    ['Access Denied: no rights\nand more', 'LanceDB may not read or write here: Access Denied: no rights'],
    ['status 403', 'LanceDB may not read or write here: status 403'],
    [
      'Permission denied (os error 13)',
      'LanceDB may not read or write here: Permission denied (os error 13)',
    ],
    ['Forbidden', 'LanceDB may not read or write here: Forbidden'],
    ['x'.repeat(301), `LanceDB failed: ${'x'.repeat(300)}`],
  ])('an error of the package: %s', async (said, message) => {
    fake.state.fail = new Error(said)
    const failure = await failureOf(prepare(temporaryFolder(), [dense()]))
    expect(failure).toEqual(new UserError({ file: '/lance', message }))
  })

  it('shows an error of opening that is not of a missing table', async () => {
    const store = await prepare(temporaryFolder(), [dense()])
    fake.state.fail = new Error('the disk is broken')
    await expect(evaluate(store, dense(), ASKED)).rejects.toThrow('LanceDB failed: the disk is broken')
    await store.close()
  })

  it.each([
    ['no distance', dense, [{ row: 1, _distance: null }], /the score NaN for the chunk of row 1/],
    [
      'a row twice',
      lexical,
      [
        { row: 1, _score: 2 },
        { row: 1, _score: 1 },
      ],
      /LanceDB returned the chunk of row 1 twice/,
    ],
    ['no row', lexical, [{ row: null, _score: 2 }], /null in place of a chunk's row/],
  ])('refuses a ranking that cannot be right: %s', async (_, root, hits, message) => {
    const store = await prepare(temporaryFolder(), [root()])
    fake.state.hits = hits
    await expect(evaluate(store, root(), ASKED)).rejects.toThrow(message)
    await store.close()
  })
})

describe('an existing table of LanceDB', () => {
  const words = { existing: 'notes', textField: 'body' }
  const writeWords = () => {
    const table = writeTable(
      'notes',
      FEW.map(({ id, text }) => ({ id, body: text })),
    )
    table.indexes.push({ column: 'body', indexType: 'FTS', rows: table.rows.length })
    return table
  }

  it('is searched by its words', async () => {
    const table = writeWords()
    const store = await prepare(temporaryFolder(), [lexical(words)])
    const asked = [
      { id: 'a', text: FEW[2].text, metadata: {} },
      { id: 'b', text: '???', metadata: {} },
    ]
    const [first, second] = await evaluate(store, lexical(words), asked)
    expect(first.rows[0]).toBe(2)
    expect(first.scores[0]).toBeGreaterThan(first.scores[1])
    expect(second.rows).toHaveLength(0)
    const { fullTextSearch, limit, select } = fake.searches.at(-1) ?? {}
    expect([fullTextSearch?.[1], select]).toEqual(['body', [['id', '_score']]])
    expect(limit?.[0]).toBeGreaterThan(10)
    await store.close()
    expect(table.closed).toBeGreaterThan(1)
  })

  it('needs an index of its words, and the same texts', async () => {
    const table = writeWords()
    const [index] = table.indexes.splice(0)
    const missing = ['/lance: the table notes has no index of the kind FTS on body']
    expect(await messagesOf(prepare(temporaryFolder(), [lexical(words)]))).toEqual(missing)
    for (const other of [{ column: 'id' }, { indexType: 'BTree' }]) {
      table.indexes = [{ ...index, ...other }]
      expect(await messagesOf(prepare(temporaryFolder(), [lexical(words)]))).toEqual(missing)
    }
    table.indexes = [index]
    table.rows = table.rows.map((row, at) => (at === 1 ? { ...row, body: 'Another text.' } : row))
    expect(await messagesOf(prepare(temporaryFolder(), [lexical(words)]))).toEqual([
      expect.stringContaining('the table notes holds other texts for 1 of'),
    ])
    expect(await messagesOf(prepare(temporaryFolder(), [lexical({ ...words, existing: 'none' })]))).toEqual([
      "LanceDB failed: Table 'none' was not found",
    ])
  })

  it('needs an index by cosine, unless every row is compared', async () => {
    const folder = temporaryFolder()
    await (await prepare(folder, [dense({ index: 'exact' })])).close()
    const [{ rows }] = tables().values()
    const table = writeTable(
      'notes',
      rows.map(({ vector }, at) => ({ id: FEW[at].id, at: vector })),
    )
    const existing = { existing: 'notes', vectorField: 'at', probes: 4, refine: 2 }
    const dims = expect.stringMatching(/holds vectors of dimension \d+, and lsa \(\d+ dims\) has \d+$/)
    const needs = '/lance: the table notes has no index of the kind IVF on at'
    expect(await messagesOf(prepare(temporaryFolder(), [dense(existing)]))).toEqual([dims, needs])
    // The vectors as the embedder made them, without the zeros that fill a piece.
    const said = String(await messagesOf(prepare(temporaryFolder(), [dense(existing)])))
    const own = Number(/dims\) has (\d+)/.exec(said)?.[1])
    table.rows = table.rows.map((row) => ({ ...row, at: (row.at as Float32Array).slice(0, own) }))
    expect(await messagesOf(prepare(temporaryFolder(), [dense(existing)]))).toEqual([needs])
    const index = { column: 'at', indexType: 'IVF_PQ', rows: table.rows.length }
    table.indexes = [{ ...index, distanceType: 'l2' }]
    expect(await messagesOf(prepare(temporaryFolder(), [dense(existing)]))).toEqual([
      '/lance: the table notes compares at by l2, not by cosine; `index: exact` needs no index',
    ])
    for (const distanceType of ['cosine', undefined]) {
      table.indexes = [{ ...index, distanceType }]
      const store = await prepare(temporaryFolder(), [dense(existing)])
      const [{ scores }] = await evaluate(store, dense(existing), ASKED)
      expect(scores[0]).toBeLessThanOrEqual(1)
      expect(scores[0]).toBeGreaterThan(scores[1])
      const search = { column: ['at'], distanceType: ['cosine'], nprobes: [4], refineFactor: [2] }
      expect(fake.searches.at(-1)).toMatchObject({ ...search, select: [['id', '_distance']] })
      await store.close()
    }
  })

  it('may hold ids with quotes', async () => {
    const quoted = FEW.map((document) => ({ ...document, id: `${document.id}'s "note"` }))
    const engine = { own: lance(words) }
    const root = retrieve('bm25', { engine: 'own' }, over(engine, quoted))
    const table = writeTable(
      'notes',
      quoted.map(({ id, text }) => ({ id, body: text })),
    )
    table.indexes.push({ column: 'body', indexType: 'FTS', rows: table.rows.length })
    await (await prepare(temporaryFolder(), [root])).close()
  })
})

describe('params of lancedb', () => {
  const issuesOf = (params: object) =>
    kind.params.safeParse(params).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

  it.each([
    [{}, ': needs `path` or `s3`, and not both'],
    [{ path: 'a', s3: 's3://a' }, ': needs `path` or `s3`, and not both'],
    [{ s3: 'https://a' }, 's3: must be s3://BUCKET or s3://BUCKET/PREFIX'],
    [{ s3: 's3://a b' }, 's3: must be s3://BUCKET or s3://BUCKET/PREFIX'],
    [
      { path: 'a', existing: 'b', partitions: 2 },
      'partitions: was chosen when the existing index was made; leave it out',
    ],
    [{ path: 'a', idField: 'b' }, 'idField: belongs to `existing`; leave it out'],
  ])('refuses %o', (params, issue) => {
    expect(issuesOf(params)).toEqual([issue])
  })

  it('takes the largest and the smallest numbers, and no others', () => {
    const largest = { partitions: 65_536, probes: 65_536, refine: 1000 }
    expect(issuesOf({ path: 'a', ...largest })).toBeUndefined()
    expect(issuesOf({ s3: 's3://a/b/c', partitions: 1, probes: 1, refine: 1 })).toBeUndefined()
    for (const [param, value] of Object.entries(largest))
      for (const wrong of [0, value + 1, 1.5])
        expect(issuesOf({ path: 'a', [param]: wrong }), param).toHaveLength(1)
    expect(kind.params.parse({ path: 'a' })).toMatchObject({ index: 'ivf_rq', probes: 20, refine: 10 })
  })

  it('refuses params of BM25, which LanceDB has of its own', async () => {
    const root = () => retrieve('bm25', { engine: 'own', k1: 1.2 }, over({ own: lance() }))
    expect(() => prepare('', [root()])).toThrow("LanceDB's BM25 has a `k1` and a `b` of its own")
  })
})
