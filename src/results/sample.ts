import { UserError } from '../errors.ts'
import { readSummary } from './read.ts'
import type { Summary } from './summary.ts'

/** Reads the summary of a finished experiment on all queries. Throws a UserError if it ran on a sample. */
export function readWhole(folder: string): Summary {
  const summary = readSummary(folder)
  const { sample } = summary.dataset
  if (!sample) return summary
  throw new UserError({
    file: folder,
    message: `ran on a sample of ${sample.queries} of ${sample.of} queries, which decides nothing; run the config without --limit`,
  })
}
