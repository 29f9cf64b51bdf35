import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { describeShared, shared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

const root = resolve(import.meta.dirname, '..', '..')
const ROWS = 'naive,bm25,hybrid,title-ppr'

describeShared('rows of docs/evidence/results.md, as the page says to make them', () => {
  test('have the expected scores on this processor', () => {
    const folder = temporaryFolder()
    const call = (...argv: string[]) =>
      spawnSync(process.execPath, [join(root, 'bin', 'touchstone.js'), ...argv], {
        cwd: folder,
        encoding: 'utf8',
      })
    const run = call(
      'run',
      join(root, 'configs', 'variants.yaml'),
      '--only',
      ROWS,
      '--store',
      'store',
      '--set',
      `dataset=${shared('data', 'claude-docs-100')}`,
      '--set',
      'prepare.graphEmbedder=lsa',
      '--set',
      `prepare.embedder={transformers: {model: ${shared('models', 'all-MiniLM-L6-v2')}}}`,
    )
    expect(run.status, run.stderr).toBe(0)
    const expected = join(root, 'configs', 'expected', 'variants-claude-docs-100.json')
    const { status, stdout } = call(
      'gate',
      'experiments/variants',
      '--expected',
      expected,
      ...ROWS.split(',').flatMap((row) => ['--trial', row]),
    )
    expect(status, stdout).toBe(0)
    expect(stdout).toBe('0 of 16 scores differ by more than 0.03\n')
  })
})
