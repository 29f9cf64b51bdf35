import { UserError } from '../errors.ts'
import { readSummary } from './read.ts'
import type { Summary } from './summary.ts'

/** Reads a summary. Throws a UserError for an experiment on a sample. */
export function readWhole(folder: string, read = readSummary): Summary {
  const summary = read(folder)
  const samples = summary.datasets.flatMap(({ sample }) => sample ?? [])
  if (samples.length === 0) return summary
  const [sample] = samples
  throw new UserError({
    file: folder,
    message: `ran on a sample of ${sample.queries} of ${sample.of} queries, which decides nothing; run the config without --limit`,
  })
}
