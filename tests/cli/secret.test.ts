import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

const CANARY = 'sk-canary-4f1d9c'

/** An embeddings server that answers only those who show the key. */
async function serve(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      if (request.headers.authorization !== `Bearer ${CANARY}`) {
        response.writeHead(401).end(`no: ${request.headers.authorization}`)
        return
      }
      const texts: string[] = [JSON.parse(body).input].flat()
      const data = texts.map((text, index) => ({
        index,
        embedding: [...createHash('sha256').update(text).digest().subarray(0, 8)].map((byte) => byte - 128),
      }))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data, model: 'm' }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

test('an API key is in no file that a run writes, and in nothing it says', async () => {
  const baseUrl = await serve()
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {embedder: {openai-compatible: {baseUrl: "${baseUrl}", model: m, apiKeyEnv: CANARY_API_KEY}}}
trials: [naive, {hybrid: {grid: {alpha: [0.3, 0.5]}}}]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  let said = ''
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder, env: { CANARY_API_KEY: CANARY } })
    const code = await main(argv, terminal)
    said += terminal.stdout() + terminal.stderr()
    return { code, err: terminal.stderr() }
  }
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  vi.stubEnv('CANARY_API_KEY', CANARY)
  expect(await call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  await call('ask', 'a.yaml', 'Where is TownA0?', '--json')
  vi.stubEnv('CANARY_API_KEY', `${CANARY}-wrong`)
  const refused = await call('ask', 'a.yaml', 'Something that was never embedded', '--json')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('401')

  const files = filesBelow(folder)
  for (const name of [
    'experiment.yaml',
    'plan.json',
    'manifest.json',
    'summary.json',
    'a.html',
    'artifact.json',
  ])
    expect(files.some((file) => file.endsWith(name))).toBe(true)
  expect(files.filter((file) => readFileSync(file).includes(CANARY))).toEqual([])
  expect(said).not.toContain(CANARY)
})
