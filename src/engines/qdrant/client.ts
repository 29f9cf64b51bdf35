import type { QdrantClient } from '@qdrant/js-client-rest'
import type { Json } from '../../types.ts'
import { addressIn, askServer, type Failed, networkCode, PAUSES, portIn } from '../ask.ts'
import { clientOf } from '../client.ts'

const VERSION = '1.17.0'

/** The official client of Qdrant, with retries and errors that name the variable of the address, never the address. */
export async function openClient(urlEnv: string) {
  const { protocol, hostname, pathname, password } = addressIn(urlEnv, 'qdrant', 'http://:API-KEY@host:6333')
  const { QdrantClient } = await clientOf<typeof import('@qdrant/js-client-rest')>(
    '@qdrant/js-client-rest',
    VERSION,
  )
  const client: QdrantClient = new QdrantClient({
    // The client takes 6333 for the usual port of a URL's protocol.
    ...{ host: hostname, https: protocol === 'https:', port: portIn(urlEnv, 6333) },
    ...(pathname !== '/' && { prefix: pathname }),
    ...(password && { headers: { 'api-key': decodeURIComponent(password) } }),
    ...{ checkCompatibility: false, timeout: 60_000 },
  })
  const ask = <T>(request: () => Promise<T>, pauses = PAUSES) => askServer(urlEnv, request, failureOf, pauses)
  // A wrong address is said at once; a server that answered before is waited for.
  await ask(() => client.versionInfo(), PAUSES.slice(0, 2))
  return { client, ask }
}

/** An error of the client; undefined for a bug. */
function failureOf(error: unknown): Failed | undefined {
  const { name, status, data } = error as { name?: string; status?: number; data?: { status?: Json } }
  if (typeof status === 'number') {
    const said = data?.status as { error?: string } | string | undefined
    const words = typeof said === 'object' ? said.error : said
    return { status, words: (words ?? 'no reason').slice(0, 300) }
  }
  if (name === 'QdrantClientResourceExhaustedError') return { status: 429, words: 'too many requests' }
  if (name === 'QdrantClientTimeoutError') return { words: 'TimeoutError' }
  const isNetwork = name === 'TypeError' && (error as Error).message === 'fetch failed'
  return isNetwork ? { words: networkCode(error) ?? 'no connection' } : undefined
}
