import { execFile } from 'node:child_process'
import { UserError } from '../../errors.ts'

/** Slurm's own commands, as much of them as a run needs. Each is started without a shell. */

/** What every job is called. */
export const JOB_NAME = 'touchstone'

type Env = Readonly<Record<string, string | undefined>>

export interface Slurm {
  /** Submits a script and returns the job's id. Throws a UserError with Slurm's words where it is refused. */
  submit(options: readonly string[], script: string): Promise<string>
  /** Whether any task of the job waits or runs; undefined where the controller does not answer. */
  isActive(job: string): Promise<boolean | undefined>
  /** Only jobs of touchstone's name: a cluster may count its jobs anew. One that has ended is no mistake. */
  cancel(jobs: readonly string[]): Promise<void>
}

export function slurmCommands(env: Env): Slurm {
  return {
    async submit(options, script) {
      const { code, out, err } = await call('sbatch', ['--parsable', ...options, script], env)
      // A cluster of clusters answers `id;cluster`.
      const job = /^(\d+)(?:;.*)?$/m.exec(out.trim())?.[1]
      if (code === 0 && job !== undefined) return job
      throw new UserError(
        `Slurm refuses the job: ${lastWords(err) || out.trim() || `sbatch ended with ${code}`}`,
      )
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
      else resolve({ code: error ? (typeof code === 'number' ? code : 1) : 0, out, err })
    })
  })
}
