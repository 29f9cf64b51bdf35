import { shellWord } from '../../text/shown-path.ts'
import type { Executor } from './executor.ts'

/** Leaves every shard to external `run-shard` processes; running the same command again collects their parts. */
export function elsewhere(): Executor {
  return {
    name: 'elsewhere',
    async submit(folder, rounds) {
      const shards = rounds.find((round) => round.length > 0) ?? []
      const more = rounds.flat().length > shards.length ? ', the first round of the race' : ''
      return `planned ${shards.length} shards${more}: ${shards[0]} to ${shards.at(-1)}. Run each, anywhere that sees ${folder} and the store: touchstone run-shard --plan ${shellWord(folder)} --shard N. Then the same command without --detach collects them`
    },
    run: () => Promise.reject(new Error('shards that are left to others are not run here')),
  }
}
