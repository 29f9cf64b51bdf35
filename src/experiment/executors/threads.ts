import { Tinypool } from 'tinypool'
import { UserError } from '../../errors.ts'
import { outsideNative, wasStopped } from '../../stopping.ts'
import { builtUrl } from '../../threads.ts'
import { readPlan } from '../plan/plan.ts'
import { type Executor, graceAfter, type ShardReport } from './executor.ts'
import type { ShardOutcome } from './thread.ts'

/** Runs shards on `workers` worker threads of this machine; each thread opens the experiment once. */
export function threads(workers: number): Executor {
  return {
    async run(folder, shards, done, signal) {
      const lanes = Math.min(workers, shards.length)
      if (lanes === 0) return
      const pool = openPool(folder, lanes)
      const waiting = [...shards]
      const late = graceAfter(signal)
      const cut = new Promise<void>((stop) => late.addEventListener('abort', () => stop()))
      const lane = async () => {
        while (!wasStopped(signal)) {
          const shard = waiting.shift()
          if (shard === undefined) return
          const outcome: ShardOutcome = await pool.run(shard).catch((error: unknown) => {
            waiting.length = 0
            if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
            const advice = workers > 1 ? `fewer --workers than ${workers}, ` : ''
            throw new UserError(
              `a worker ran out of memory; try ${advice}a smaller --shard-size, or NODE_OPTIONS=--max-old-space-size=MEGABYTES. Finished shards are kept: the same command resumes`,
            )
          })
          if (outcome === 'stopped') return
          if ('diagnostics' in outcome) waiting.length = 0
          done(reportOf(outcome))
        }
      }
      const ended = whenEnded(pool, folder)
      let whole = true
      ended.catch(() => {
        whole = false
      })
      try {
        // A stopped thread leaves at most a temporary file; its shard is run again.
        await Promise.race([Promise.all(Array.from({ length: lanes }, lane)), ended, cut])
      } finally {
        // The pool waits forever for a thread that has already ended.
        const closed = outsideNative(() => pool.destroy())
        if (whole) await closed
        else closed.catch(() => {})
      }
    },
  }
}

/**
 * Young generation of a worker's heap. By default it is 48 MB (192 in Node 24), and garbage fills it in every worker, with
 * the files of indexes that are read and copied. Below 4 MB, collecting takes more time.
 */
const YOUNG_MB = 6

function openPool(folder: string, lanes: number): Tinypool {
  return new Tinypool({
    filename: builtUrl('experiment/executors/thread.js').href,
    minThreads: lanes,
    maxThreads: lanes,
    workerData: { folder },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    // Options of this process, such as reading from standard input, do not apply to the threads.
    execArgv: [],
    // A thread keeps its session between shards.
    isolateWorkers: false,
    // A thread that sleeps between shards would miss an unhandled rejection.
    useAtomics: false,
  })
}

/** Rejects if a thread ends before the pool is closed; the pool itself would wait forever. */
async function whenEnded(pool: Tinypool, folder: string): Promise<never> {
  const code = await new Promise<number>((resolve, reject) => {
    // An error thrown between two shards belongs to no shard.
    pool.on('error', reject)
    for (const thread of pool.threads) {
      // Without a reference the process would end before the event arrives.
      thread.ref?.()
      // The pool waits for the end with `once` and removes its listeners if the thread throws meanwhile.
      Object.assign(thread, { removeListener: () => thread })
      // The thread's own error, if any, is reported first.
      thread.on('exit', (code) => setImmediate(resolve, code))
    }
  })
  throw endedBy(code, folder)
}

/** Only an exit in a custom file ends a thread silently. */
function endedBy(code: number, folder: string): Error {
  const customFiles = readPlan(folder).experiment.trials.flatMap(({ strategy, sha256 }) =>
    sha256 ? [strategy] : [],
  )
  if (customFiles.length === 0) return new Error(`a worker ended with code ${code} before its work was done`)
  return new UserError(
    [...new Set(customFiles)].map((file) => ({
      file,
      message: `a worker ended with code ${code}: does this file end the process? Your own file must not end the run`,
    })),
  )
}

/** Errors lose their class between threads; a UserError is rebuilt from its diagnostics. */
function reportOf(outcome: Exclude<ShardOutcome, 'stopped'>): ShardReport {
  if ('diagnostics' in outcome) throw new UserError(outcome.diagnostics)
  return outcome
}
