import { renameSync, writeFileSync } from 'node:fs'

/** Writes a text file whole or not at all. */
export function writeWhole(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.tmp`
  writeFileSync(fresh, text)
  renameSync(fresh, path)
}
