import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { UserError } from '../errors.ts'
import { makeFolder } from '../store/make-folder.ts'
import { writeWhole } from '../store/write.ts'
import type { QrelsFile } from './types.ts'

/** Writes a text, with the folders above it; gzip if the path ends in `.gz`. */
export function writeText(path: string, text: string): void {
  makeFolder(dirname(path))
  writeWhole(path, path.endsWith('.gz') ? gzipSync(text) : text)
}

/** For formats without a place for OR-groups: losing them silently would change every measure. */
export function refuseGroups(path: string, groups: QrelsFile['groups']): void {
  if (groups.size > 0)
    throw new UserError({
      file: path,
      message: 'cannot hold OR-groups of gold in this format; write csv, parquet or beir',
    })
}
