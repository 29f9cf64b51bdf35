import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeFolder } from '../store/make-folder.ts'
import { writeWhole } from '../store/write.ts'

/** Writes a text, with the folders above it; gzip if the path ends in `.gz`. */
export function writeText(path: string, text: string): void {
  makeFolder(dirname(path))
  writeWhole(path, path.endsWith('.gz') ? gzipSync(text) : text)
}
