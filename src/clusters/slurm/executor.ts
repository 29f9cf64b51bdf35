import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SlurmSettings } from '../../config/executor.ts'
import { UserError } from '../../errors.ts'
import type { Executor } from '../../experiment/executors/executor.ts'
import { inProcess } from '../../experiment/executors/in-process.ts'
import { readPlan } from '../../experiment/plan/plan.ts'
import { findParts } from '../../experiment/shard/parts.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { writeWhole } from '../../store/write.ts'
import { shellWord } from '../../text/shown-path.ts'
import { type Env, JOB_NAME, type Slurm, slurmCommands, testSubmission } from './commands.ts'

/**
 * Runs shards as Slurm job arrays. A task is `touchstone run-shard`, which writes parts into the experiment's folder; the
 * folder and the store must be on a disk that all nodes share. Only part files count as results: the scheduler's state just
 * tells when to stop waiting. Shards without a result (task killed, node lost, time limit) are submitted again, `rounds` times
 * in total.
 */

/** File in the experiment's `slurm` folder that counts the submissions of collectors. */
const SUBMISSIONS = 'submissions.json'
/** Milliseconds between two polls: first and longest pause. */
const FIRST_PAUSE = 250
const MAX_PAUSE = 5000
/** Polls after a job's end, since a shared disk may show a file late. */
const LATE_POLLS = 3

interface SlurmPlace {
  readonly env: Env
  /** Command that starts touchstone, unless the settings name another. */
  readonly command: readonly string[]
  /** Working folder. */
  readonly folder: string
  /** Command line that collects the parts; it is submitted after the tasks, and this process does not wait. */
  readonly collector?: readonly string[]
}

/** Throws a UserError if Slurm is missing or refuses tasks with these settings. */
export function requireSlurm(settings: SlurmSettings, env: Env, file: string): Promise<void> {
  return testSubmission(taskOptions(settings), env, file)
}

export function slurmExecutor(settings: SlurmSettings, place: SlurmPlace): Executor {
  const commands = slurmCommands(place.env)
  return {
    name: 'slurm',
    ...(place.collector && {
      async submit(folder: string, shards: readonly number[]) {
        const former = formerJobs(folder)
        await cancelFormer(folder, commands, place)
        // The first process that is not this folder's collector resets the counter.
        const times = former.includes(String(place.env.SLURM_JOB_ID)) ? submissions(folder) + 1 : 1
        if (times > settings.rounds) throw noResult(folder, shards, settings)
        const jobs = await submit(folder, shards, times, settings, place)
        writeWhole(join(folder, 'slurm', SUBMISSIONS), JSON.stringify(times))
        return collect(folder, jobs, settings, place)
      },
    }),
    async run(folder, shards, done, signal) {
      const { hash } = readPlan(folder)
      await cancelFormer(folder, commands, place)
      const left = new Set(shards)
      for (let attempt = 1; left.size > 0; attempt++) {
        if (attempt > settings.rounds) throw noResult(folder, [...left], settings)
        const jobs = await submit(folder, [...left], attempt, settings, place, signal)
        await watch(jobs)
        if (signal.aborted) return
      }

      /** Collects parts until all are there or the jobs have ended. */
      async function watch(jobs: readonly string[]): Promise<void> {
        let pause = FIRST_PAUSE
        let late = 0
        while (late < LATE_POLLS) {
          await sleep(pause, undefined, { signal }).catch(() => {})
          const parts = findParts(folder, hash, left)
          for (const shard of parts.keys()) {
            left.delete(shard)
            done({ shard })
          }
          if (left.size === 0) return
          if (signal.aborted) return commands.cancel(jobs)
          pause = parts.size > 0 ? FIRST_PAUSE : Math.min(MAX_PAUSE, 1.5 * pause)
          late = (await ended(jobs, commands)) ? late + 1 : 0
        }
      }
    },
  }
}

/** `sbatch` options for the resources of a task. */
function taskOptions({ partition, timeoutMinutes, cpusPerTask, memoryGb }: SlurmSettings): string[] {
  return [
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    `--time=${timeoutMinutes}`,
    '--ntasks=1',
    `--cpus-per-task=${cpusPerTask}`,
    ...(memoryGb === undefined ? [] : [`--mem=${Math.ceil(memoryGb * 1024)}M`]),
  ]
}

/** Submits arrays for the shards and records their job ids in the experiment's folder. `attempt` counts from 1. */
async function submit(
  folder: string,
  shards: readonly number[],
  attempt: number,
  settings: SlurmSettings,
  place: SlurmPlace,
  signal?: AbortSignal,
): Promise<string[]> {
  const commands = slurmCommands(place.env)
  const maxArraySize = await commands.maxArraySize()
  const slurmFolder = join(folder, 'slurm')
  makeFolder(slurmFolder)
  const jobs: string[] = []
  // A shard that kills its task must not run here, nor take others with it again.
  const alone = shards.length === 1 || attempt > 1
  const size = settings.shardsPerTask ?? (alone ? 1 : await measuredSize(folder, shards, settings, signal))
  if (signal?.aborted) return []
  const { hash } = readPlan(folder)
  const there = findParts(folder, hash, new Set(shards))
  const tasks = pieces(
    shards.filter((shard) => !there.has(shard)),
    size,
  )
  for (const array of pieces(tasks, maxArraySize)) {
    const arrays = readdirSync(slurmFolder).filter((name) => /^array-.*\.sh$/.test(name))
    const number = String(arrays.length).padStart(3, '0')
    const script = join(slurmFolder, `array-${number}.sh`)
    writeWhole(script, scriptOf(folder, array, settings, place))
    const last = array.length - 1
    const options = [
      ...taskOptions(settings),
      `--job-name=${JOB_NAME}`,
      `--array=0-${last}%${settings.arrayParallelism}`,
      `--output=${join(slurmFolder, `array-${number}`).replaceAll('%', '%%')}-%a.out`,
      '--open-mode=append',
    ]
    jobs.push(await commands.submit(options, script, signal))
    recordJobs(folder, jobs)
  }
  return jobs
}

/**
 * Shards of a task, by the time of the first one, which runs here: starting takes at most a tenth of a task, and a task at
 * most half of its limit.
 */
async function measuredSize(
  folder: string,
  [first]: readonly number[],
  { cpusPerTask, timeoutMinutes }: SlurmSettings,
  signal = new AbortController().signal,
): Promise<number> {
  const began = performance.now()
  let computed = 0
  await inProcess(() => performance.now()).run(
    folder,
    [first],
    ({ milliseconds = {} }) => {
      for (const time of Object.values(milliseconds)) computed += time
    },
    signal,
  )
  const opened = performance.now() - began - computed
  return shardsPerTask({
    start: START + opened,
    shard: computed,
    cores: cpusPerTask,
    limit: timeoutMinutes * 60_000,
  })
}

/** Milliseconds of CPU time before a task opens the experiment. */
const START = 500

/** Times in milliseconds: of a task's start, of a shard, and the limit of a task. */
export function shardsPerTask(times: {
  readonly start: number
  readonly shard: number
  readonly cores: number
  readonly limit: number
}): number {
  const { start, cores, limit } = times
  const shard = Math.max(times.shard, 1)
  const forStart = Math.ceil((9 * start * cores) / shard)
  const forLimit = Math.floor((limit * cores) / 2 / shard)
  return Math.max(1, Math.min(forStart, forLimit))
}

/** Shell script of an array: a task looks up its shards by index. It contains only paths and the user's own lines. */
function scriptOf(
  folder: string,
  tasks: readonly (readonly number[])[],
  { setup, command, cpusPerTask }: SlurmSettings,
  { command: installed }: SlurmPlace,
): string {
  return `#!/bin/bash
set -e
${setup.join('\n')}
case "$SLURM_ARRAY_TASK_ID" in
${tasks.map((shards, task) => `${task}) shards='${shards.map((shard) => `--shard ${shard}`).join(' ')}' ;;`).join('\n')}
esac
${command ?? installed.map(shellWord).join(' ')} run-shard --plan ${shellWord(folder)} --workers ${cpusPerTask} $shards
`
}

/**
 * Submits the collector, which starts when all tasks have ended, successfully or not. It runs the user's command again: that
 * collects the parts, and submits missing shards with a new collector. So no job waits for others.
 */
async function collect(
  folder: string,
  jobs: readonly string[],
  settings: SlurmSettings,
  { env, folder: working, collector = [] }: SlurmPlace,
): Promise<string> {
  const slurmFolder = join(folder, 'slurm')
  const script = join(slurmFolder, 'collector.sh')
  writeWhole(
    script,
    `#!/bin/bash\nset -e\n${settings.setup.join('\n')}\n${collector.map(shellWord).join(' ')}\n`,
  )
  const job = await slurmCommands(env).submit(
    [
      ...taskOptions(settings),
      `--job-name=${JOB_NAME}`,
      `--chdir=${working}`,
      `--dependency=afterany:${jobs.join(':')}`,
      `--output=${join(slurmFolder, 'collector.out').replaceAll('%', '%%')}`,
      '--open-mode=append',
    ],
    script,
  )
  recordJobs(folder, [...jobs, job])
  return `submitted the job${jobs.length > 1 ? 's' : ''} ${jobs.join(', ')} and the collector ${job}, which writes to ${join(slurmFolder, 'collector.out')}`
}

/** Records the jobs that the next process cancels if this one is killed. */
function recordJobs(folder: string, jobs: readonly string[]): void {
  writeWhole(join(folder, 'slurm', 'jobs'), `${jobs.join('\n')}\n`)
}

function formerJobs(folder: string): string[] {
  const file = join(folder, 'slurm', 'jobs')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** Number of submissions so far. */
function submissions(folder: string): number {
  return JSON.parse(readFileSync(join(folder, 'slurm', SUBMISSIONS), 'utf8'))
}

/** Cancels the jobs of an earlier process that was killed: they would compute the same shards. The collector keeps its own job. */
async function cancelFormer(folder: string, commands: Slurm, { env }: SlurmPlace): Promise<void> {
  await commands.cancel(formerJobs(folder).filter((job) => job !== env.SLURM_JOB_ID))
}

/** True if all jobs have ended; a controller that does not reply counts as running. */
async function ended(jobs: readonly string[], { isActive }: Slurm): Promise<boolean> {
  for (const job of jobs) if ((await isActive(job)) !== false) return false
  return true
}

function noResult(folder: string, left: readonly number[], { rounds }: SlurmSettings): UserError {
  const slurmFolder = join(folder, 'slurm')
  const outputs = readdirSync(slurmFolder)
    .filter((name) => /^array-.*\.out$/.test(name))
    .sort()
  const words = outputs.map((name) => readFileSync(join(slurmFolder, name), 'utf8').trim()).filter(Boolean)
  const last = words.at(-1)?.split('\n').slice(-5).join('\n')
  return new UserError({
    file: slurmFolder,
    message: `${left.length} shards, as ${left[0]}, gave no part, though they were submitted ${rounds} times (executor.slurm.rounds)${last ? `. The last that a task said:\n${last}` : '. No task said why'}\nWhat is done is kept: the same command goes on`,
  })
}

function pieces<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  )
}
