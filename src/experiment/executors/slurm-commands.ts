import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../errors.ts'

/** Slurm's own commands, as much of them as a run needs. Each is started without a shell. */

/** What every job is called. */
export const JOB_NAME = 'touchstone'

/** What Slurm says where the next try may go through: it is restarted, or has too much to do. */
const PASSING = /unable to contact|timed out|try again|temporarily/i
/** Milliseconds before each further try. */
const PAUSES = [1000, 3000, 9000]
/** Tasks of an array, where a cluster does not say how many it takes. */
const LARGEST_ARRAY = 1000

type Env = Readonly<Record<string, string | undefined>>

export interface Slurm {
  /**
   * Submits a script and returns the job's id; tries again where Slurm only has no time, unless `signal` is aborted. Throws a
   * UserError with Slurm's words where it is refused.
   */
  submit(options: readonly string[], script: string, signal?: AbortSignal): Promise<string>
  /** How many tasks an array may have. */
  largestArray(): Promise<number>
  /** Whether any task of the job waits or runs; undefined where the controller does not answer. */
  isActive(job: string): Promise<boolean | undefined>
  /** Only jobs of touchstone's name: a cluster may count its jobs anew. One that has ended is no mistake. */
  cancel(jobs: readonly string[]): Promise<void>
}

export function slurmCommands(env: Env): Slurm {
  return {
    async submit(options, script, signal) {
      for (let tries = 0; ; tries++) {
        const { code, out, err } = await call('sbatch', ['--parsable', ...options, script], env)
        // A cluster of clusters answers `id;cluster`.
        const job = /^(\d+)(?:;.*)?$/m.exec(out.trim())?.[1]
        if (code === 0 && job !== undefined) return job
        if (tries === PAUSES.length || signal?.aborted || !PASSING.test(err))
          throw new UserError(
            `Slurm refuses the job: ${lastWords(err) || out.trim() || `sbatch ended with ${code}`}`,
          )
        await sleep(PAUSES[tries], undefined, { signal }).catch(() => {})
      }
    },
    async largestArray() {
      const { out } = await call('scontrol', ['show', 'config'], env)
      const indexes = Number(/^MaxArraySize\s*=\s*(\d+)/m.exec(out)?.[1])
      return indexes > 0 ? indexes : LARGEST_ARRAY
    },
    async isActive(job) {
      const { code, out, err } = await call('squeue', ['--noheader', `--jobs=${job}`, '--format=%T'], env)
      if (code === 0) return out.trim() !== ''
      // A job that ended some minutes ago is forgotten.
      return /invalid job id/i.test(err) ? false : undefined
    },
    async cancel(jobs) {
      if (jobs.length > 0) await call('scancel', [`--name=${JOB_NAME}`, ...jobs], env)
    },
  }
}

/** Throws a UserError where a job with these options could not be submitted: no Slurm, no such partition, too much of something. */
export async function requireSlurm(options: readonly string[], env: Env, file: string): Promise<void> {
  const { code, err } = await call('sbatch', ['--test-only', ...options, '--wrap=true'], env)
  if (code !== 0)
    throw new UserError({ file, message: `executor.slurm: Slurm refuses the job: ${lastWords(err)}` })
}

/** Slurm's complaint without the name of its program. */
function lastWords(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^\w+: (?:error: )?/, '').trim())
  return lines.filter(Boolean).slice(0, 2).join('; ')
}

interface Called {
  readonly code: number
  readonly out: string
  readonly err: string
}

function call(program: string, words: readonly string[], env: Env): Promise<Called> {
  return new Promise((resolve, reject) => {
    execFile(program, words, { env: { ...env } as NodeJS.ProcessEnv, timeout: 60_000 }, (error, out, err) => {
      const code = (error as NodeJS.ErrnoException | null)?.code
      if (code === 'ENOENT')
        reject(
          new UserError(
            `there is no command \`${program}\`; \`executor: {slurm: ...}\` runs where Slurm's commands are, as on a login node. Without \`executor\` everything runs on this machine`,
          ),
        )
      else if (error?.killed) resolve({ code: 1, out, err: `${program} timed out` })
      else resolve({ code: error ? (typeof code === 'number' ? code : 1) : 0, out, err })
    })
  })
}
