import { fork } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UserError } from '../errors.ts'
import { readTable } from './parquet.ts'
import type { TableBuilder } from './table.ts'

/**
 * Reads a Parquet file that somebody else wrote. Of one that is damaged the decoder may come to no end, or take its
 * process with it, so it is decoded once in a process of its own, within `seconds` by the clock and `computing` seconds of
 * work. Throws a UserError where that does not succeed.
 */
export async function readForeignTable(
  path: string,
  only?: readonly string[],
  seconds = 60 + secondsFor(path),
  computing = 10 + secondsFor(path),
): Promise<TableBuilder> {
  const reason = await tryOut(path, only, seconds, computing)
  if (reason === undefined) return readTable(path, only)
  throw new UserError({ file: path, message: `is not a readable Parquet file: ${reason}` })
}

/** Why the file cannot be decoded, if it cannot. */
function tryOut(
  path: string,
  only: readonly string[] | undefined,
  seconds: number,
  computing: number,
): Promise<string | undefined> {
  const script = fileURLToPath(new URL('./decode.js', import.meta.url))
  const decoder = fork(script, [path, JSON.stringify(only ?? null), String(computing)], {
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
    // The last word where there was none before.
    decoder.once('exit', () => {
      clearTimeout(late)
      resolve('the decoder crashed on it; is it damaged?')
    })
  })
}

/** One second a megabyte: a slow machine decodes twenty. */
function secondsFor(path: string): number {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return Math.ceil(size / 1e6)
}
