import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { UserError } from '../errors.ts'
import { readResults } from '../results/read.ts'
import { writeWhole } from '../results/write.ts'
import { detailMeasures } from './detail/scores.ts'
import { renderReport } from './page.ts'

/** Renders an experiment folder to `file`, from result files alone. Returns the file's path. */
export async function writeReport(folder: string, file: string): Promise<string> {
  return writePage(file, renderReport(await readResults(folder, detailMeasures)))
}

/** Writes a page whole; a UserError where it cannot be. Returns the file's path. */
export function writePage(file: string, page: string): string {
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
