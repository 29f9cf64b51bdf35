import { addressIn, askServer, type Failed, networkCode, PAUSES, portIn } from '../ask.ts'
import { clientOf } from '../client.ts'
import type * as Chroma from './package.ts'

const VERSION = '3.5.0'

/** The official client of Chroma, with retries and errors that name the variable of the address, never the address. */
export async function openClient(urlEnv: string) {
  const { protocol, hostname, password } = addressIn(urlEnv, 'chroma', 'http://:TOKEN@host:8000')
  const { ChromaClient } = await clientOf<Chroma.Package>('chromadb', VERSION)
  const client = new ChromaClient({
    ...{ host: hostname, ssl: protocol === 'https:' },
    port: portIn(urlEnv, 8000),
    ...(password && { headers: { 'x-chroma-token': decodeURIComponent(password) } }),
  })
  const ask = <T>(request: () => Promise<T>, pauses = PAUSES) => askServer(urlEnv, request, failureOf, pauses)
  await ask(() => client.heartbeat(), PAUSES.slice(0, 2))
  const open = (name: string) => ask(() => client.getCollection({ name, embeddingFunction: null }))
  return { client, ask, open }
}

/** Status of the client's errors, which hold no number. */
const STATUS: Readonly<Record<string, number>> = {
  ChromaClientError: 400,
  ChromaUnauthorizedError: 401,
  ChromaForbiddenError: 403,
  ChromaNotFoundError: 404,
  ChromaUniqueError: 409,
  ChromaQuotaExceededError: 422,
  ChromaRateLimitError: 429,
  ChromaServerError: 503,
}

/** An error of the client; undefined for a bug. */
function failureOf(error: unknown): Failed | undefined {
  const { name, message } = error as Error
  if (name === 'ChromaConnectionError') return { words: 'ECONNREFUSED or cut' }
  // The client's messages of a bad request hold the address.
  if (name in STATUS)
    return { status: STATUS[name], words: message.replace(/https?:\S+/g, 'the server').slice(0, 300) }
  const code = networkCode(error)
  return code === undefined ? undefined : { words: code }
}
