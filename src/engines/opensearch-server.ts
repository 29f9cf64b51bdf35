import type { Client } from '@opensearch-project/opensearch'
import { UserError } from '../errors.ts'
import type { Connection, Server } from './define.ts'
import { askServer, clientOf, type Failed, PAUSES, Refused, urlIn } from './server.ts'

/** The official client of OpenSearch, with retries and errors that name the variable of the address, never the address. */

const VARIABLE = 'TOUCHSTONE_OPENSEARCH'
const WHO = `the server in ${VARIABLE}`
const PACKAGE = '@opensearch-project/opensearch'
const VERSION = '3.9.0'
/** Oldest version: its searches of a graph take `ef_search`. */
const [MAJOR, MINOR] = [2, 16]

/** Part of a query. */
export type Clause = Readonly<Record<string, unknown>>

interface Hit {
  readonly _score: number
  readonly sort?: readonly (number | string)[]
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
}

export interface OpenSearch extends Connection {
  readonly client: Client
  /** Runs a search over all shards. A part that is missing is an error, never a shorter ranking. */
  search(
    index: string,
    request: Readonly<Record<string, unknown>>,
    depth: number,
  ): Promise<{ readonly hits: readonly Hit[]; readonly took: number }>
}

export const server: Server<OpenSearch> = {
  kind: 'opensearch',
  who: WHO,
  noun: 'index',
  async connect() {
    const node = urlIn(VARIABLE, 'opensearch', 'https://user:password@host:9200').href
    const { Client } = await clientOf<typeof import('@opensearch-project/opensearch')>(PACKAGE, VERSION)
    const client = new Client({ node, maxRetries: 0, requestTimeout: 60_000 })
    try {
      // A wrong address is reported at once; a server that answered before is waited for.
      const { body } = await ask(() => client.info(), PAUSES.slice(0, 2))
      requireVersion(body.version)
    } catch (error) {
      await client.close()
      throw error
    }
    return {
      client,
      version: async () => (await ask(() => client.info())).body.version.number,
      state: (index) => stateOf(client, index),
      search: (index, request, depth) => search(client, index, request, depth),
      async remove(index) {
        await ask(() => client.indices.delete({ index }))
      },
      close: () => client.close(),
    }
  },
}

function requireVersion({
  distribution,
  number = '',
}: {
  distribution?: string
  number?: string
} = {}): void {
  const [major, minor] = number.split('.').map(Number)
  if (distribution === 'opensearch' && (major > MAJOR || (major === MAJOR && minor >= MINOR))) return
  throw new UserError(
    `${WHO} is ${distribution ?? 'another server'} ${number}; this needs OpenSearch ${MAJOR}.${MINOR} or newer`,
  )
}

async function stateOf(client: Client, index: string) {
  try {
    const { body } = await ask(() => client.indices.getMapping({ index }))
    const isOurs = body[index]?.mappings?._meta?.touchstone !== undefined
    return { isOurs, rows: isOurs ? await countIn(client, index) : 0 }
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Number of documents in an index. A shard that is missing is waited for, and then an error: a part is no count. */
function countIn(client: Client, index: string): Promise<number> {
  return ask(async () => {
    const { count, _shards } = (await client.count({ index })).body
    const missing = _shards.total - _shards.successful
    if (missing > 0)
      throw responseError(503, `${missing} of ${_shards.total} shards of ${index} do not answer`)
    return count
  })
}

async function search(
  client: Client,
  index: string,
  request: Readonly<Record<string, unknown>>,
  depth: number,
) {
  try {
    const { body } = await ask(() =>
      client.search({
        index,
        search_type: 'dfs_query_then_fetch',
        allow_partial_search_results: false,
        body: { ...request, size: depth, _source: false, track_total_hits: false } as never,
      }),
    )
    const { failed, total } = body._shards
    if (body.timed_out || failed > 0)
      throw new UserError(`${WHO} searched only a part of ${index}: ${failed} of ${total} shards failed`)
    return { hits: body.hits.hits as unknown as readonly Hit[], took: body.took }
  } catch (error) {
    // A query that the engine cannot take, as one of too many words, is that query's failure.
    if (error instanceof Refused && error.status === 400) throw new Error(error.message)
    throw error
  }
}

/** An error as the client throws it, so that a busy server is waited for. */
export const responseError = (statusCode: number, error: unknown) =>
  Object.assign(new Error('refused'), { name: 'ResponseError', meta: { statusCode, body: { error } } })

interface ClientError {
  readonly name: string
  readonly message: string
  readonly meta?: { readonly statusCode?: number; readonly body?: ErrorBody }
}

type ErrorBody = { readonly error?: { readonly type?: string; readonly reason?: string } | string }

/** Asks OpenSearch; asks again while it is busy or does not answer. */
export const ask = <T>(request: () => Promise<T>, pauses = PAUSES): Promise<T> =>
  askServer(VARIABLE, request, failureOf, pauses)

function failureOf(error: unknown): Failed | undefined {
  const { name, message, meta } = error as ClientError
  const status = name === 'ResponseError' ? meta?.statusCode : undefined
  if (status !== undefined) {
    const words = wordsOf(meta?.body)
    // An index takes no writes, as on a full disk: waiting does not help. A cluster that starts (503) is another case.
    const final = status === 429 && words.startsWith('cluster_block_exception')
    return { status, words: words || message, final }
  }
  if (!/^(Connection|Timeout|NoLivingConnections)Error$/.test(name)) return undefined
  return { words: /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? name }
}

function wordsOf(body: ErrorBody | undefined): string {
  const error = body?.error
  if (typeof error === 'string') return error.slice(0, 300)
  return [error?.type, error?.reason]
    .filter((word) => word !== undefined)
    .join(': ')
    .slice(0, 300)
}
