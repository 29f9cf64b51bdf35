import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { isAbsolute } from 'node:path'
import { UserError } from '../../errors.ts'
import { sha256 } from '../../store/hash.ts'

/**
 * SHA-256 of each file that a command names by its absolute path, by the word's index. Throws a UserError where the
 * program is not there.
 */
export function hashCommand(command: readonly string[]): Record<string, string> {
  const [program] = command
  if (!isThere(program)) throw new UserError(`there is no command \`${program}\``)
  return Object.fromEntries(
    command.flatMap((word, index) =>
      isAbsolute(word) && existsSync(word) && statSync(word).isFile()
        ? [[index, sha256(readFileSync(word))]]
        : [],
    ),
  )
}

function isThere(program: string): boolean {
  if (isAbsolute(program)) return existsSync(program)
  const [shell, words] =
    platform() === 'win32' ? ['where', [program]] : ['/bin/sh', ['-c', 'command -v -- "$1"', 'sh', program]]
  return spawnSync(shell, words, { stdio: 'ignore' }).status === 0
}
