import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { UserError } from '../errors.ts'
import { writeWhole } from '../store/write.ts'
import type { QrelsFile } from './types.ts'

/** Writes a text; gzip where the path ends in `.gz`. */
export function writeText(path: string, text: string): void {
  writeWhole(path, path.endsWith('.gz') ? gzipSync(text) : text)
}

/** Throws a UserError where something stands at `path`: what it is cannot be told, so it is never overwritten. */
export function requireNewFile(path: string): void {
  if (existsSync(path))
    throw new UserError({ file: path, message: 'is there already; delete it, or name another file' })
}

/** For formats without a place for OR-groups: losing them silently would change every measure. */
export function refuseGroups(path: string, groups: QrelsFile['groups']): void {
  if (groups.size > 0)
    throw new UserError({
      file: path,
      message: 'cannot hold OR-groups of gold in this format; write csv, parquet or beir',
    })
}
