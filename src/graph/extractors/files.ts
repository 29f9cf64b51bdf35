import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { UserError } from '../../errors.ts'

/** SHA-256 of a file that a param names. Throws a UserError where it is missing. */
export function fileHash(path: string, param: string): string {
  if (!existsSync(path) || !statSync(path).isFile())
    throw new UserError({ file: path, message: `no such file (${param})` })
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
