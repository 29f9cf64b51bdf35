import type { Client } from '@opensearch-project/opensearch'
import { UserError } from '../../errors.ts'
import { addressIn, askServer, type Failed, PAUSES, Refused } from '../ask.ts'
import { clientOf } from '../client.ts'

/** The official client of OpenSearch, with retries and errors that name the variable of the address, never the address. */

const PACKAGE = '@opensearch-project/opensearch'
const VERSION = '3.9.0'

export { type Client, Refused }

/** Opens a client. Throws a UserError if the address is missing or the package is not installed. */
export async function openClient(urlEnv: string): Promise<Client> {
  const node = addressIn(urlEnv, 'opensearch', 'https://user:password@host:9200').href
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

export const versionOf = (urlEnv: string): Promise<string> =>
  withClient(urlEnv, async (client) => (await ask(urlEnv, () => client.info())).body.version.number)

interface Version {
  readonly distribution?: string
  readonly number?: string
}

/** Oldest versions: OpenSearch whose searches of a graph take `ef_search`, and Elasticsearch, which names no distribution. */
const OLDEST: Readonly<Record<string, readonly [number, number]>> = {
  opensearch: [2, 16],
  elasticsearch: [7, 0],
}

function requireVersion(urlEnv: string, { distribution = 'elasticsearch', number = '' }: Version = {}): void {
  const [major, minor] = number.split('.').map(Number)
  const [oldest, least] = OLDEST[distribution] ?? [Number.POSITIVE_INFINITY, 0]
  if (major > oldest || (major === oldest && minor >= least)) return
  throw new UserError(
    `the server in ${urlEnv} is ${distribution} ${number}; this needs OpenSearch 2.16 or Elasticsearch 7.0, or newer`,
  )
}

/** Number of documents in an index. A shard that is missing is waited for, and then an error: a part is no count. */
export function countIn(client: Client, urlEnv: string, index: string): Promise<number> {
  return ask(urlEnv, async () => {
    const { count, _shards } = (await client.count({ index })).body
    const missing = _shards.total - _shards.successful
    if (missing > 0) throw refusedLater(`${missing} of ${_shards.total} shards of ${index} do not answer`)
    return count
  })
}

/** An error as the client throws it for a server that is busy. */
const refusedLater = (error: string) =>
  Object.assign(new Error(error), { name: 'ResponseError', meta: { statusCode: 503, body: { error } } })

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

/** Asks OpenSearch; asks again while it is busy or does not answer. */
export const ask = <T>(urlEnv: string, request: () => Promise<T>, pauses = PAUSES): Promise<T> =>
  askServer(urlEnv, request, failureOf, pauses)

function failureOf(error: unknown): Failed | undefined {
  const { name, message, meta } = error as ClientError
  const status = name === 'ResponseError' ? meta?.statusCode : undefined
  if (status !== undefined)
    return { status, words: wordsOf(meta?.body) || message, final: isBlocked(status, meta?.body) }
  if (!/^(Connection|Timeout|NoLivingConnections)Error$/.test(name)) return undefined
  return { words: codeIn(message) ?? name }
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
