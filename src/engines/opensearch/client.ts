import { env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@opensearch-project/opensearch'
import { UserError } from '../../errors.ts'
import { clientOf } from '../client.ts'

/** The official client of OpenSearch, with retries and errors that name the variable of the address, never the address. */

const PACKAGE = '@opensearch-project/opensearch'
const VERSION = '3.9.0'

export type { Client }

/** Opens a client. Throws a UserError if the address is missing or the package is not installed. */
export async function openClient(urlEnv: string): Promise<Client> {
  const node = env[urlEnv]
  if (!node)
    throw new UserError(
      `opensearch needs an address in the environment variable ${urlEnv}, which is not set, as https://user:password@host:9200`,
    )
  if (!URL.canParse(node) || !/^https?:$/.test(new URL(node).protocol))
    throw new UserError(`the address in ${urlEnv} is not one of http or https`)
  const { Client } = await clientOf<typeof import('@opensearch-project/opensearch')>(PACKAGE, VERSION)
  const client = new Client({ node, maxRetries: 0, requestTimeout: 60_000 })
  try {
    // A wrong address is said at once; a server that answered before is waited for.
    const { body } = await ask(urlEnv, () => client.info(), PAUSES.slice(0, 2))
    requireVersion(urlEnv, body.version as Version | undefined)
    return client
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Calls `use` with a client and closes it. */
export async function withClient<T>(urlEnv: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = await openClient(urlEnv)
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

interface Version {
  readonly distribution?: string
  readonly number?: string
}

/** The first version whose searches of a graph take `ef_search`. */
const OLDEST = [2, 16]

function requireVersion(urlEnv: string, { distribution = 'no OpenSearch', number = '' }: Version = {}): void {
  const [major, minor] = number.split('.').map(Number)
  const isNew = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  if (distribution === 'opensearch' && isNew) return
  throw new UserError(
    `the server in ${urlEnv} is ${distribution} ${number}; this needs OpenSearch ${OLDEST.join('.')} or newer`,
  )
}

export async function countIn(client: Client, urlEnv: string, index: string): Promise<number> {
  return (await ask(urlEnv, () => client.count({ index }))).body.count
}

interface ClientError {
  readonly name: string
  readonly message: string
  readonly statusCode?: number
  readonly meta?: {
    readonly statusCode?: number
    readonly body?: { readonly error?: { readonly type?: string; readonly reason?: string } | string }
    readonly meta?: unknown
  }
}

/** A request that OpenSearch refuses, in its own words. */
export class Refused extends UserError {
  readonly status: number

  constructor(status: number, urlEnv: string, words: string) {
    super(`the server in ${urlEnv} refuses (${status}): ${words}`)
    this.status = status
  }
}

const BUSY = new Set([429, 502, 503, 504])
/** Pauses between tries, in milliseconds: a node that restarts has about a minute. */
const PAUSES = [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000]

/** Asks the server; asks again while it is busy or does not answer. Throws a UserError when the tries are used up. */
export async function ask<T>(urlEnv: string, request: () => Promise<T>, pauses = PAUSES): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return await request()
    } catch (error) {
      if (error instanceof UserError) throw error
      const { name, message, meta } = error as ClientError
      const status = name === 'ResponseError' ? meta?.statusCode : undefined
      if (status === undefined && !/^(Connection|Timeout|NoLivingConnections)Error$/.test(name)) throw error
      const isBusy = status === undefined || (BUSY.has(status) && !isBlocked(status, meta?.body))
      if (round < pauses.length && isBusy) {
        await sleep(pauses[round])
        continue
      }
      if (status !== undefined) throw new Refused(status, urlEnv, wordsOf(meta?.body) || message)
      // The message of a connection may hold the address.
      throw new UserError(`the server in ${urlEnv} does not answer (${codeIn(message) ?? name})`)
    }
  }
}

/** True if an index takes no writes, as on a full disk: waiting does not help. A cluster that starts (503) is another case. */
const isBlocked = (status: number, body: NonNullable<ClientError['meta']>['body']) =>
  status === 429 && wordsOf(body).startsWith('cluster_block_exception')

function wordsOf(body: NonNullable<ClientError['meta']>['body']): string {
  const error = body?.error
  if (typeof error === 'string') return error.slice(0, 300)
  return [error?.type, error?.reason]
    .filter((word) => word !== undefined)
    .join(': ')
    .slice(0, 300)
}

const codeIn = (message: string) => /\bE[A-Z]{4,}\b/.exec(message)?.[0]
