import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineKinds } from '../../src/retrieve/steps/engine.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { describeEngine, describeExisting, over, retrieve } from '../engines/engine-contract.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { documents, questions } from '../fixtures/passages.ts'
import { evaluate, prepare } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'

/** LanceDB, which the project itself does not install: `npm install --no-save --omit=optional` in .ci/engines does. */

await Promise.all([strategies.load(['naive', 'bm25']), engineKinds.load(['lancedb'])])

const root = fileURLToPath(new URL('../..', import.meta.url))
const ENGINES = join(root, '.ci', 'engines')
const BIN = join(root, 'bin', 'touchstone.js')
const installed = existsSync(join(ENGINES, 'node_modules', '@lancedb', 'lancedb'))
if (!installed && process.env.CI)
  throw new Error('no LanceDB here: npm install --no-save --omit=optional in .ci/engines')
if (!installed)
  process.stderr.write(
    'left out: LanceDB is not installed (npm install --no-save --omit=optional in .ci/engines)\n',
  )

interface Trial {
  readonly name: string
  readonly measures: Record<string, { mean: number }>
  readonly perQuery: Record<string, number>
}

/** The command line, called where LanceDB is installed, over a config elsewhere. */
function setUp(place: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {embedder: lsa}
engines:
  exact: {lancedb: {${place}, index: exact}}
  rq: {lancedb: {${place}, partitions: 4, probes: 4}}
  pq: {lancedb: {${place}, index: ivf_pq, partitions: 2, probes: 2, refine: 20}}
trials:
  - naive
  - bm25
  - {name: exact, naive: {engine: exact}}
  - {name: rq, naive: {engine: rq}}
  - {name: pq, naive: {engine: pq}}
  - {name: words, bm25: {engine: rq}}
  - {name: fused, hybrid: {denseEngine: rq, lexicalEngine: rq, fusion: rrf}}
  - {name: north, naive: {}, filter: {where: {region: [north]}}}
  - {name: north-rq, naive: {engine: rq}, filter: {where: {region: [north]}}}
measures: [recall@5]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: 600 })
  const corpus = join(folder, 'towns', 'corpus.jsonl')
  const lines = readFileSync(corpus, 'utf8').trimEnd().split('\n')
  const placed = lines.map((line, town) =>
    JSON.stringify({ ...JSON.parse(line), metadata: { region: town % 3 === 0 ? 'north' : 'south' } }),
  )
  writeFileSync(corpus, `${placed.join('\n')}\n`)
  const call = (...words: string[]) =>
    spawnSync(process.execPath, [BIN, ...words], {
      ...{ cwd: ENGINES, encoding: 'utf8' },
      env: { ...process.env, ...env },
    })
  const run = (out: string, ...more: string[]) => {
    const at = join(folder, out)
    const words = ['run', join(folder, 'a.yaml'), '--workers', '1', '--out', at, '--report', `${at}.html`]
    return call(...words, ...more)
  }
  const trialsOf = (out: string): Record<string, Trial> => {
    const { trials } = JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8'))
    return Object.fromEntries(trials.map((trial: Trial) => [trial.name, trial]))
  }
  return { folder, call, run, trialsOf }
}

const SHARE = 'share of the exact first 10'

function expectAlike({ naive, exact, rq, pq, words, fused, north, ...others }: Record<string, Trial>): void {
  expect(exact.measures['recall@5'].mean).toBe(naive.measures['recall@5'].mean)
  expect(exact.perQuery[SHARE]).toBeGreaterThan(0.99)
  expect(rq.perQuery[SHARE]).toBeGreaterThan(0.95)
  expect(pq.perQuery[SHARE]).toBeGreaterThan(0.9)
  expect(words.measures['recall@5'].mean).toBeGreaterThan(0.4)
  expect(fused.measures['recall@5'].mean).toBeGreaterThan(0.4)
  expect(north.measures['recall@5'].mean).toBeLessThan(naive.measures['recall@5'].mean)
  expect(others['north-rq'].measures['recall@5'].mean).toBeCloseTo(north.measures['recall@5'].mean, 1)
}

describe.runIf(installed)('LanceDB', () => {
  test('on a disk: exact is the search here, an index says how much of it it finds', () => {
    const { folder, run, trialsOf } = setUp('path: lance')
    const first = run('a')
    expect(first.stderr + first.stdout).toContain('report:')
    expectAlike(trialsOf('a'))
    // What was changed behind its back is refused.
    const script = `
      const lance = await import('@lancedb/lancedb')
      const db = await lance.connect(${JSON.stringify(join(folder, 'lance'))})
      for (const name of await db.tableNames()) {
        const table = await db.openTable(name)
        const [row] = await table.query().limit(1).toArray()
        if ('vector' in row) await table.add([{ row: 9999, vector: [...row.vector] }])
      }`
    const changed = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: ENGINES,
      encoding: 'utf8',
    })
    expect(changed.stderr).toBe('')
    const stale = run('b', '--only', 'rq', '--set', 'compare.baseline=rq')
    expect(stale.stderr + stale.stdout).toMatch(
      /was changed after it was prepared: 601 rows instead of 600, 1 of them not in its index/,
    )
  })

  test('in a bucket behind the S3 protocol; without rights it says so', async () => {
    const disk = temporaryFolder()
    mkdirSync(join(disk, 'bench'))
    const script = `
      const S3rver = (await import('s3rver')).default
      const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: ${JSON.stringify(disk)} })
      const { port } = await server.run()
      console.log(port)`
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: ENGINES })
    try {
      const port = await new Promise<string>((resolve) =>
        server.stdout.once('data', (text) => resolve(String(text).trim())),
      )
      const env = {
        AWS_ENDPOINT: `http://127.0.0.1:${port}`,
        AWS_ALLOW_HTTP: 'true',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'S3RVER',
        AWS_SECRET_ACCESS_KEY: 'S3RVER',
      }
      const { run, trialsOf } = setUp('s3: s3://bench/touchstone', env)
      const first = run('a')
      expect(first.stderr + first.stdout).toContain('report:')
      expectAlike(trialsOf('a'))

      // Only what fails is asked for.
      const wrong = setUp('s3: s3://bench/other', {
        ...env,
        AWS_ACCESS_KEY_ID: 'NOBODY',
        AWS_SECRET_ACCESS_KEY: 'no-such-key',
      })
      const refused = wrong.run('a', '--only', 'rq', '--set', 'compare.baseline=rq')
      expect(refused.status).toBe(2)
      expect(refused.stderr).toMatch(/s3:\/\/bench\/other: LanceDB may not read or write here/)
      expect(refused.stderr).not.toContain('no-such-key')
    } finally {
      server.kill()
    }
  })
})

interface Tables {
  createTable(name: string, rows: object[], options: { mode: 'overwrite' }): Promise<Written>
}
interface Written {
  createIndex(column: string, options: { config: unknown }): Promise<void>
}

describe.runIf(installed)('LanceDB in this process', () => {
  const before = process.cwd()
  const path = mkdtempSync(join(tmpdir(), 'touchstone-test-'))
  // The client is found in the working folder.
  beforeAll(() => process.chdir(ENGINES))
  afterAll(() => {
    process.chdir(before)
    rmSync(path, { recursive: true, force: true })
  })
  const lance = (params: Record<string, string | number | boolean>) => ({
    name: 'lancedb',
    params: { path, ...params },
  })
  const open = async () => {
    const file = join(ENGINES, 'node_modules', '@lancedb', 'lancedb', 'dist', 'index.js')
    const { default: lancedb } = await import(file)
    return { tables: (await lancedb.connect(path)) as Tables, fts: lancedb.Index.fts() as unknown }
  }

  describeEngine(() => ({ exact: lance({ index: 'exact' }), words: lance({}) }))

  describeExisting(() => ({
    engine: lance({
      index: 'exact',
      checkRecall: false,
      existing: 'notes',
      idField: 'note',
    }),
    async write(rows) {
      const { tables } = await open()
      const own = rows.map(({ id, vector }) => ({ note: id, vector }))
      await tables.createTable('notes', own, { mode: 'overwrite' })
    },
  }))

  test('searches the words of a table that another program made, if it has an index of them', async () => {
    const recipe = over({ own: lance({ existing: 'words', textField: 'body' }) })
    const lexical = retrieve('bm25', { engine: 'own' }, recipe)
    const { tables, fts } = await open()
    const rows = documents.map(({ id, text }) => ({ id, body: text }))
    const table = await tables.createTable('words', rows, { mode: 'overwrite' })
    await expect(prepare(temporaryFolder(), [lexical])).rejects.toThrow(
      'the table words has no index of the kind FTS on body',
    )
    await table.createIndex('body', { config: fts })
    const store = await prepare(temporaryFolder(), [lexical])
    for (const { rows } of await evaluate(store, lexical, questions)) expect(rows.length).toBeGreaterThan(0)
    await store.close()
  })
})
