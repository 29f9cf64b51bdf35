import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

/** A real Slurm of two nodes on this machine: tasks are killed, a node is lost, and the result is the local one. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const BIN = join(root, 'bin', 'touchstone.js')
const installed = spawnSync('sh', ['-c', 'command -v slurmctld munged']).status === 0
if (!installed && process.env.CI) throw new Error('no Slurm here: apt-get install slurm-wlm munge')
if (!installed) process.stderr.write('left out: Slurm is not installed (apt-get install slurm-wlm munge)\n')

const cluster = mkdtempSync(join(tmpdir(), 'touchstone-slurm-'))
const env = { ...process.env, SLURM_CONF: join(cluster, 'slurm.conf') }
const slurm = (...words: string[]) =>
  spawnSync(words[0], words.slice(1), { env, encoding: 'utf8' }).stdout.trim()

const QUERIES = 500
const SHARDS_PER_TASK = 4

beforeAll(() => {
  if (!installed) return
  const started = spawnSync(join(root, 'scripts', 'slurm', 'start.sh'), [cluster], { encoding: 'utf8' })
  if (started.status !== 0) throw new Error(started.stderr)
})
afterAll(() => {
  if (installed) spawnSync(join(root, 'scripts', 'slurm', 'stop.sh'), [cluster])
  rmSync(cluster, { recursive: true, force: true })
})

/** A folder with an experiment of as many shards as queries. */
function setUp(slurmKeys: string) {
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns\nprepare: {embedder: lsa}\ntrials: [bm25, {hybrid: {grid: {alpha: [0.3, 0.7]}}}]\nmeasures: [recall@5]\ncompare: {draws: 200}\nexecutor: {slurm: ${slurmKeys}}\n`,
  })
  writeTowns(join(folder, 'towns'), { towns: QUERIES - 1 })
  const words = (out: string, ...more: string[]) => [
    ...[BIN, 'run', 'a.yaml', '--shard-size', '1', '--out', out, '--report', `${out}.html`, ...more],
  ]
  const here = (out: string, ...more: string[]) =>
    spawnSync(process.execPath, words(out, ...more), { cwd: folder, env, encoding: 'utf8' })
  const resultOf = (out: string) =>
    JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8')).result
  return { folder, words, here, resultOf }
}

/** The processes of a node, which its end takes with it. */
function processesOf(node: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`SLURMD_NODENAME=${node}\0`)
      } catch {
        return false
      }
    })
}

test.runIf(installed)('500 shards, tasks killed and a node lost: the result of this machine', async () => {
  const { folder, words, here, resultOf } = setUp(
    `{partition: main, shardsPerTask: ${SHARDS_PER_TASK}, rounds: 10}`,
  )
  const began = Date.now()
  const local = here('local', '--set', 'executor=threads')
  expect(local.stderr + local.stdout).toContain('report:')
  const localTook = Date.now() - began

  const run = spawn(process.execPath, words('far'), { cwd: folder, env })
  let said = ''
  run.stdout.on('data', (text) => {
    said += text
  })
  run.stderr.on('data', (text) => {
    said += text
  })
  const ended = new Promise<number | null>((resolve) => run.on('exit', resolve))
  let code: number | null | undefined
  ended.then((value) => {
    code = value
  })
  const seen = new Set<string>()
  let killed = 0
  let lost = false
  const parts = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /far\/parts\/.*\.parquet$/.test(name),
    ).length
  while (code === undefined) {
    await sleep(50)
    for (const task of slurm('squeue', '-h', '-r', '-t', 'RUNNING', '-o', '%A_%a')
      .split('\n')
      .filter(Boolean)) {
      if (seen.has(task)) continue
      seen.add(task)
      // Every twentieth task dies before it can end.
      if (seen.size % 20 !== 7) continue
      slurm('scancel', '--signal=KILL', '--full', task)
      killed++
    }
    if (!lost && parts() > QUERIES / 2) {
      lost = true
      const daemon = Number(readFileSync(join(cluster, 'n2.pid'), 'utf8'))
      for (const pid of [daemon, ...processesOf('n2')])
        try {
          process.kill(pid, 'SIGKILL')
        } catch {}
    }
  }
  expect(said).toContain('report:')
  expect(code).toBe(0)
  expect(lost).toBe(true)
  expect(killed).toBeGreaterThan(5)
  expect(parts()).toBe(QUERIES)
  expect(resultOf('far')).toBe(resultOf('local'))
  process.stdout.write(
    `slurm: ${QUERIES} shards in ${seen.size} tasks, ${killed} killed, 1 of 2 nodes lost: ${((Date.now() - began - localTook) / 1000).toFixed(0)} s; on this machine ${(localTook / 1000).toFixed(0)} s\n`,
  )
})

test.runIf(installed)(
  'left to a collector: what was killed is submitted with another collector',
  async () => {
    const { folder, here, resultOf } = setUp('{shardsPerTask: 100, rounds: 4}')
    expect(here('local', '--set', 'executor=threads').stdout).toContain('report:')
    const detached = here('far', '--detach')
    expect(detached.status).toBe(0)
    const [, first, collector] = /submitted the job (\d+) and the collector (\d+)/.exec(detached.stderr) ?? []
    expect(slurm('squeue', '-h', '-o', '%A %T %E', `--jobs=${collector}`)).toContain(`afterany:${first}`)
    slurm('scancel', `${first}_2`)
    const said = () => readFileSync(join(folder, 'far', 'slurm', 'collector.out'), 'utf8')
    while (slurm('squeue', '-h', '-o', '%A') !== '') await sleep(200)
    expect(said()).toMatch(/submitted the job \d+ and the collector \d+.*report:/s)
    expect(resultOf('far')).toBe(resultOf('local'))
  },
)
