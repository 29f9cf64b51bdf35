import { UserError } from '../errors.ts'

/** Messages for errors of a disk; earlier results are never lost by them. */
const REFUSED: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the quota of the disk is used up; free some space',
  EFBIG: 'the file grew beyond the limit of the file system or of `ulimit -f`; raise it',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EIO: 'the disk failed to read or write',
}

const MISNAMED: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of this path is a file, not a folder',
  EEXIST: 'a file or folder of this name exists',
  EISDIR: 'is a folder, not a file',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links form a circle',
}

/** Error of a disk as a UserError with a remedy; undefined for any other error. */
export function diskError(error: unknown): UserError | undefined {
  const { code, path, message } = (error ?? {}) as NodeJS.ErrnoException
  if (code === undefined) return undefined
  const reason = REFUSED[code] && `${REFUSED[code]}, then run the same command again: nothing is lost`
  const told = reason ?? MISNAMED[code]
  if (told === undefined) return undefined
  const where = path ?? /'([^']+)'/.exec(message)?.[1]
  return new UserError({ file: where, message: told })
}
