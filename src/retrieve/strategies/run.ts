import { z } from 'zod'
import { hashRun, type RunFile, runTable } from '../../corpus/run-table.ts'
import { UserError } from '../../errors.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression, isSource, sourceById } from '../step.ts'
import { defineStrategy } from './index.ts'

/** Ranking of a query in another system's run, by id or text. Missing queries are counted as `unanswered`. */
function rankFromRun(query: Expression<Query>, file: RunFile): Expression<Ranking> {
  // A step of its own a file: the path is not part of its key, the content is.
  const step = defineStep({
    name: 'read-run',
    channel: 'external',
    artifacts: (recipe) => ({ run: runTable(recipe, file) }),
    recorded: { artifact: 'run', ...file },
    facts: ({ rows, calls }: Ranking) => ({
      counts: { unanswered: rows.length + (calls?.length ?? 0) === 0 ? 1 : 0 },
    }),
    run: ([query]: [Query], { artifacts }) => artifacts.run.ranking(query),
  })
  return step([sourceById(query.recipe)])
}

const file = (of: string) => z.string().min(1).optional().describe(of)

const params = z
  .strictObject({
    path: file('the file: TREC, CSV, Parquet or JSON, plain or gzip; JSONL with texts in place of ids'),
    trajectory: file("in place of `path`: an agent's calls as JSONL, or spans as OTLP/JSON").meta({
      path: true,
    }),
  })
  .refine(
    ({ path, trajectory }) => (path === undefined) !== (trajectory === undefined),
    'needs `path` or `trajectory`, one of them',
  )

function fileOf({ path = '', trajectory }: z.output<typeof params>): RunFile {
  return trajectory === undefined ? { path } : { path: trajectory, isTrajectory: true }
}

export default defineStrategy({
  name: 'run',
  summary: "another system's run (TREC and other formats), scored like a trial",
  source: 'TREC run files; docs/custom-parts.md',
  params,
  files: (params): Readonly<Record<string, string>> => ({ run: hashRun(fileOf(params).path) }),
  make: (params) => ({
    retrieve(query) {
      if (!isSource(query))
        throw new UserError('a run holds rankings of unchanged queries; it takes no `before`')
      return { ranking: rankFromRun(query, fileOf(params)) }
    },
  }),
})
