import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { engineKinds } from '../../src/retrieve/steps/engine.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { describeEngine } from '../engines/engine-contract.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { describeShared, shared } from '../shared.ts'

/** Real servers from package registries: OpenSearch 2.19.1 with three nodes, PostgreSQL 16.2 with pgvector 0.6.2. */

const BIN = resolve(fileURLToPath(new URL('../..', import.meta.url)), 'bin', 'touchstone.js')

await Promise.all([strategies.load(['naive', 'bm25', 'hybrid']), engineKinds.load()])

/** Starts a server; resolves with the first group of `ready` in its output. */
async function start(ready: RegExp, script: string, ...args: string[]) {
  const child = spawn('bash', [shared('engines', script), ...args], { detached: true })
  let output = ''
  const found = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      output += text
      const [, group] = ready.exec(output) ?? []
      if (group !== undefined) resolve(group)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', () => reject(new Error(`${script} ended: ${output}`)))
  })
  return { child, address: found }
}

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid) process.kill(-pid, signal)
}

const root = mkdtempSync(join(tmpdir(), 'touchstone-engines-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describeShared('PostgreSQL 16 with pgvector', () => {
  let server: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    server = await start(/listening (\S+)/, 'postgres.sh', join(root, 'postgres'))
    vi.stubEnv('TOUCHSTONE_POSTGRES', server.address)
  }, 300_000)
  afterAll(() => kill(server.child, 'SIGTERM'))

  describeEngine(() => ({
    exact: { name: 'pgvector', params: { index: 'exact' } },
    index: { name: 'pgvector', params: {} },
  }))
})

interface Stats {
  readonly _all: { readonly total: object | number }
}

describeShared('OpenSearch 2.19', () => {
  let server: Awaited<ReturnType<typeof start>>
  const startNodes = () => start(/READY (\S+)/, 'opensearch/start.sh', join(root, 'opensearch'), '9370', '3')
  beforeAll(async () => {
    server = await startNodes()
    vi.stubEnv('TOUCHSTONE_OPENSEARCH', server.address)
  }, 600_000)
  afterAll(() => kill(server.child, 'SIGKILL'))

  describeEngine(() => ({
    exact: { name: 'opensearch', params: { index: 'exact' } },
    index: { name: 'opensearch', params: { shards: 3 } },
    words: { name: 'opensearch', params: { analyzer: 'english', shards: 2, replicas: 1 } },
  }))

  const config = join(root, 'a.yaml')
  const call = (out: string, store: string) => [
    ...['run', config, '--workers', '1', '--out', join(root, out), '--store', join(root, store)],
    ...['--report', join(root, `${out}.html`)],
  ]
  const run = (out: string, store: string) =>
    spawnSync(process.execPath, [BIN, ...call(out, store)], { cwd: root, encoding: 'utf8' })
  const begin = (out: string, store: string) => {
    const child = spawn(process.execPath, [BIN, ...call(out, store)], { cwd: root, stdio: 'ignore' })
    return { child, ended: new Promise<number | null>((resolve) => child.on('exit', resolve)) }
  }
  const measuresOf = (out: string) => JSON.parse(readFileSync(join(root, out, 'summary.json'), 'utf8')).trials
  /** A number of all indexes together, as the server counts it. */
  async function total(path: string): Promise<number> {
    const { _all } = await fetch(`${server.address}/_stats`).then(
      (response) => response.json() as Promise<Stats>,
    )
    return path.split('.').reduce((at, key) => (at as Record<string, object>)[key], _all.total) as number
  }

  it('finishes a load after a kill -9 in the middle of it', async () => {
    writeFileSync(
      config,
      `dataset: towns
engines:
  flat: {opensearch: {index: exact, shards: 3, replicas: 1, checkRecall: false}}
trials:
  - {name: words, bm25: {engine: flat}}
  - {name: dense, naive: {engine: flat}}
measures: [recall@5]
compare: {draws: 200, baseline: words}
`,
    )
    writeTowns(join(root, 'towns'), { towns: 1200 })
    const before = await total('indexing.index_total')
    const { child, ended } = begin('killed', 'a')
    while ((await total('indexing.index_total')) === before) await sleep(20)
    child.kill('SIGKILL')
    await ended
    const again = run('killed', 'a')
    expect(again.stderr + again.stdout).toContain('report:')
    expect(run('whole', 'b').status).toBe(0)
    expect(measuresOf('killed')).toEqual(measuresOf('whole'))
  })

  it('goes on where all nodes are killed and started again in the middle of a run', async () => {
    const before = await total('search.query_total')
    const { ended } = begin('restarted', 'b')
    while ((await total('search.query_total')) < before + 200) await sleep(20)
    kill(server.child, 'SIGKILL')
    server = await startNodes()
    expect(await ended).toBe(0)
    expect(measuresOf('restarted')).toEqual(measuresOf('whole'))
  })
})
