import { fork } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UserError } from '../errors.ts'
import { readTable } from './parquet.ts'
import type { TableBuilder } from './table.ts'

/** Limits of decoding one file. */
export interface DecodeLimits {
  /** Seconds by the clock. */
  readonly seconds: number
  /** Seconds of CPU time. */
  readonly cpuSeconds: number
}

/**
 * Reads a Parquet file of another program. A damaged file may keep the decoder busy for ever or crash its process, so a
 * child process decodes the file first, within `limits`. Throws a UserError if that fails.
 */
export async function readForeignTable(
  path: string,
  only?: readonly string[],
  limits: DecodeLimits = limitsFor(path),
): Promise<TableBuilder> {
  const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  const key = JSON.stringify([path, size, mtimeMs, only, limits])
  const decoded = tried.get(key) ?? decodeError(path, only, limits)
  tried.set(key, decoded)
  const reason = await decoded
  if (reason === undefined) return readTable(path, only)
  throw new UserError({ file: path, message: `is not a readable Parquet file: ${reason}` })
}

/** Outcomes by file as it was, columns and limits: a command reads some tables several times. */
const tried = new Map<string, Promise<string | undefined>>()

/** The reason why the file cannot be decoded; undefined if it can. */
function decodeError(
  path: string,
  only: readonly string[] | undefined,
  { seconds, cpuSeconds }: DecodeLimits,
): Promise<string | undefined> {
  const script = fileURLToPath(new URL('./decode.js', import.meta.url))
  const decoder = fork(script, [path, JSON.stringify(only ?? null), String(cpuSeconds)], {
    stdio: 'ignore',
    execArgv: [],
  })
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      resolve(`it was not decoded within ${seconds} s; is it damaged?`)
      decoder.kill('SIGKILL')
    }, 1000 * seconds)
    decoder.once('message', ({ message }: { message?: string }) => resolve(message))
    decoder.once('error', ({ message }) => resolve(message))
    // Resolves only if no message came before.
    decoder.once('exit', () => {
      clearTimeout(late)
      resolve('the decoder crashed on it; is it damaged?')
    })
  })
}

/** Adds one second a megabyte: a slow machine decodes 20 MB a second. */
function limitsFor(path: string): DecodeLimits {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  const more = Math.ceil(size / 1e6)
  return { seconds: 60 + more, cpuSeconds: 10 + more }
}
