import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cwd, env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { UserError } from '../errors.ts'

export class Refused extends UserError {
  readonly status: number

  constructor(status: number, variable: string, words: string) {
    super(`the server in ${variable} refuses (${status}): ${words}`)
    this.status = status
  }
}

/** An error as a client throws it. Without `status` the server has not answered, and `words` are the network's code. */
export interface Failed {
  readonly status?: number | undefined
  readonly words: string
  /** True if waiting does not help, whatever the status. */
  readonly final?: boolean
}

const BUSY = new Set([429, 502, 503, 504])
/** Pauses between tries, in milliseconds: a node that restarts has about a minute. */
export const PAUSES = [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000]

/**
 * Asks again while the server is busy or does not answer. Throws a UserError when the tries are used up. `read` returns
 * undefined for an error that is not the server's.
 */
export async function askServer<T>(
  variable: string,
  request: () => Promise<T>,
  read: (error: unknown) => Failed | undefined,
  pauses: readonly number[] = PAUSES,
): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return await request()
    } catch (error) {
      if (error instanceof UserError) throw error
      const failed = read(error)
      if (!failed) throw error
      const { status, words, final = false } = failed
      if (round < pauses.length && !final && (status === undefined || BUSY.has(status))) {
        await sleep(pauses[round])
        continue
      }
      if (status !== undefined) throw new Refused(status, variable, words)
      // The message of a connection may hold the address.
      throw new UserError(`the server in ${variable} does not answer (${words})`)
    }
  }
}

/** Address of an engine in an environment variable. Throws a UserError if it is not set. */
export function addressIn(variable: string, kind: string, example: string): string {
  const address = env[variable]
  if (address) return address
  throw new UserError(
    `${kind} needs an address in the environment variable ${variable}, which is not set, as ${example}`,
  )
}

/** Address of a server in an environment variable. Throws a UserError if it is missing or is not one of http or https. */
export function urlIn(variable: string, kind: string, example: string): URL {
  const address = addressIn(variable, kind, example)
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new UserError(`the address in ${variable} is not one of http or https`)
  return new URL(address)
}

export function networkCode(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && /^(E[A-Z]{4,}|UND_ERR_\w+)$/.test(code)) return code
  return cause === undefined || cause === null ? undefined : networkCode(cause)
}

/**
 * Imports an engine's client, an optional package: first from touchstone's own packages, then from the working folder. Throws
 * a UserError with the command that installs it.
 */
export async function clientOf<T>(name: string, version: string): Promise<T> {
  try {
    return (await import(name)) as T
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    const file = createRequire(join(cwd(), 'any.js')).resolve(name)
    return (await import(pathToFileURL(file).href)) as T
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new UserError(
      `this needs the package ${name}, which is not installed here. In the folder where you call touchstone: npm install ${name}@${version}`,
    )
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
