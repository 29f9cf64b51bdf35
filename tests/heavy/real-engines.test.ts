import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { engineKinds } from '../../src/engines/index.ts'
import { PAUSES } from '../../src/engines/server.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { openStore } from '../../src/store/store.ts'
import { describeEngine, naiveIn, over, rounded } from '../engines/engine-contract.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { questions } from '../fixtures/passages.ts'
import { evaluate, prepare } from '../retrieve/strategies/prepared.ts'
import { describeShared, shared } from '../shared.ts'
import { sharedFolder } from '../temporary.ts'

/** Real servers from package registries: OpenSearch 2.19.1 with three nodes, PostgreSQL 16.2 with pgvector 0.6.2, Chroma 1.5.9. */

const PROJECT = resolve(fileURLToPath(new URL('../..', import.meta.url)))
const BIN = join(PROJECT, 'bin', 'touchstone.js')

await Promise.all([strategies.load(['naive', 'bm25', 'hybrid']), engineKinds.load()])

/** Starts a server; resolves with the first group of `ready` in its output. */
async function start(ready: RegExp, script: string, ...args: string[]) {
  const child = spawn('bash', [shared('engines', script), ...args], { detached: true })
  let output = ''
  const address = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer) => {
      output += text
      const [, group] = ready.exec(output) ?? []
      if (group !== undefined) resolve(group)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', () => reject(new Error(`${script} ended: ${output}`)))
  })
  return { child, address: address }
}

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid) process.kill(-pid, signal)
}

const root = sharedFolder()

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

const ENGINES = fileURLToPath(new URL('../../.ci/engines', import.meta.url))
const python = spawnSync('python3', ['-c', 'import chromadb'], { encoding: 'utf8' })
const hasChroma = python.status === 0 && existsSync(join(ENGINES, 'node_modules', 'chromadb'))
const missing =
  'Chroma is not installed (pip install chromadb==1.5.9; npm install --omit=optional in .ci/engines)'
if (!hasChroma && process.env.CI) throw new Error(missing)
if (!hasChroma) process.stderr.write(`left out: ${missing}\n`)

describe.runIf(hasChroma)('Chroma 1.5', () => {
  const folder = process.cwd()
  let server: ChildProcess
  beforeAll(async () => {
    // The client is found in the working folder.
    process.chdir(ENGINES)
    const script = 'from chromadb.cli.cli import app; app()'
    const args = ['run', '--path', join(root, 'chroma'), '--host', '127.0.0.1', '--port', '9380']
    server = spawn('python3', ['-c', script, ...args], { detached: true, stdio: 'ignore' })
    vi.stubEnv('TOUCHSTONE_CHROMA', 'http://127.0.0.1:9380')
    const answers = () =>
      fetch('http://127.0.0.1:9380/api/v2/heartbeat').then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await answers())) await sleep(200)
  }, 120_000)
  afterAll(() => {
    process.chdir(folder)
    kill(server, 'SIGTERM')
  })

  // Chroma compares every vector of a collection that is small.
  describeEngine(() => ({ exact: { name: 'chroma', params: {} }, index: { name: 'chroma', params: {} } }))
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
    'run',
    config,
    '--workers',
    '1',
    '--out',
    // Rows of an experiment next to it are taken over.
    join(root, out, 'run'),
    '--store',
    join(root, store),
    '--report',
    join(root, `${out}.html`),
  ]
  const run = (out: string, store: string) =>
    spawnSync(process.execPath, [BIN, ...call(out, store)], { cwd: root, encoding: 'utf8' })
  const begin = (out: string, store: string) => {
    const child = spawn(process.execPath, [BIN, ...call(out, store)], { cwd: root, stdio: 'ignore' })
    return { child, ended: new Promise<number | null>((resolve) => child.on('exit', resolve)) }
  }
  const measuresOf = (out: string) =>
    JSON.parse(readFileSync(join(root, out, 'run', 'summary.json'), 'utf8')).trials
  /** A number of all indexes together, as the server counts it. */
  async function total(path: string): Promise<number> {
    const { _all } = await fetch(`${server.address}/_stats`).then(
      (response) => response.json() as Promise<Stats>,
    )
    return path
      .split('.')
      .reduce((at, key) => (at as Record<string, object> | undefined)?.[key] ?? 0, _all.total) as number
  }

  it('finishes a load after a kill -9 in the middle of it', async () => {
    writeFileSync(
      config,
      `dataset: towns
engines:
  flat: {opensearch: {index: exact, shards: 3, replicas: 1}}
trials:
  - {name: words, bm25: {}, engine: {lexical: flat}}
  - {name: dense, naive: {}, engine: {dense: flat}}
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

  const ask = (method: string, path: string, body: string) =>
    fetch(`${server.address}${path}`, { method, body, headers: { 'content-type': 'application/json' } })

  it('names a cluster that takes no writes in its own words, and clean removes what is its own', async () => {
    const block = (on: boolean | null) =>
      ask('PUT', '/_cluster/settings', JSON.stringify({ persistent: { 'cluster.blocks.read_only': on } }))
    await block(true)
    const blocked = spawnSync(
      process.execPath,
      [
        BIN,
        'prepare',
        join(root, 'a.yaml'),
        '--store',
        join(root, 'e'),
        '--set',
        'engines.flat.opensearch.shards=2',
      ],
      { cwd: root, encoding: 'utf8' },
    )
    await block(null)
    expect(blocked.status).toBe(2)
    expect(blocked.stderr).toMatch(/refuses \(403\): cluster_block_exception: .*read-only/)
    const names = async () =>
      (
        (await (await fetch(`${server.address}/_cat/indices?format=json&h=index`)).json()) as {
          index: string
        }[]
      )
        .map(({ index }) => index)
        .sort()
    await ask('PUT', '/towns', '{}')
    const mine = ['prepare', join(root, 'a.yaml'), '--store', join(root, 'c')]
    const shape = ['--set', 'engines.flat.opensearch.shards=2']
    expect(spawnSync(process.execPath, [BIN, ...mine, ...shape], { cwd: root }).status).toBe(0)
    const before = await names()
    const clean = spawnSync(process.execPath, [BIN, 'clean', join(root, 'c'), '--all', '--yes'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(clean.status).toBe(0)
    const after = await names()
    expect(after).toContain('towns')
    expect(after.length).toBe(before.length - 2)
  })

  it('is deployed as it was measured: the exported code ranks as the experiment did', () => {
    const packages = join(root, 'node_modules')
    mkdirSync(packages)
    symlinkSync(PROJECT, join(packages, 'touchstone'))
    for (const trial of ['words', 'dense']) {
      const out = join(root, `made-${trial}`)
      const words = ['export', join(root, 'whole', 'run'), '--trial', trial, '--to', 'code', '-o', out]
      expect(spawnSync(process.execPath, [BIN, ...words], { encoding: 'utf8' }).stderr).toBe('')
      const tsx = join(PROJECT, 'node_modules', 'tsx', 'dist', 'loader.mjs')
      const test = join(out, 'retriever.test.mts')
      const { stdout } = spawnSync(process.execPath, ['--import', tsx, '--test', test], {
        cwd: root,
        encoding: 'utf8',
      })
      expect(stdout, trial).toMatch(/# pass 3\n# fail 0/)
    }
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

describeShared('OpenSearch 2.19, a process for each node', () => {
  const nodes: ChildProcess[] = []
  const begin = (number: number) => {
    const script = fileURLToPath(new URL('opensearch/node.sh', import.meta.url))
    const args = [script, join(root, 'nodes'), String(number), '3', '9390', '9395']
    nodes[number] = spawn('bash', args, { detached: true, stdio: 'ignore' })
  }
  const pauses = [...PAUSES]
  const has = async (query: string) =>
    fetch(`http://127.0.0.1:9390/_cluster/health?timeout=90s&${query}`).then(
      async (answer) => !((await answer.json()) as { timed_out: boolean }).timed_out,
      () => false,
    )
  const until = async (query: string) => {
    while (!(await has(query))) await sleep(200)
  }
  beforeAll(async () => {
    for (const number of [0, 1, 2]) begin(number)
    vi.stubEnv('TOUCHSTONE_OPENSEARCH', 'http://127.0.0.1:9390')
    await until('wait_for_nodes=3')
  }, 300_000)
  afterAll(() => {
    PAUSES.splice(0, PAUSES.length, ...pauses)
    for (const node of nodes) if (node.signalCode === null) kill(node, 'SIGKILL')
  })

  it('a node killed in the middle of a run: the same rankings from the copies, a named failure without', async () => {
    const flat = (replicas: number) =>
      naiveIn('flat', over({ flat: { name: 'opensearch', params: { index: 'exact', shards: 3, replicas } } }))
    const [copied, single] = [flat(1), flat(0)]
    const store = await prepare(join(root, 'loss'), [copied, single])
    await until('wait_for_status=green')
    const whole = (await evaluate(store, copied, questions)).map(rounded)
    expect((await evaluate(store, single, questions)).map(rounded)).toEqual(whole)
    const first = questions.slice(0, 2)
    expect((await evaluate(store, copied, first)).map(rounded)).toEqual(whole.slice(0, 2))

    kill(nodes[2], 'SIGKILL')
    expect((await evaluate(store, copied, questions.slice(2))).map(rounded)).toEqual(whole.slice(2))

    // Waiting does not bring the shard back. The status is 500 until the cluster has noticed the loss.
    PAUSES.splice(3)
    await expect(evaluate(store, single, questions)).rejects.toThrow(
      /refuses \(50[03]\): search_phase_execution_exception/,
    )
    const again = openStore(join(root, 'loss'))
    await expect(evaluate(again, single, questions)).rejects.toThrow(
      /refuses \(503\): \d of 3 shards of touchstone_\w+ do not answer/,
    )
    await again.close()
    PAUSES.splice(0, PAUSES.length, ...pauses)

    begin(2)
    await until('wait_for_status=green')
    expect((await evaluate(store, single, questions)).map(rounded)).toEqual(whole)
    await store.close()
  })
})
