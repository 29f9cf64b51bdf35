import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SlurmSettings } from '../../config/executor.ts'
import { UserError } from '../../errors.ts'
import { writeWhole } from '../../store/write.ts'
import { shellWord } from '../../text/shown-path.ts'
import { readPlan } from '../plan/plan.ts'
import { findParts } from '../shard/parts.ts'
import type { Executor } from './executor.ts'
import { JOB_NAME, type Slurm, slurmCommands } from './slurm-commands.ts'

/**
 * Shards as job arrays of Slurm. A task is `touchstone run-shard`, which writes parts into the experiment's folder; that
 * folder and the store must lie on a disk that all nodes share. Part files are the truth: what the scheduler says of a job
 * only tells when to stop waiting. Shards of which no part came (a task killed, a node lost, the time over) are submitted
 * again, `rounds` times in all.
 */

/** Counts what collectors submitted, in the experiment's `slurm` folder. */
const SUBMISSIONS = 'submissions.json'
/** Milliseconds between two looks: the first, and the longest. */
const FIRST_LOOK = 250
const LONGEST_LOOK = 5000
/** Looks after a job's end, as a shared disk may show a file late. */
const LATE_LOOKS = 3

export interface SlurmPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  /** What starts touchstone, where the settings name nothing else. */
  readonly command: readonly string[]
  /** The working folder. */
  readonly folder: string
  /** A command line that collects what the tasks make: submitted behind them, and nothing is waited for. */
  readonly collector?: readonly string[]
}

export function slurm(settings: SlurmSettings, place: SlurmPlace): Executor {
  const commands = slurmCommands(place.env)
  return {
    name: 'slurm',
    ...(place.collector && {
      async submit(folder: string, rounds: readonly (readonly number[])[]) {
        const former = formerJobs(folder)
        await cancelFormer(folder, commands, place)
        const round = rounds.findIndex((shards) => shards.length > 0)
        // Whoever is no collector of this folder begins to count.
        const counted = former.includes(String(place.env.SLURM_JOB_ID)) ? submissions(folder) : undefined
        const times = counted?.round === round ? counted.times + 1 : 1
        if (times > settings.rounds) throw given(folder, new Set(rounds[round]), settings)
        const jobs = await submit(folder, rounds[round], settings, place)
        writeWhole(join(folder, 'slurm', SUBMISSIONS), JSON.stringify({ round, times }))
        return collect(folder, jobs, settings, place)
      },
    }),
    async run(folder, rounds, done, signal) {
      const { hash } = readPlan(folder)
      await cancelFormer(folder, commands, place)
      for (const shards of rounds) {
        const left = new Set(shards)
        for (let attempt = 1; left.size > 0; attempt++) {
          if (attempt > settings.rounds) throw given(folder, left, settings)
          const jobs = await submit(folder, [...left], settings, place, signal)
          await watch(jobs, left)
          if (signal.aborted) return
        }
      }

      /** Takes parts as they come, until all are there or the jobs have ended. */
      async function watch(jobs: readonly string[], left: Set<number>): Promise<void> {
        let pause = FIRST_LOOK
        let late = 0
        while (late < LATE_LOOKS) {
          await sleep(pause, undefined, { signal }).catch(() => {})
          const parts = findParts(folder, hash, left)
          for (const shard of parts.keys()) {
            left.delete(shard)
            done({ shard })
          }
          if (left.size === 0) return
          if (signal.aborted) return commands.cancel(jobs)
          pause = parts.size > 0 ? FIRST_LOOK : Math.min(LONGEST_LOOK, 1.5 * pause)
          late = (await ended(jobs, commands)) ? late + 1 : 0
        }
      }
    },
  }
}

/** Options of `sbatch` that say what a task takes. */
export function taskOptions({ partition, timeoutMinutes, cpusPerTask, memoryGb }: SlurmSettings): string[] {
  return [
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    `--time=${timeoutMinutes}`,
    '--ntasks=1',
    `--cpus-per-task=${cpusPerTask}`,
    ...(memoryGb === undefined ? [] : [`--mem=${Math.ceil(memoryGb * 1024)}M`]),
  ]
}

/** Submits arrays for the shards and notes their jobs in the experiment's folder. */
async function submit(
  folder: string,
  shards: readonly number[],
  settings: SlurmSettings,
  place: SlurmPlace,
  signal?: AbortSignal,
): Promise<string[]> {
  const commands = slurmCommands(place.env)
  const largest = await commands.largestArray()
  const own = join(folder, 'slurm')
  mkdirSync(own, { recursive: true })
  const jobs: string[] = []
  const tasks = pieces(shards, settings.shardsPerTask)
  for (const array of pieces(tasks, largest)) {
    const number = String(readdirSync(own).filter((name) => /^array-.*\.sh$/.test(name)).length).padStart(
      3,
      '0',
    )
    const script = join(own, `array-${number}.sh`)
    writeWhole(script, scriptOf(folder, array, settings, place))
    const last = array.length - 1
    const options = [
      ...taskOptions(settings),
      `--job-name=${JOB_NAME}`,
      `--array=0-${last}%${settings.arrayParallelism}`,
      `--output=${join(own, `array-${number}`).replaceAll('%', '%%')}-%a.out`,
      '--open-mode=append',
    ]
    jobs.push(await commands.submit(options, script, signal))
    noteJobs(folder, jobs)
  }
  return jobs
}

/** What a task runs: its line of the table at the end. Nothing but paths and the user's own lines stand in it. */
function scriptOf(
  folder: string,
  tasks: readonly (readonly number[])[],
  { setup, command, cpusPerTask }: SlurmSettings,
  { command: own }: SlurmPlace,
): string {
  return `#!/bin/bash
set -e
${setup.join('\n')}
case "$SLURM_ARRAY_TASK_ID" in
${tasks.map((shards, task) => `${task}) shards='${shards.map((shard) => `--shard ${shard}`).join(' ')}' ;;`).join('\n')}
esac
${command ?? own.map(shellWord).join(' ')} run-shard --plan ${shellWord(folder)} --workers ${cpusPerTask} $shards
`
}

/**
 * Submits what runs when all tasks have ended, however: the same command, which takes the parts, and submits what is missing
 * with a collector of its own. So none waits for others, and none needs more time than a task.
 */
async function collect(
  folder: string,
  jobs: readonly string[],
  settings: SlurmSettings,
  { env, folder: working, collector = [] }: SlurmPlace,
): Promise<string> {
  const own = join(folder, 'slurm')
  const script = join(own, 'collector.sh')
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
      `--output=${join(own, 'collector.out').replaceAll('%', '%%')}`,
      '--open-mode=append',
    ],
    script,
  )
  noteJobs(folder, [...jobs, job])
  return `submitted the job${jobs.length > 1 ? 's' : ''} ${jobs.join(', ')} and the collector ${job}, which writes to ${join(own, 'collector.out')}`
}

/** What the next run of this folder cancels, where this one is killed. */
function noteJobs(folder: string, jobs: readonly string[]): void {
  writeWhole(join(folder, 'slurm', 'jobs'), `${jobs.join('\n')}\n`)
}

function formerJobs(folder: string): string[] {
  const file = join(folder, 'slurm', 'jobs')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** How often the shards of a round were submitted, for the collector that goes on. */
function submissions(folder: string): { readonly round: number; readonly times: number } {
  return JSON.parse(readFileSync(join(folder, 'slurm', SUBMISSIONS), 'utf8'))
}

/** Jobs of a run of this folder that was killed would compute the same a second time. A collector is such a job itself. */
async function cancelFormer(folder: string, commands: Slurm, { env }: SlurmPlace): Promise<void> {
  await commands.cancel(formerJobs(folder).filter((job) => job !== env.SLURM_JOB_ID))
}

/** A controller that does not answer has ended nothing. */
async function ended(jobs: readonly string[], { isActive }: Slurm): Promise<boolean> {
  for (const job of jobs) if ((await isActive(job)) !== false) return false
  return true
}

function given(folder: string, left: ReadonlySet<number>, { rounds }: SlurmSettings): UserError {
  const own = join(folder, 'slurm')
  const outputs = readdirSync(own)
    .filter((name) => /^array-.*\.out$/.test(name))
    .sort()
  const words = outputs.map((name) => readFileSync(join(own, name), 'utf8').trim()).filter(Boolean)
  const last = words.at(-1)?.split('\n').slice(-5).join('\n')
  return new UserError({
    file: own,
    message: `${left.size} shards, as ${[...left][0]}, gave no part, though they were submitted ${rounds} times (executor.slurm.rounds)${last ? `. The last that a task said:\n${last}` : '. No task said why'}\nWhat is done is kept: the same command goes on`,
  })
}

function pieces<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  )
}
