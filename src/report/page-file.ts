import { type OutputKind, writeOutput } from '../store/output.ts'

/** Mark at the beginning of every page, which shows that a file is ours before it is overwritten. */
export const GENERATOR = 'name="generator" content="Touchstone"'

export const REPORT: OutputKind = {
  name: 'a report of touchstone',
  isOwn: (beginning) => beginning.includes(GENERATOR),
}

/** Writes a page whole; a UserError if it cannot be written. Returns the file's path. */
export function writePage(file: string, page: string): string {
  writeOutput(file, page, REPORT)
  return file
}
