import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a text file whole or not at all. */
export function writeWhole(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(fresh, text)
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}
