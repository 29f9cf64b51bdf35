import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requireSlurm, slurmExecutor } from '../../src/clusters/slurm/executor.ts'
import { executor as executorShape } from '../../src/config/executor.ts'
import { UserError } from '../../src/errors.ts'
import { callsIn } from '../cli/calls.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { fakeCluster, writePlan, writeResult } from './cluster.ts'

/** Job arrays on a cluster in memory; `tests/system/slurm.test.ts` runs the tasks. */

let cluster: ReturnType<typeof fakeCluster>
beforeEach(() => {
  cluster = fakeCluster()
})
afterEach(() => cluster.remove())

/** An experiment's folder and an executor for it. `again` makes an executor of another process in the same folder. */
function setUp(settings: object = {}, more: { readonly env?: object; readonly collector?: string[] } = {}) {
  const folder = join(temporaryFolder(), 'a')
  writePlan(folder)
  const slurm = executorShape.parse({ slurm: { shardsPerTask: 1, ...settings } }).slurm
  const again = ({ env = {}, collector = undefined as string[] | undefined } = {}) =>
    slurmExecutor(slurm, {
      ...{ env: { PATH: '/bin', ...env }, command: ['node', "it's here/touchstone.js"], folder: '/work' },
      ...(collector && { collector }),
    })
  const done: number[] = []
  const controller = new AbortController()
  const run = (shards: number[], executor = again(more)) =>
    executor.run(folder, shards, ({ shard }) => done.push(shard), controller.signal)
  const own = (name: string) => readFileSync(join(folder, 'slurm', name), 'utf8')
  return { folder, again, run, done, controller, own }
}

/** Every task of a job writes its parts at once, apart from these shards. */
function completeAll(folder: string, ...failing: number[]): void {
  cluster.state.submitted = (job, tasks) => {
    for (const shard of tasks.flat()) if (!failing.includes(shard)) writeResult(folder, shard)
    cluster.running.delete(job)
  }
}

test('submits an array of tasks and collects their parts', async () => {
  const { folder, run, done, own } = setUp({
    ...{ shardsPerTask: 2, setup: ['module load nodejs', 'cd /tmp'], cpusPerTask: 3, memoryGb: 1.5001 },
    ...{ partition: 'short', timeoutMinutes: 90, arrayParallelism: 7 },
  })
  completeAll(folder)
  await run([0, 1, 2, 5, 4])
  expect(done).toEqual([0, 1, 2, 4, 5])
  const script = join(folder, 'slurm', 'array-000.sh')
  expect(cluster.callsOf('sbatch')).toEqual([
    [
      ...['--parsable', '--partition=short', '--time=90', '--ntasks=1', '--cpus-per-task=3', '--mem=1537M'],
      ...['--job-name=touchstone', '--array=0-2%7', `--output=${join(folder, 'slurm', 'array-000')}-%a.out`],
      ...['--open-mode=append', script],
    ],
  ])
  expect(own('array-000.sh')).toBe(`#!/bin/bash
set -e
module load nodejs
cd /tmp
case "$SLURM_ARRAY_TASK_ID" in
0) shards='--shard 0 --shard 1' ;;
1) shards='--shard 2 --shard 5' ;;
2) shards='--shard 4' ;;
esac
node 'it'\\''s here/touchstone.js' run-shard --plan ${folder} --workers 3 $shards
`)
  expect(own('jobs')).toBe('1\n')
  expect(cluster.slept).toEqual([250])
  expect(cluster.state.env).toEqual({ PATH: '/bin' })
})

test('names a command of the settings and the percent signs of a folder', async () => {
  const { folder, again, own } = setUp({ command: 'apptainer exec a.sif touchstone' })
  const odd = `${folder}%a`
  writePlan(odd)
  completeAll(odd)
  await again().run(odd, [3], () => {}, new AbortController().signal)
  expect(cluster.callsOf('sbatch')[0]).toContain(`--output=${folder}%%a/slurm/array-000-%a.out`)
  expect(existsSync(join(folder, 'slurm'))).toBe(false)
  expect(readFileSync(join(odd, 'slurm', 'array-000.sh'), 'utf8')).toContain(
    `\napptainer exec a.sif touchstone run-shard --plan '${odd}' --workers 1 $shards\n`,
  )
  expect(() => own('jobs')).toThrow('ENOENT')
})

test.each([
  ['MaxArraySize            = 2\n', ['--array=0-1%256', '--array=0-1%256', '--array=0-0%256']],
  ['Prolog = a\nMaxArraySize=5\n', ['--array=0-4%256']],
  ['MaxArraySize = 0\n', ['--array=0-4%256']],
  ['', ['--array=0-4%256']],
])('no array is larger than the cluster takes: %j', async (config, arrays) => {
  const { folder, run, done, own } = setUp()
  completeAll(folder)
  cluster.state.plan = (program) => (program === 'scontrol' ? { out: config } : undefined)
  await run([0, 1, 2, 3, 4])
  expect(done).toEqual([0, 1, 2, 3, 4])
  expect(cluster.arrays()).toEqual(arrays)
  expect(own('jobs')).toBe(arrays.map((_, at) => `${at + 1}\n`).join(''))
  for (const [at] of arrays.entries()) expect(own(`array-00${at}.sh`)).toContain('case')
  expect(cluster.callsOf('scontrol')).toEqual([['show', 'config']])
})

test('a cluster without a limit takes a thousand tasks in an array', async () => {
  const { run, controller } = setUp()
  cluster.state.sleeping = () => controller.abort()
  await run(Array.from({ length: 1001 }, (_, shard) => shard))
  expect(cluster.arrays()).toEqual(['--array=0-999%256', '--array=0-0%256'])
})

test('submits the shards of killed tasks again', async () => {
  const { folder, run, done, own } = setUp({ shardsPerTask: 2 })
  let killed = true
  cluster.state.submitted = (job, tasks) => {
    for (const shard of tasks.flat()) if (!killed || shard === 2) writeResult(folder, shard)
    killed = false
    cluster.running.delete(job)
  }
  await run([1, 2, 3])
  expect(done).toEqual([2, 1, 3])
  expect(cluster.arrays()).toEqual(['--array=0-1%256', '--array=0-0%256'])
  expect(own('array-001.sh')).toContain("0) shards='--shard 1 --shard 3' ;;\nesac")
  expect(own('jobs')).toBe('2\n')
  // A part may come late: three polls find the job ended before its shards are submitted again.
  expect(cluster.slept).toEqual([250, 250, 375, 250])
})

test('waits for a part that comes after the end of its job', async () => {
  const { folder, run, done } = setUp()
  cluster.state.submitted = (job) => cluster.running.delete(job)
  cluster.state.sleeping = (count) => {
    if (count === 3) writeResult(folder, 0)
  }
  await run([0])
  expect(done).toEqual([0])
  expect(cluster.arrays()).toHaveLength(1)
})

test('a controller that does not reply says nothing of the end of a job', async () => {
  const { folder, run, done } = setUp()
  cluster.state.submitted = (job) => cluster.running.delete(job)
  cluster.state.plan = (program) =>
    program === 'squeue' && cluster.slept.length === 2
      ? { code: 1, err: 'slurm_load_jobs error: Unable to contact slurm controller' }
      : undefined
  cluster.state.sleeping = (count) => {
    if (count === 5) writeResult(folder, 0)
  }
  await run([0])
  expect(done).toEqual([0])
  expect(cluster.arrays()).toHaveLength(1)
  expect(cluster.slept).toHaveLength(5)
})

test('polls less and less often while no part comes, and waits for every job', async () => {
  const { folder, run, done } = setUp()
  cluster.state.plan = (program) => (program === 'scontrol' ? { out: 'MaxArraySize = 1' } : undefined)
  cluster.state.submitted = (job) => {
    if (job === '1') cluster.running.delete(job)
  }
  cluster.state.sleeping = (count) => {
    if (count === 10) writeResult(folder, 1)
    if (count === 12) writeResult(folder, 0)
  }
  await run([0, 1])
  expect(done).toEqual([1, 0])
  const growing = Array.from({ length: 10 }, (_, at) => Math.min(5000, 250 * 1.5 ** at))
  expect(cluster.slept).toEqual([...growing, 250, 375])
  expect(cluster.arrays()).toHaveLength(2)
})

test('a shard with a part is not submitted', async () => {
  const { folder, run, done, own } = setUp()
  completeAll(folder)
  writeResult(folder, 1)
  await run([0, 1])
  expect(done).toEqual([0, 1])
  expect(own('array-000.sh')).toContain("0) shards='--shard 0' ;;\nesac")
})

describe('after the last submission', () => {
  const failure = async (outputs: Record<string, string>, settings = {}) => {
    const { folder, run, done } = setUp({ rounds: 2, ...settings })
    completeAll(folder, 1, 2)
    mkdirSync(join(folder, 'slurm'))
    for (const [name, text] of Object.entries(outputs)) writeFileSync(join(folder, 'slurm', name), text)
    const error: UserError = await run([0, 1, 2]).catch((failed) => failed)
    expect(error).toBeInstanceOf(UserError)
    expect(done).toEqual([0])
    expect(error.diagnostics[0].file).toBe(join(folder, 'slurm'))
    return { message: error.diagnostics[0].message, arrays: cluster.arrays().length }
  }

  test('quotes the last lines of the last task', async () => {
    const { message, arrays } = await failure({
      'array-000-0.out': 'first\n',
      'array-001-1.out': 'cut\na\nb\n\nc\nno such module\n',
      'array-001-2.out': ' \n',
      'collector.out': 'something else',
      'array-001.sh.txt': 'no output',
    })
    expect(arrays).toBe(2)
    expect(message).toBe(
      '2 shards, as 1, gave no part, though they were submitted 2 times (executor.slurm.rounds). The last that a task said:\na\nb\n\nc\nno such module\nWhat is done is kept: the same command goes on',
    )
  })

  test('says that there is no output', async () => {
    const { message, arrays } = await failure({}, { rounds: 1 })
    expect(arrays).toBe(1)
    expect(message).toContain('submitted 1 times (executor.slurm.rounds). No task said why\nWhat is done')
  })
})

test('cancels the jobs of a process that was killed before it submits, but not its own', async () => {
  const { folder, run, again } = setUp()
  completeAll(folder)
  await run([0])
  expect(cluster.callsOf('scancel')).toEqual([])
  const { submitted } = cluster.state
  cluster.state.submitted = (job, tasks) => {
    expect(cluster.cancelled).toContain('1')
    submitted(job, tasks)
  }
  await run([1])
  expect(cluster.callsOf('scancel')).toEqual([['--name=touchstone', '1']])
  writeFileSync(join(folder, 'slurm', 'jobs'), '7\n8\n\n')
  await run([2], again({ env: { SLURM_JOB_ID: '7' } }))
  expect(cluster.callsOf('scancel').at(-1)).toEqual(['--name=touchstone', '8'])
})

test('a run that is stopped cancels its jobs', async () => {
  const { folder, run, done, controller } = setUp()
  writeResult(folder, 0)
  cluster.state.sleeping = () => controller.abort()
  await run([0, 1])
  expect(done).toEqual([0])
  expect(cluster.arrays()).toHaveLength(1)
  expect(cluster.cancelled).toEqual(['1'])
})

test('a run that was stopped submits nothing', async () => {
  const { run, controller } = setUp()
  controller.abort()
  await run([0])
  expect(cluster.arrays()).toEqual([])
})

test('one shard runs here, and its time sets the shards of a task until a task is killed', async () => {
  cluster.remove()
  const working = temporaryFolder({
    'a.yaml': 'dataset: towns\ntrials: [bm25]\nmeasures: [recall@5]\ncompare: {draws: 200}\n',
  })
  writeTowns(join(working, 'towns'), { towns: 6 })
  expect(await callsIn(working, {}).run('a', '--detach', '--shard-size', '2')).toMatchObject({ code: 0 })
  cluster = fakeCluster()
  const folder = join(working, 'a')
  const { slurm } = executorShape.parse({ slurm: {} })
  const executor = slurmExecutor(slurm, { env: {}, command: ['touchstone'], folder: working })
  const submissions: unknown[] = []
  cluster.state.submitted = (job, tasks) => {
    if (submissions.push(tasks) === 2) for (const shard of tasks.flat()) writeResult(folder, shard)
    cluster.running.delete(job)
  }
  const done: number[] = []
  const { signal } = new AbortController()
  await executor.run(folder, [0, 1, 2, 3], ({ shard }) => done.push(shard), signal)
  // These shards take less time than a task's start.
  expect(submissions).toEqual([[[1, 2, 3]], [[1], [2], [3]]])
  expect(done).toEqual([0, 1, 2, 3])
})

test('one shard alone is a task and does not run here', async () => {
  // The plan of this folder could not run.
  const { folder, run, done } = setUp({ shardsPerTask: undefined })
  completeAll(folder)
  await run([4])
  expect(done).toEqual([4])
})

describe('with a collector', () => {
  const COLLECTOR = ['node', 'touchstone.js', 'run', 'my config.yaml']
  const submit = (settings: object, env: object = {}) => {
    const made = setUp({ rounds: 2, setup: ['module load nodejs'], ...settings })
    const call = (shards: number[], more = env) =>
      made.again({ env: more, collector: COLLECTOR }).submit?.(made.folder, shards)
    return { ...made, call }
  }

  test('submits a job after the others, which runs the command again', async () => {
    const { folder, call, own } = submit({})
    const output = join(folder, 'slurm', 'collector.out')
    expect(await call([0, 1])).toBe(`submitted the job 1 and the collector 2, which writes to ${output}`)
    expect(own('collector.sh')).toBe(
      `#!/bin/bash\nset -e\nmodule load nodejs\nnode touchstone.js run 'my config.yaml'\n`,
    )
    expect(cluster.callsOf('sbatch').at(-1)).toEqual([
      ...['--parsable', '--time=60', '--ntasks=1', '--cpus-per-task=1', '--job-name=touchstone'],
      ...['--chdir=/work', '--dependency=afterany:1', `--output=${output}`, '--open-mode=append'],
      join(folder, 'slurm', 'collector.sh'),
    ])
    expect(cluster.arrays()).toEqual(['--array=0-1%256'])
    expect(own('jobs')).toBe('1\n2\n')
    expect(cluster.slept).toEqual([])
  })

  test('the collector waits for every array', async () => {
    const { call } = submit({})
    cluster.state.plan = (program) => (program === 'scontrol' ? { out: 'MaxArraySize = 1' } : undefined)
    expect(await call([0, 1])).toMatch(/^submitted the jobs 1, 2 and the collector 3, which/)
    expect(cluster.callsOf('sbatch').at(-1)).toContain('--dependency=afterany:1:2')
  })

  test('a collector counts its submissions, and stops after the last', async () => {
    const { call } = submit({})
    const cancelledBefore = new Map<string, string[]>()
    cluster.state.submitted = (job) => cancelledBefore.set(job, [...cluster.cancelled])
    await call([0, 1])
    expect(await call([1], { SLURM_JOB_ID: '2' })).toMatch(/^submitted the job 3 and the collector 4/)
    // Its own job is not cancelled.
    expect(cluster.callsOf('scancel')).toEqual([['--name=touchstone', '1']])
    expect(cancelledBefore.get('3')).toEqual(['1'])
    await expect(call([1], { SLURM_JOB_ID: '4' })).rejects.toThrow(
      /^.*slurm: 1 shards, as 1, gave no part, though they were submitted 2 times/,
    )
    // A user who calls the command again begins to count again.
    expect(await call([1])).toMatch(/^submitted the job 5 and the collector 6/)
    expect(cluster.callsOf('scancel').at(-1)).toEqual(['--name=touchstone', '3', '4'])
  })

  test('an executor without one does not submit', () => {
    expect(setUp().again().submit).toBeUndefined()
  })
})

test('asks Slurm whether it takes tasks with these settings', async () => {
  const { slurm } = executorShape.parse({ slurm: { partition: 'long', memoryGb: 2 } })
  await requireSlurm(slurm, {}, 'a.yaml')
  expect(cluster.callsOf('sbatch')).toEqual([
    [
      ...['--test-only', '--partition=long', '--time=60', '--ntasks=1', '--cpus-per-task=1', '--mem=2048M'],
      '--wrap=true',
    ],
  ])
})
