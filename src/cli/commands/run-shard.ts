import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { UserError } from '../../errors.ts'
import { inProcess } from '../../experiment/executors/in-process.ts'
import { threads } from '../../experiment/executors/threads.ts'
import { readPlan } from '../../experiment/plan/plan.ts'
import { shardsOf } from '../../experiment/plan/shards.ts'
import { findParts } from '../../experiment/shard/parts.ts'
import { defineCommand } from '../command.ts'

/** Environment variables with the task number of a job array: Slurm, and indexed Kubernetes jobs. */
const TASKS = ['SLURM_ARRAY_TASK_ID', 'JOB_COMPLETION_INDEX'] as const

export const runShard = defineCommand({
  args: {},
  options: {
    plan: { kind: 'text', value: 'DIR', summary: 'folder of the experiment, with plan.json' },
    shard: {
      kind: 'list',
      value: 'N',
      summary: `shard number from 0; may be repeated (default: ${TASKS.join(' or ')} of the environment)`,
    },
    workers: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 256,
      default: 1,
      summary: 'worker threads, if there are several shards',
    },
  },
  examples: [
    'touchstone run-shard --plan experiments/quickstart --shard 0',
    'touchstone run-shard --plan experiments/quickstart --shard 1 --shard 2 --workers 2',
  ],
  interrupted: 'parts that are written stay',
  async run({ options, io, signal }) {
    if (options.plan === undefined) throw new UserError('name the experiment: --plan DIR')
    const folder = resolve(io.folder, options.plan)
    const plan = readPlan(folder)
    const count = shardsOf(plan).length
    const shards = shardsAsked(options.shard, io.env, count)
    const there = findParts(folder, plan.hash, new Set(shards))
    const missing = shards.filter((shard) => !there.has(shard))
    const workers = Math.min(options.workers, missing.length)
    const executor = workers > 1 ? threads(workers) : inProcess(() => performance.now())
    const done: number[] = []
    await executor.run(folder, missing, ({ shard }) => done.push(shard), signal)
    done.sort((a, b) => a - b)
    if (options.json) io.json({ shards, ran: done })
    else if (missing.length === 0) io.out(`${named(shards)} of ${count} done already`)
    else if (done.length > 0) io.out(`${named(done)} of ${count} done`)
  },
})

const named = (shards: readonly number[]) => `shard${shards.length > 1 ? 's' : ''} ${shards.join(', ')}`

/** Parses shard numbers. Throws a UserError with every number that is not a shard. */
function shardsAsked(
  given: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  count: number,
): number[] {
  const variable = TASKS.find((name) => env[name] !== undefined)
  const words = given.length > 0 ? given : variable ? [env[variable] as string] : []
  if (words.length === 0) throw new UserError(`name the shard: --shard N, or set ${TASKS.join(' or ')}`)
  const of = given.length > 0 ? '--shard' : variable
  const wrong = words.filter((word) => !/^\d+$/.test(word) || Number(word) >= count)
  if (wrong.length > 0)
    throw new UserError(wrong.map((word) => ({ message: `${of} is from 0 to ${count - 1}, not ${word}` })))
  return [...new Set(words.map(Number))]
}
