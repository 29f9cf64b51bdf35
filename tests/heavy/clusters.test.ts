import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { sharedFolder, temporaryFolder } from '../temporary.ts'

/** The array job of docs/examples on a real Slurm of two nodes on this machine. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const BIN = join(root, 'bin', 'touchstone.js')
const examples = join(root, 'docs', 'examples')
const installed = spawnSync('sh', ['-c', 'command -v slurmctld munged']).status === 0
if (!installed && process.env.CI) throw new Error('no Slurm here: apt-get install slurm-wlm munge')
if (!installed) process.stderr.write('left out: Slurm is not installed (apt-get install slurm-wlm munge)\n')
const validator = spawnSync('kubernetes-validate', ['--version']).status === 0

const cluster = sharedFolder()
const env = { ...process.env, SLURM_CONF: join(cluster, 'slurm.conf') }
const program = `${process.execPath} ${BIN}`
const TASKS = 6

beforeAll(() => {
  if (!installed) return
  const started = spawnSync(join(root, 'scripts', 'slurm', 'start.sh'), [cluster], { encoding: 'utf8' })
  if (started.status !== 0) throw new Error(started.stderr)
})
afterAll(() => {
  if (installed) spawnSync(join(root, 'scripts', 'slurm', 'stop.sh'), [cluster])
})

test.runIf(installed)('an array job with killed tasks, collected: the result of this machine', async () => {
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {embedder: lsa}
trials: [bm25, {hybrid: {grid: {alpha: [0.3, 0.7]}}}]
measures: [recall@5]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: 199 })
  const call = (name: string, ...words: string[]) =>
    spawnSync(name, words, { cwd: folder, env, encoding: 'utf8' })
  const run = (out: string, ...more: string[]) =>
    call(process.execPath, BIN, 'run', 'a.yaml', '--shard-size', '2', '--out', out, ...more)
  const resultOf = (out: string) =>
    JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8')).result
  const submit = (array: string, touchstone: string) => {
    const script = join(examples, 'slurm-array.sh')
    const words = ['a.yaml', String(TASKS), '--shard-size', '2', '--out', 'far/run']
    const { stdout, stderr } = call(
      'env',
      `TOUCHSTONE=${touchstone}`,
      'sbatch',
      '--parsable',
      `--array=${array}`,
      '--cpus-per-task=1',
      script,
      ...words,
    )
    expect(stdout, stderr).toMatch(/^\d+/)
    return stdout.trim()
  }

  expect(run('local/run').stdout).toContain('report:')
  // The first and the last task are killed after a second.
  const killed = join(folder, 'killed.sh')
  const seconds = `$([[ $SLURM_ARRAY_TASK_ID =~ ^(1|${TASKS})$ ]] && echo 1 || echo 1000)`
  writeFileSync(killed, `#!/bin/bash\nexec timeout -s KILL ${seconds} ${program} "$@"\n`, { mode: 0o755 })
  submit(`1-${TASKS}`, killed)
  const idle = () =>
    vi.waitUntil(() => call('squeue', '-h', '-r').stdout === '', { timeout: 240_000, interval: 500 })
  await idle()
  const early = run('far/run', '--collect')
  expect(early.status).toBe(2)
  expect(early.stderr).toMatch(/\d+ of 100 shards are missing: .*--shards I\/N/)
  submit(`1,${TASKS}`, program)
  await idle()
  expect(run('far/run', '--collect').stdout).toContain('report:')
  expect(resultOf('far/run')).toBe(resultOf('local/run'))
})

test.skipIf(!validator)('the job of Kubernetes is valid by the official schema', () => {
  const { stdout, stderr } = spawnSync(
    'kubernetes-validate',
    ['--strict', join(examples, 'kubernetes-job.yaml')],
    { encoding: 'utf8' },
  )
  expect(stdout + stderr).toContain('passed for resource job/')
})
