import { hashRun, type RunFile, type RunTable, runTable } from '../indexes/run-table.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Query, Ranking } from '../types.ts'
import { defineStep, type Expression, sourceById } from './step.ts'

export { hashRun }

/** What another system's run holds for a query, looked up by the query's id. Empty where the run lacks it: counted as `unanswered`. */
export function readRun(query: Expression<Query>, file: RunFile): Expression<Ranking> {
  // A step of its own a file: the path is not part of its key, the content is.
  const step = defineStep<null, [Query], { run: Artifact<RunTable> }, Ranking>({
    name: 'read-run',
    version: 1,
    channel: 'external',
    yields: 'ranking',
    artifacts: (recipe) => ({ run: runTable(recipe, file) }),
    counts: ({ rows }) => ({ unanswered: rows.length === 0 ? 1 : 0 }),
    run: ([{ id }], { artifacts }) => artifacts.run.ranking(id),
  })
  return step([sourceById(query.recipe)], null)
}
