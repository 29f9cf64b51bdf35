import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../errors.ts'

/** Slurm's command line programs, as far as an experiment needs them. Each is started without a shell. */

/** Name of every submitted job. */
export const JOB_NAME = 'touchstone'

/** Messages of Slurm after which a second attempt may succeed: a controller that restarts or is overloaded. */
const TRANSIENT = /unable to contact|timed out|try again|temporarily/i
/** Milliseconds before each further attempt. */
const PAUSES = [1000, 3000, 9000]
/** Tasks per array if the cluster does not report its limit. */
const DEFAULT_ARRAY = 1000

export type Env = Readonly<Record<string, string | undefined>>

export interface Slurm {
  /**
   * Submits a script and returns the job's id. Transient errors are retried unless `signal` is aborted. Throws a UserError
   * with Slurm's message if the job is refused.
   */
  submit(options: readonly string[], script: string, signal?: AbortSignal): Promise<string>
  /** Maximum number of tasks in an array. */
  maxArraySize(): Promise<number>
  /** True if any task of the job waits or runs; undefined if the controller does not reply. */
  isActive(job: string): Promise<boolean | undefined>
  /** Cancels jobs that have touchstone's name, since a cluster may reuse numbers. Ended jobs are ignored. */
  cancel(jobs: readonly string[]): Promise<void>
}

export function slurmCommands(env: Env): Slurm {
  return {
    async submit(options, script, signal) {
      for (let attempt = 0; ; attempt++) {
        const { code, out, err } = await call('sbatch', ['--parsable', ...options, script], env)
        // A federation of clusters prints `id;cluster`.
        const job = /^(\d+)(?:;.*)?$/m.exec(out.trim())?.[1]
        if (code === 0 && job !== undefined) return job
        if (attempt === PAUSES.length || signal?.aborted || !TRANSIENT.test(err))
          throw new UserError(
            `Slurm refuses the job: ${errorText(err) || out.trim() || `sbatch ended with ${code}`}`,
          )
        await sleep(PAUSES[attempt], undefined, { signal }).catch(() => {})
      }
    },
    async maxArraySize() {
      const { out } = await call('scontrol', ['show', 'config'], env)
      const size = Number(/^MaxArraySize\s*=\s*(\d+)/m.exec(out)?.[1])
      return size > 0 ? size : DEFAULT_ARRAY
    },
    async isActive(job) {
      const { code, out, err } = await call('squeue', ['--noheader', `--jobs=${job}`, '--format=%T'], env)
      if (code === 0) return out.trim() !== ''
      // Slurm forgets a job some minutes after its end.
      return /invalid job id/i.test(err) ? false : undefined
    },
    async cancel(jobs) {
      if (jobs.length > 0) await call('scancel', [`--name=${JOB_NAME}`, ...jobs], env)
    },
  }
}

/** Throws a UserError if Slurm is missing or refuses jobs with these `sbatch` options, for example an unknown partition. */
export async function testSubmission(options: readonly string[], env: Env, file: string): Promise<void> {
  const { code, err } = await call('sbatch', ['--test-only', ...options, '--wrap=true'], env)
  if (code !== 0)
    throw new UserError({ file, message: `executor.slurm: Slurm refuses the job: ${errorText(err)}` })
}

/** First two lines of Slurm's error output, without program names. */
function errorText(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^\w+: (?:error: )?/, '').trim())
  return lines.filter(Boolean).slice(0, 2).join('; ')
}

interface CommandOutput {
  readonly code: number
  readonly out: string
  readonly err: string
}

function call(program: string, words: readonly string[], env: Env): Promise<CommandOutput> {
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
