import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { UserError } from '../errors.ts'
import type { QrelsFile } from './types.ts'

/** Writes a text under a temporary name and renames it; gzip where the path ends in `.gz`. */
export function writeText(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.tmp`
  try {
    writeFileSync(fresh, path.endsWith('.gz') ? gzipSync(text) : text)
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** For formats without a place for OR-groups: losing them silently would change every measure. */
export function refuseGroups(path: string, groups: QrelsFile['groups']): void {
  if (groups.size > 0)
    throw new UserError({
      file: path,
      message: 'cannot hold OR-groups of gold in this format; write csv, parquet or beir',
    })
}
