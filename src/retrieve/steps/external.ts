import { type ExternalCommand, externalSystem } from '../../corpus/external-system.ts'
import { hashRun, type RunFile, runTable } from '../../corpus/run-table.ts'
import type { Reply } from '../../models/external/answer.ts'
import { hashCommand } from '../../models/external/command.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression, sourceById } from '../step.ts'

export { hashCommand, hashRun }

/** The `depth` best chunks of another system, with what it counts. */
export function askExternal(
  query: Expression<Query>,
  command: ExternalCommand,
  depth: number,
): Expression<Ranking> {
  // A step of its own a command: paths are not part of its key, the files' content is.
  const step = defineStep({
    name: 'external',
    version: 1,
    channel: 'external',
    yields: 'ranking',
    artifacts: (recipe, _params: { depth: number }) => ({ system: externalSystem(recipe, command) }),
    counts: ({ counters }: Reply) => counters,
    run: ([asked]: readonly [Query], { params, artifacts }) => artifacts.system.ask(asked, params.depth),
  })
  return step([query], { depth })
}

/** Ranking of a query in another system's run, looked up by its id or text. A query that the run lacks counts as `unanswered`. */
export function rankFromRun(query: Expression<Query>, file: RunFile): Expression<Ranking> {
  // A step of its own a file: the path is not part of its key, the content is.
  const step = defineStep({
    name: 'read-run',
    version: 1,
    channel: 'external',
    yields: 'ranking',
    artifacts: (recipe, _params: null) => ({ run: runTable(recipe, file) }),
    recorded: { artifact: 'run', ...file },
    counts: ({ rows }: Ranking) => ({ unanswered: rows.length === 0 ? 1 : 0 }),
    run: ([query]: readonly [Query], { artifacts }) => artifacts.run.ranking(query),
  })
  return step([sourceById(query.recipe)], null)
}
