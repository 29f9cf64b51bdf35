import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { completion, modelAt } from '../cli/fake-model.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'

const COMMAND = fileURLToPath(new URL('../../bin/touchstone.js', import.meta.url))
/** Requests that the model answers at once. */
const CONCURRENCY = 2

test('killed while it answers and judges, a run ends as an undisturbed one and pays only for requests under way again', async () => {
  const server = await fakeServer((_, { body }) => (response) => {
    const prompt = body.messages[0].content
    const said = body.response_format
      ? '{"reasoning": "", "correct": true}'
      : `So be it: ${prompt.slice(0, 40)}`
    const { json } = completion(said) as { readonly json: object }
    setTimeout(() => response.setHeader('content-type', 'application/json').end(JSON.stringify(json)), 100)
  })
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
models:
  tiny: ${modelAt(server.baseUrl, `model: tiny, concurrency: ${CONCURRENCY}`)}
trials: [bm25, naive]
answer: [extractive, {llm: {model: tiny}}]
judge: {correctness: {model: tiny}}
prepare: {embedder: {lsa: {dims: 4}}}
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const start = (out: string, store: string) =>
    spawn(process.execPath, [COMMAND, 'run', 'a.yaml', '--workers', '1', '--out', out, '--store', store], {
      cwd: folder,
      stdio: 'ignore',
    })
  const kills = 3
  for (let kill = 1; kill <= kills; kill++) {
    const child = start('killed', 'store')
    while (server.asked.length < kill * 12) await new Promise((next) => setTimeout(next, 10))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  expect(await once(start('killed', 'store'), 'exit')).toEqual([0, null])
  const distinct = new Set(server.asked.map(({ body }) => JSON.stringify(body.messages))).size
  expect(distinct).toBeGreaterThan(kills * 12)
  expect(server.asked.length).toBeLessThanOrEqual(distinct + kills * CONCURRENCY)
  expect(await once(start('whole', 'other'), 'exit')).toEqual([0, null])
  for (const file of ['summary.json', 'answers.parquet', 'reasons.parquet', 'answers.jsonl'])
    expect(
      readFileSync(join(folder, 'killed', file)).equals(readFileSync(join(folder, 'whole', file))),
      file,
    ).toBe(true)
})
