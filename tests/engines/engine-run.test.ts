import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { createRetriever } from '../../src/index.ts'
import { standIn } from '../cli/stand-in.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { sharedFolder } from '../temporary.ts'
import { startOpenSearch } from './opensearch-server.ts'

/** An experiment over an engine from the command line: run, time, deploy, clean. */

let server: Awaited<ReturnType<typeof startOpenSearch>>
const folder = sharedFolder()
const CONFIG = `dataset: towns
engines:
  search: {opensearch: {index: exact}}
trials:
  - {name: words, bm25: {}, engine: {lexical: search}}
  - {name: dense, naive: {}, engine: {dense: search}}
  - {name: memory, naive: {}}
measures: [recall@5]
latency: {queries: 5, repeats: 2}
compare: {draws: 200, baseline: words}
`
const call = async (...argv: string[]) => {
  const terminal = standIn({ folder })
  return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
}

beforeAll(async () => {
  server = await startOpenSearch()
  vi.stubEnv('TOUCHSTONE_OPENSEARCH', server.url)
  writeFileSync(join(folder, 'a.yaml'), CONFIG)
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const { code, err } = await call('run', 'a.yaml', '--workers', '1')
  expect([code, err]).toEqual([0, expect.any(String)])
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.stop()
})

it('`check --engines` asks each engine for its version, and names every one that does not answer', async () => {
  const { code, out } = await call('check', 'a.yaml', '--engines')
  expect(code).toBe(0)
  expect(out).toMatch(/\nsearch: opensearch \d+\.\d+\.\d+ answers, \d+ ms\n$/)
  const { engines } = JSON.parse((await call('check', 'a.yaml', '--engines', '--json')).out)
  expect(engines).toMatchObject([{ name: 'search', kind: 'opensearch', milliseconds: expect.any(Number) }])
  expect((await call('check', 'a.yaml')).out).not.toContain('answers')
  const down = 'engines={one: {opensearch: {}}, two: {chroma: {}}}'
  vi.stubEnv('TOUCHSTONE_OPENSEARCH', 'http://127.0.0.1:1')
  vi.stubEnv('TOUCHSTONE_CHROMA', undefined)
  const failed = await call(
    'check',
    'a.yaml',
    '--engines',
    '--set',
    down,
    '--set',
    'trials=[bm25]',
    '--set',
    'compare.baseline=bm25',
  )
  vi.stubEnv('TOUCHSTONE_OPENSEARCH', server.url)
  expect(failed.code).toBe(2)
  expect(failed.err).toMatch(/the engine `one`: the server in TOUCHSTONE_OPENSEARCH does not answer/)
  expect(failed.err).toMatch(
    /the engine `two`: chroma needs an address in the environment variable TOUCHSTONE_CHROMA/,
  )
  expect(failed.err).not.toContain('127.0.0.1')
  expect((await call('check', 'towns', '--engines')).err).toContain('this is a dataset')
})

it('is deployed as it was measured: createRetriever and exported code search the same index', async () => {
  const { code, err } = await call(
    'export',
    'experiments/a',
    '--trial',
    'dense',
    '--to',
    'code',
    '-o',
    'made',
  )
  expect([code, err]).toEqual([0, ''])
  expect(readdirSync(join(folder, 'made'))).toContain('retriever.mts')
  const config = readFileSync(join(folder, 'made', 'config.yaml'), 'utf8')
  expect(config).toContain('opensearch')
  expect(config).not.toContain(server.url)
  const before = server.asked.length
  const retriever = await createRetriever(join(folder, 'made', 'config.yaml'), {
    store: join(folder, '.touchstone'),
  })
  const chunks = await retriever.retrieve('What does TownA0 live by?', { k: 3 })
  await retriever.close()
  const memory = await createRetriever(join(folder, 'a.yaml'), { trial: 'memory' })
  const here = await memory.retrieve('What does TownA0 live by?', { k: 3 })
  await memory.close()
  expect(chunks.map(({ id }) => id)).toEqual(here.map(({ id }) => id))
  const requests = server.asked.slice(before)
  expect(requests.filter(({ path }) => path.includes('_search')).length).toBe(1)
  expect(requests.filter(({ path }) => path.includes('_bulk'))).toEqual([])
})

it('clean removes its indexes from the engine, and keeps the folders of those that it cannot remove', async () => {
  server.state.plan = ({ method }) =>
    method === 'DELETE'
      ? { status: 403, body: { error: { type: 'security_exception', reason: 'no permissions' } } }
      : undefined
  const refused = await call('clean', '.touchstone', '--all', '--yes')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(
    /is still there, because its index in opensearch was not removed: .*no permissions/,
  )
  expect(server.indexes.size).toBe(2)
  server.state.plan = () => undefined
  server.indexes.set('mine', { mapping: {}, settings: {}, documents: new Map() })
  expect((await call('clean', '.touchstone', '--all', '--yes')).code).toBe(0)
  expect([...server.indexes.keys()]).toEqual(['mine'])
})

it.each([
  ['is down', 'http://127.0.0.1:1', /the server in TOUCHSTONE_OPENSEARCH does not answer \(ECONNREFUSED\)/],
  ['has no address', '', /TOUCHSTONE_OPENSEARCH, which is not set/],
])('ends with exit code 2 if the engine %s', async (_, url, said) => {
  vi.stubEnv('TOUCHSTONE_OPENSEARCH', url)
  const { code, err } = await call('run', 'a.yaml', '--workers', '1', '--out', 'experiments/down')
  vi.stubEnv('TOUCHSTONE_OPENSEARCH', server.url)
  expect(code).toBe(2)
  expect(err).toMatch(said)
})
