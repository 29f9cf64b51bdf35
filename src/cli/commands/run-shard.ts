import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { UserError } from '../../errors.ts'
import { runAndWrite } from '../../run/run-shard.ts'
import { openSession } from '../../shard/session.ts'
import { defineCommand } from '../command.ts'

export const runShard = defineCommand({
  name: 'run-shard',
  summary: 'run one shard of a planned experiment, for executors on other machines',
  args: {},
  options: {
    plan: { kind: 'text', value: 'DIR', summary: "the experiment's folder, which holds plan.json" },
    shard: { kind: 'integer', value: 'N', min: 0, summary: 'which shard, from 0' },
  },
  examples: ['touchstone run-shard --plan experiments/quickstart --shard 0'],
  async run({ options, io }) {
    if (options.plan === undefined || options.shard === undefined)
      throw new UserError('name both --plan and --shard')
    const session = await openSession(resolve(io.folder, options.plan))
    const shards = session.shards.length
    if (options.shard >= shards)
      throw new UserError(`--shard is from 0 to ${shards - 1}, not ${options.shard}`)
    const report = await runAndWrite(session, options.shard, () => performance.now())
    if (options.json) io.json(report)
    else io.out(`shard ${options.shard} of ${shards} is done`)
  },
})
