import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../src/errors.ts'

/** Environment that `installPeers` makes; no part of the repository. */
const INSTALLED = join(import.meta.dirname, '..', 'node_modules', '.cache', 'peers')
const PYTHON = join(INSTALLED, 'bin', 'python')

/** Installs the libraries that are measured next to ours. Throws a UserError with the reason if they cannot be. */
export function installPeers(): void {
  const call = (program: string, words: readonly string[]) => {
    const { status, error, stderr } = spawnSync(program, words, { encoding: 'utf8' })
    if (status !== 0)
      throw new UserError(
        `--write measures other libraries too, and they cannot be installed: ${program} ${words.join(' ')}: ${error?.message ?? stderr.trim()}`,
      )
  }
  call('python3', ['-m', 'venv', INSTALLED])
  call(PYTHON, ['-m', 'pip', 'install', '--quiet', '-r', join(import.meta.dirname, 'requirements.txt')])
}

/**
 * Result of a function of bench/peers.py over files, which it reads from its folder; undefined if Python lacks its
 * packages. The variable PYTHON names another interpreter. Throws if `installPeers` was called and the script fails.
 */
export function askPeer<T>(
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): T | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'))
  try {
    for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
    const python = process.env.PYTHON ?? (existsSync(PYTHON) ? PYTHON : 'python3')
    const { status, stdout, stderr } = spawnSync(
      python,
      [join(import.meta.dirname, 'peers.py'), name, folder],
      { encoding: 'utf8' },
    )
    // What was installed is measured: a page must not lose a peer in silence.
    if (status !== 0 && existsSync(PYTHON)) throw new Error(`bench/peers.py ${name}: ${stderr.trim()}`)
    return status === 0 ? (JSON.parse(stdout) as T) : undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bytes of an array, as numpy reads them from a file. */
export function bytesOf({
  buffer,
  byteOffset,
  byteLength,
}: Uint32Array | Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
