import { type ExternalCommand, externalSystem } from '../indexes/external-system.ts'
import type { Answer } from '../models/external/answer.ts'
import { hashCommand } from '../models/external/command.ts'
import type { ExternalSystem } from '../models/external/system.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Query, Ranking } from '../types.ts'
import { defineStep, type Expression } from './step.ts'

export { hashCommand }

/** The `depth` best chunks of another system, with what it counts. */
export function askExternal(
  query: Expression<Query>,
  command: ExternalCommand,
  depth: number,
): Expression<Ranking> {
  // A step of its own a command: paths are not part of its key, the files' content is.
  const step = defineStep<{ depth: number }, [Query], { system: Artifact<ExternalSystem> }, Answer>({
    name: 'external',
    version: 1,
    channel: 'external',
    yields: 'ranking',
    artifacts: (recipe) => ({ system: externalSystem(recipe, command) }),
    counts: ({ counters }) => counters,
    run: ([asked], { params, artifacts }) => artifacts.system.ask(asked, params.depth),
  })
  return step([query], { depth })
}
