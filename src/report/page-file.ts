import { closeSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../errors.ts'
import { writeWhole } from '../store/write.ts'

/** Stands at the beginning of every page, so that one is known as ours before it is written again. */
export const GENERATOR = '<meta name="generator" content="Touchstone">'

/** Throws a UserError where something stands at `file` that is no report of ours: it is never overwritten. */
export function requireReportFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats || (stats.isFile() && beginningOf(file).includes(GENERATOR))) return
  throw new UserError({
    file,
    message: 'exists and is not a report of touchstone; name another file for the report',
  })
}

function beginningOf(file: string): string {
  const bytes = Buffer.alloc(500)
  const descriptor = openSync(file, 'r')
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

/** Writes a page whole; a UserError where it cannot be. Returns the file's path. */
export function writePage(file: string, page: string): string {
  requireReportFile(file)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeWhole(file, page)
  } catch (error) {
    throw new UserError({
      file,
      message: `cannot be written: ${error instanceof Error ? error.message : error}`,
    })
  }
  return file
}
