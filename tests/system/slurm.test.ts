import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { SEAL, sealed } from '../../src/store/sealed.ts'
import { callsIn } from '../cli/calls.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

const BIN = fileURLToPath(new URL('../../bin/touchstone.js', import.meta.url))
const FAKE = fileURLToPath(new URL('../experiment/executors/fake-slurm.mjs', import.meta.url))

/** A folder with an experiment, and Slurm's commands on the path. */
function setUp(executor = '{slurm: {shardsPerTask: 2, setup: ["echo begun"]}}') {
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns\nprepare: {embedder: lsa}\ntrials: [bm25, naive]\nmeasures: [recall@5]\ncompare: {draws: 200}\nexecutor: ${executor}\n`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const bin = join(folder, 'bin')
  const jobs = join(folder, 'jobs')
  mkdirSync(bin)
  mkdirSync(jobs)
  for (const program of ['sbatch', 'squeue', 'scancel', 'scontrol']) {
    writeFileSync(join(bin, program), `#!/bin/sh\nexec '${process.execPath}' '${FAKE}' ${program} "$@"\n`)
    chmodSync(join(bin, program), 0o755)
  }
  const env = { PATH: `${bin}:${process.env.PATH}`, FAKE_SLURM: jobs, HOME: folder }
  const calls = callsIn(folder, env)
  const asked = () =>
    readFileSync(join(jobs, 'calls'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[])
  const arrays = () => asked().filter((words) => words.some((word) => word.startsWith('--array=')))
  return { ...calls, jobs, env, asked, arrays }
}

const run = (calls: ReturnType<typeof setUp>, out: string, ...more: string[]) =>
  calls.run(out, '--shard-size', '2', ...more)

test('job arrays make the same result as this machine, and a finished one is not run again', async () => {
  const calls = setUp()
  expect(await run(calls, 'here', '--set', 'executor=threads')).toMatchObject({ code: 0 })
  expect(await run(calls, 'there')).toMatchObject({ code: 0 })
  expect(calls.resultOf('there')).toBe(calls.resultOf('here'))
  // 13 questions, 2 a shard, 2 shards a task.
  expect(calls.arrays()).toHaveLength(1)
  expect(calls.arrays()[0]).toEqual(
    expect.arrayContaining(['--array=0-3%256', '--time=60', '--cpus-per-task=1']),
  )
  const own = join(calls.folder, 'there', 'slurm')
  expect(readFileSync(join(own, 'array-000-0.out'), 'utf8')).toMatch(/^begun\nshards 0, 1 of 7 done\n$/)
  expect(await run(calls, 'there')).toMatchObject({ code: 0 })
  expect(calls.arrays()).toHaveLength(1)
})

test('one shard runs here, and its time sets the shards of a task', async () => {
  const calls = setUp('{slurm: {}}')
  expect(await run(calls, 'here', '--set', 'executor=threads')).toMatchObject({ code: 0 })
  expect(await run(calls, 'there')).toMatchObject({ code: 0 })
  expect(calls.resultOf('there')).toBe(calls.resultOf('here'))
  // These shards take less time than a task's start.
  expect(calls.arrays()).toEqual([expect.arrayContaining(['--array=0-0%256'])])
  const said = readFileSync(join(calls.folder, 'there', 'slurm', 'array-000-0.out'), 'utf8')
  expect(said).toBe('shards 1, 2, 3, 4, 5, 6 of 7 done\n')
})

test('after a measured task was killed, each of its shards is a task, and none runs here', async () => {
  const calls = setUp('{slurm: {rounds: 2}}')
  writeFileSync(join(calls.jobs, 'kill'), '1')
  expect(await run(calls, 'a')).toMatchObject({ code: 0 })
  expect(calls.arrays()).toEqual([
    expect.arrayContaining(['--array=0-0%256']),
    expect.arrayContaining(['--array=0-5%256']),
  ])
})

test("a folder's name is a name in every script, whatever it says to a shell", async () => {
  const calls = setUp()
  const hostile = "it's $(touch bad) `touch worse`; * %j"
  expect(await run(calls, hostile)).toMatchObject({ code: 0 })
  expect(await run(calls, `${hostile} again`, '--detach')).toMatchObject({ code: 0 })
  await vi.waitFor(() => expect(existsSync(join(calls.jobs, '3', 'ended'))).toBe(true), 60_000)
  expect(await run(calls, 'here', '--set', 'executor=threads')).toMatchObject({ code: 0 })
  expect(calls.resultOf(hostile)).toBe(calls.resultOf('here'))
  expect(calls.resultOf(`${hostile} again`)).toBe(calls.resultOf('here'))
  expect(readdirSync(join(calls.folder, hostile, 'slurm'))).toContain('array-000-0.out')
  for (const name of ['bad', 'worse']) expect(existsSync(join(calls.folder, name))).toBe(false)
})

test('what was killed is submitted again; after the last round it is said', async () => {
  const calls = setUp('{slurm: {shardsPerTask: 1, rounds: 2}}')
  writeFileSync(join(calls.jobs, 'kill'), '3')
  expect(await run(calls, 'a')).toMatchObject({ code: 0 })
  expect(calls.arrays().map((words) => words.find((word) => word.startsWith('--array')))).toEqual([
    '--array=0-6%256',
    '--array=0-2%256',
  ])

  writeFileSync(join(calls.jobs, 'kill'), '100')
  const { code, err } = await run(calls, 'b')
  expect(code).toBe(2)
  expect(err).toContain('7 shards, as 0, gave no part, though they were submitted 2 times')
  // The same command goes on.
  writeFileSync(join(calls.jobs, 'kill'), '0')
  expect(await run(calls, 'b')).toMatchObject({ code: 0 })
  expect(calls.resultOf('b')).toBe(calls.resultOf('a'))
})

test('what a task says stands in the message', async () => {
  const calls = setUp('{slurm: {shardsPerTask: 1, rounds: 1, setup: ["echo no such module >&2", "exit 1"]}}')
  const { code, err } = await run(calls, 'a')
  expect(code).toBe(2)
  expect(err).toContain('The last that a task said:\nno such module')
})

test('with --detach a job that depends on the others collects them', async () => {
  const calls = setUp()
  const { code, err } = await run(calls, 'a', '--detach')
  expect(code).toBe(0)
  expect(err).toMatch(/submitted the job 1 and the collector 2/)
  await vi.waitFor(() => expect(existsSync(join(calls.jobs, '2', 'ended'))).toBe(true), 30_000)
  expect(readFileSync(join(calls.folder, 'a', 'slurm', 'collector.out'), 'utf8')).toContain('report:')
  const there = calls.resultOf('a')
  expect(await run(calls, 'b', '--set', 'executor=threads')).toMatchObject({ code: 0 })
  expect(there).toBe(calls.resultOf('b'))
})

test('a collector submits what is missing with another, as often as is asked, and never cancels itself', async () => {
  const calls = setUp('{slurm: {shardsPerTask: 1, rounds: 2}}')
  const collected = (job: string) =>
    vi.waitFor(() => expect(existsSync(join(calls.jobs, job, 'ended'))).toBe(true), 60_000)
  const said = () => readFileSync(join(calls.folder, 'a', 'slurm', 'collector.out'), 'utf8')
  writeFileSync(join(calls.jobs, 'kill'), '2')
  expect((await run(calls, 'a', '--detach')).err).toMatch(/submitted the job 1 and the collector 2/)
  await collected('4')
  expect(said()).toMatch(/submitted the job 3 and the collector 4, .*report:/s)
  expect(calls.arrays().at(-1)).toContain('--array=0-1%256')
  expect(await run(calls, 'b', '--set', 'executor=threads')).toMatchObject({ code: 0 })
  expect(calls.resultOf('a')).toBe(calls.resultOf('b'))
  expect(calls.asked().filter(([program]) => program === 'scancel')).toEqual([
    ['scancel', '--name=touchstone', '1'],
    ['scancel', '--name=touchstone', '3'],
  ])

  writeFileSync(join(calls.jobs, 'kill'), '100')
  expect((await run(calls, 'c', '--detach')).err).toMatch(/submitted the job 5 and the collector 6/)
  await collected('8')
  expect(readFileSync(join(calls.folder, 'c', 'slurm', 'collector.out'), 'utf8')).toContain(
    '7 shards, as 0, gave no part, though they were submitted 2 times',
  )
  // The next run of the config cancels pending jobs, the collector included.
  writeFileSync(join(calls.jobs, 'kill'), '0')
  writeFileSync(join(calls.jobs, 'pending'), '9')
  expect((await run(calls, 'd', '--detach')).err).toMatch(/submitted the job 9 and the collector 10/)
  expect(await run(calls, 'd')).toMatchObject({ code: 0 })
  expect(
    calls
      .asked()
      .filter(([program]) => program === 'scancel')
      .at(-1),
  ).toEqual(['scancel', '--name=touchstone', '9', '10'])
})

test('a collector counts the submissions of each dataset by themselves', async () => {
  const calls = setUp('{slurm: {shardsPerTask: 1, rounds: 1}}')
  writeTowns(join(calls.folder, 'villages'), { towns: 8 })
  const two = ['--set', 'dataset=[towns, villages]']
  expect((await run(calls, 'a', '--detach', ...two)).err).toMatch(/submitted the job 1 and the collector 2/)
  await vi.waitFor(() => expect(existsSync(join(calls.jobs, '4', 'ended'))).toBe(true), 60_000)
  expect(await run(calls, 'b', ...two, '--set', 'executor=threads')).toMatchObject({ code: 0 })
  const resultOf = (out: string, dataset: string) => calls.resultOf(join(out, dataset))
  for (const dataset of ['towns', 'villages']) expect(resultOf('a', dataset)).toBe(resultOf('b', dataset))
})

test('a controller that does not answer is asked again, and no array is larger than the cluster takes', async () => {
  const calls = setUp('{slurm: {shardsPerTask: 1}}')
  writeFileSync(join(calls.jobs, 'busy'), '1')
  writeFileSync(join(calls.jobs, 'config'), 'MaxArraySize            = 4\n')
  expect(await run(calls, 'a')).toMatchObject({ code: 0 })
  expect(calls.arrays().map((words) => words.find((word) => word.startsWith('--array')))).toEqual([
    '--array=0-3%256',
    '--array=0-3%256',
    '--array=0-2%256',
  ])
})

test('with --detach and no executor the shards are left to whoever runs them', async () => {
  const calls = setUp('threads')
  const { code, err } = await run(calls, 'a', '--detach')
  expect(code).toBe(0)
  expect(err).toMatch(
    /^planned 7 shards: 0 to 6\. Run each, .*--plan .*\/a --shard N\. Then the same command/m,
  )
  for (let shard = 0; shard < 7; shard++)
    expect((await calls.call('run-shard', '--plan', 'a', '--shard', String(shard))).code).toBe(0)
  expect(await run(calls, 'a')).toMatchObject({ code: 0 })
  expect(await run(calls, 'b')).toMatchObject({ code: 0 })
  expect(calls.resultOf('a')).toBe(calls.resultOf('b'))
})

test('no Slurm, no such partition, and keys that are none, before anything is written', async () => {
  const calls = setUp('{slurm: {partition: nowhere}}')
  const refused = await run(calls, 'a')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain(
    'a.yaml: executor.slurm: Slurm refuses the job: invalid partition specified: nowhere',
  )
  expect(existsSync(join(calls.folder, 'a'))).toBe(false)

  for (const program of readdirSync(join(calls.folder, 'bin'))) rmSync(join(calls.folder, 'bin', program))
  const elsewhere = callsIn(calls.folder, { PATH: '/nowhere' })
  const none = await elsewhere.run('a')
  expect(none.code).toBe(2)
  expect(none.err).toContain(
    "there is no command `sbatch`; `executor: {slurm: ...}` runs where Slurm's commands are",
  )

  const wrong = await callsIn(calls.folder, {}).run('a', '--set', 'executor={slurm: {time: 3, rounds: 0}}')
  expect(wrong.err).toMatch(/no key `time`; there are partition/)
  expect(wrong.err).toMatch(/executor\.slurm\.rounds/)
})

test('run-shard takes its number from the scheduler, and is done where the part is there', async () => {
  const { folder, env, call, ...calls } = setUp('{slurm: {shardsPerTask: 1, rounds: 1}}')
  writeFileSync(join(calls.jobs, 'kill'), '100')
  expect((await run({ folder, env, call, ...calls }, 'a')).code).toBe(2)
  const shard = (more: Record<string, string>, ...words: string[]) =>
    callsIn(folder, more).call('run-shard', '--plan', 'a', ...words)
  expect((await shard({ SLURM_ARRAY_TASK_ID: '2' })).out).toBe('shard 2 of 7 done\n')
  expect((await shard({ JOB_COMPLETION_INDEX: '2' })).out).toBe('shard 2 of 7 done already\n')
  // Threads are started from the built package.
  const two = [BIN, 'run-shard', '--plan', 'a', '--shard', '0', '--shard', '1', '--workers', '2']
  const built = spawnSync(process.execPath, two, { cwd: folder, encoding: 'utf8' })
  expect([built.stdout, built.stderr]).toEqual(['shards 0, 1 of 7 done\n', ''])
  const wrong = await shard({}, '--shard', '7', '--shard', 'x')
  expect([wrong.code, wrong.err]).toEqual([
    2,
    '--shard is from 0 to 6, not 7\n--shard is from 0 to 6, not x\n',
  ])
  expect((await shard({})).err).toContain('set SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX')

  const plan = join(folder, 'a', 'plan.json')
  const planned = readFileSync(plan, 'utf8')
  // A worker would compute another trial under the hash of this experiment.
  writeFileSync(plan, planned.replace(/"depth": \d+/, '"depth": 51'))
  expect((await shard({}, '--shard', '3')).err).toMatch(
    /plan\.json: was changed or lost since it was written/,
  )
  const { [SEAL]: _, ...content } = JSON.parse(planned)
  writeFileSync(plan, sealed({ ...content, version: '0.0.1' }))
  expect((await shard({}, '--shard', '3')).err).toMatch(
    /was planned by version 0\.0\.1, and this is .*; run the config again/,
  )
})

test('a run that is stopped cancels its jobs, and the next one those of a run that was killed', async () => {
  const calls = setUp('{slurm: {setup: ["sleep 60"]}}')
  const words = [BIN, 'run', 'a.yaml', '--out', 'a', '--report', 'a.html']
  // Ctrl-C once a job stands in the queue.
  const script = `'${process.execPath}' ${words.join(' ')} & pid=$!; while [ ! -e jobs/1/pid ]; do sleep 0.1; done; kill -INT $pid; wait $pid`
  const stopped = spawnSync('sh', ['-c', script], { cwd: calls.folder, env: calls.env, encoding: 'utf8' })
  expect(stopped.stderr).toContain('resume with the same command')
  expect(calls.asked().at(-1)).toEqual(['scancel', '--name=touchstone', '1'])
  expect(existsSync(join(calls.jobs, '1', 'ended'))).toBe(true)

  expect(await calls.run('a', '--set', 'executor={slurm: {}}')).toMatchObject({ code: 0 })
  expect(calls.asked().filter(([program]) => program === 'scancel')).toEqual([
    ['scancel', '--name=touchstone', '1'],
    ['scancel', '--name=touchstone', '1'],
  ])
})
