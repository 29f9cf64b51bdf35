import { type OutputKind, writeOutput } from '../store/output.ts'

/** Mark by which a page is recognised before it is overwritten. */
export const GENERATOR = 'name="generator" content="Touchstone"'

export const REPORT: OutputKind = {
  name: 'a report of touchstone',
  isOwn: (beginning) => beginning.includes(GENERATOR),
}

/** Writes a page. Throws a UserError if it cannot be written. */
export function writePage(file: string, page: string): string {
  writeOutput(file, page, REPORT)
  return file
}
