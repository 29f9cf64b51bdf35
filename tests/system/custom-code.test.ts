import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeConfig, writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

const bin = fileURLToPath(new URL('../../bin/touchstone.js', import.meta.url))

/** Runs the built command line over a strategy of one's own whose step, or `retrieve`, does this first. */
function run(where: 'step' | 'retrieve', code: string, workers: number) {
  const [step, retrieve] = where === 'step' ? [code, ''] : ['', code]
  const folder = temporaryFolder({
    'mine.mjs': `export default ({ defineStrategy, steps, z }) => defineStrategy({
  name: 'mine', summary: 's', source: 's', params: z.strictObject({}),
  make: () => ({ retrieve(query) {
    ${retrieve}
    const index = { k1: 0.9, b: 0.4, idf: 'lucene' }
    const last = steps.defineStep({ name: 'last', version: 1, run: ([ranking]) => {
      ${step}
      return ranking
    } })
    return { ranking: last([steps.searchBm25([query], { depth: 10, index })], null) }
  } }),
})`,
  })
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, '[bm25, ./mine.mjs]')
  return spawnSync(
    process.execPath,
    [bin, 'run', config, '--workers', String(workers), '--shard-size', '4'],
    { cwd: folder, encoding: 'utf8', timeout: 60_000 },
  )
}

test.each([
  ['step', 'process.exit(0)', 1, /mine\.mjs:7:15: called process\.exit/],
  ['step', 'process.exit(0)', 2, /mine\.mjs: a worker ended with code 0/],
  ['step', 'Promise.reject(new Error("nobody waits"))', 2, /mine\.mjs:7:22: nobody waits/],
  ['step', 'setTimeout(() => { throw new Error("late") })', 1, /mine\.mjs:7:32: late/],
] as const)(
  'a file of one’s own cannot end a run in silence: %s, %s, %i workers',
  (where, code, workers, said) => {
    const { status, stderr } = run(where, code, workers)
    expect(stderr).toMatch(said)
    expect(status).toBe(2)
  },
)

test.each([
  ['chunk', 'make: () => ({ split() { process.exit(0) } })', /mine\.mjs:2:\d+: called process\.exit/],
  [
    'embedder',
    'make: () => ({ embed() { setTimeout(() => { throw new Error("late") }); return new Promise(() => {}) } })',
    /mine\.mjs:2:\d+: late/,
  ],
])('nor while a corpus is prepared: prepare.%s, %s', (key, method, said) => {
  const folder = temporaryFolder({
    'mine.mjs': `export default ({ z }) => ({ name: 'mine', summary: 's', params: z.strictObject({}),
  ${method} })`,
  })
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, '[naive]', `prepare: {${key}: ./mine.mjs}\n`)
  const { status, stderr } = spawnSync(process.execPath, [bin, 'prepare', config], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect(stderr).toMatch(said)
  expect(status).toBe(2)
})
