import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary.ts'

const SCRIPT = fileURLToPath(new URL('../../scripts/loaded-modules.mjs', import.meta.url))
const QUICKSTART = fileURLToPath(new URL('../../datasets/quickstart', import.meta.url))

test('a run loads the modules of its own strategy, and none of engines and clusters', () => {
  const folder = temporaryFolder({ 'one.yaml': `dataset: ${JSON.stringify(QUICKSTART)}\ntrials: [bm25]\n` })
  const words = ['run', 'one.yaml', '--store', 'store', '-o', 'out', '--report', 'one.html', '--workers', '1']
  const { stdout, stderr, status } = spawnSync(process.execPath, [SCRIPT, ...words], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, LIST: '1' },
  })
  expect(status, stderr).toBe(0)
  const loaded = [...stdout.matchAll(/^(?:runs|loaded) +(\S+\.ts)$/gm)].map(([, path]) => path)
  const definitions = /^retrieve\/(strategies|transforms)\/(?!index|define)|^(engines|clusters)\/(?!index)/
  expect(loaded.filter((path) => definitions.test(path))).toEqual(['retrieve/strategies/bm25.ts'])
  // 716 when every strategy was loaded.
  expect(loaded.length).toBeLessThan(690)
  // Node takes time for every file, so that the build joins modules.
  expect(Number(/^files\t(\d+)$/m.exec(stdout)?.[1])).toBeLessThan(220)
})

test.each([['--help'], ['--version'], ['run', '--help']])('%s %s starts no thread', (...words) => {
  const { stdout, status } = spawnSync(process.execPath, [SCRIPT, ...words], {
    encoding: 'utf8',
    env: { ...process.env, LIST: '1' },
  })
  expect(status).toBe(0)
  expect(stdout).toContain('cli/supervisor.ts')
  expect(stdout).not.toContain('cli/command-thread.ts')
})
