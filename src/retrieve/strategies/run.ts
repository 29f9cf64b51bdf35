import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { isSource } from '../step.ts'
import { hashRun, rankFromRun } from '../steps/external.ts'
import { defineStrategy } from './define.ts'

/**
 * Another system's run as a trial: its rankings are read, not computed. A query that it lacks scores 0. What
 * `runs` in a config lists becomes trials of this strategy.
 */
export const runStrategy = defineStrategy({
  name: 'run',
  summary: "another system's run (TREC and other formats), scored like a trial",
  source: 'TREC run files; docs/custom-parts.md',
  params: z.strictObject({
    path: z
      .string()
      .min(1)
      .describe('the file: TREC, CSV, Parquet or JSON, plain or gzip; JSONL with texts in place of ids'),
    lenient: z
      .boolean()
      .default(false)
      .describe('leave out ids that the corpus lacks, and accept lines that trec_eval accepts'),
    columns: z
      .partialRecord(z.enum(['query', 'document', 'score']), z.union([z.string(), z.int().min(1)]))
      .optional()
      .describe('columns of a table by name or number from 1, as {document: docno}, if they are ambiguous'),
  }),
  files: ({ path }): Readonly<Record<string, string>> => ({ run: hashRun(path) }),
  retrieve({ query, params }) {
    if (!isSource(query))
      throw new UserError('a run holds rankings of unchanged queries; it takes no `before`')
    return { ranking: rankFromRun(query, params) }
  },
})
