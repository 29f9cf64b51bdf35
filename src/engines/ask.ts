import { env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../errors.ts'

/** A request that an engine refuses, in its own words. */
export class Refused extends UserError {
  readonly status: number

  constructor(status: number, urlEnv: string, words: string) {
    super(`the server in ${urlEnv} refuses (${status}): ${words}`)
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
 * Asks a server; asks again while it is busy or does not answer. Throws a UserError when the tries are used up. `read` returns
 * undefined for an error that is not the server's.
 */
export async function askServer<T>(
  urlEnv: string,
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
      if (status !== undefined) throw new Refused(status, urlEnv, words)
      // The message of a connection may hold the address.
      throw new UserError(`the server in ${urlEnv} does not answer (${words})`)
    }
  }
}

/** Address of a server in an environment variable. Throws a UserError if it is missing or is not one of http or https. */
export function addressIn(urlEnv: string, kind: string, example: string): URL {
  const address = env[urlEnv]
  if (!address)
    throw new UserError(
      `${kind} needs an address in the environment variable ${urlEnv}, which is not set, as ${example}`,
    )
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new UserError(`the address in ${urlEnv} is not one of http or https`)
  return new URL(address)
}

/** Port of the address in a variable. A URL forgets the usual port of its protocol, even if it was written. */
export function portIn(urlEnv: string, usual: number): number {
  const address = (env[urlEnv] ?? '').trim()
  const [, written] = /^\w+:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/:?#]*):(\d+)/.exec(address) ?? []
  return written === undefined ? (/^https:/i.test(address) ? 443 : usual) : Number(written)
}

/** Code of a network error, or of what caused it. */
export function networkCode(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string' && /^(E[A-Z]{4,}|UND_ERR_\w+)$/.test(code)) return code
  return cause === undefined || cause === null ? undefined : networkCode(cause)
}
