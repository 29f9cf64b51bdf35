import { type ChildProcess, fork } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UserError } from '../errors.ts'
import { readTable } from './parquet.ts'
import type { TableBuilder } from './table.ts'

export interface DecodeLimits {
  readonly seconds: number
  /** Seconds of CPU time. */
  readonly cpuSeconds: number
}

/**
 * Reads a Parquet file of another program. A damaged one may hang or crash the decoder, so a child process decodes it
 * first, within `limits`.
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
  throw new UserError(`is not a readable Parquet file: ${reason}`, path)
}

/** Errors by file as it was, columns and limits: a command reads some tables several times. */
const tried = new Map<string, Promise<string | undefined>>()

/** Milliseconds without a file after which the decoder ends. */
const IDLE = 1000

/** Process that decodes one file after another: its start takes longer than most files. */
let running: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

function decodeError(
  path: string,
  only: readonly string[] | undefined,
  limits: DecodeLimits,
): Promise<string | undefined> {
  const decoded = last.then(() => decode(path, only, limits))
  last = decoded
  return decoded
}

function decode(
  path: string,
  only: readonly string[] | undefined,
  { seconds, cpuSeconds }: DecodeLimits,
): Promise<string | undefined> {
  clearTimeout(idle)
  const decoder = running ?? startDecoder()
  running = decoder
  return new Promise((resolve) => {
    const late = setTimeout(
      () => end({ message: `it was not decoded within ${seconds} s; is it damaged?` }),
      1000 * seconds,
    )
    /** `goesOn`: the decoder takes another file. */
    function end({ message, goesOn = false }: { readonly message?: string; readonly goesOn?: boolean }) {
      clearTimeout(late)
      decoder.off('message', end).off('error', end).off('exit', crash)
      if (goesOn) idle = setTimeout(() => stop(decoder), IDLE).unref()
      else stop(decoder)
      resolve(message)
    }
    const crash = () => end({ message: 'the decoder crashed on it; is it damaged?' })
    decoder.on('message', end).on('error', end).on('exit', crash)
    decoder.send({ path, columns: only ?? null, seconds: cpuSeconds })
  })
}

function startDecoder(): ChildProcess {
  const script = fileURLToPath(new URL('./decode.js', import.meta.url))
  const decoder = fork(script, { stdio: 'ignore', execArgv: [] })
  // It keeps no process alive: the limit by the clock does while a file is decoded.
  decoder.unref()
  decoder.channel?.unref()
  return decoder.once('exit', () => stop(decoder))
}

function stop(decoder: ChildProcess): void {
  if (running === decoder) running = undefined
  decoder.kill('SIGKILL')
}

/** Adds one second a megabyte: a slow machine decodes 20 MB a second. */
function limitsFor(path: string): DecodeLimits {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  const more = Math.ceil(size / 1e6)
  return { seconds: 60 + more, cpuSeconds: 10 + more }
}
