import { UserError } from '../errors.ts'
import type { Embedding } from './embedder.ts'

/** A server's embeddings endpoint: POST `baseUrl`/embeddings with `{model, input}`, as OpenAI's and most local servers'. */
export interface EndpointOptions {
  readonly baseUrl: string
  readonly model: string
  /** Sent as `dimensions` where given: some models shorten their vectors. */
  readonly dims?: number
  readonly apiKey?: string
  /** Texts a request. */
  readonly textsPerRequest: number
  readonly wait: (milliseconds: number) => Promise<unknown>
}

const ATTEMPTS = 5
const FIRST_WAIT = 500
const LONGEST_WAIT = 60_000
const TIMEOUT = 120_000

/**
 * Embeds through the endpoint, L2-normalised. Requests that a server is too busy for (429), that fail in it (5xx) or on
 * the way are tried up to 5 times, waiting twice as long each time, or as long as the server asks for. Throws a
 * UserError where the server refuses, stays away, or answers something else.
 */
export function openEndpoint(options: EndpointOptions): Embedding {
  const { baseUrl, model, dims, apiKey, textsPerRequest, wait } = options
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`
  const fail = (message: string) =>
    new UserError(`${url}: ${apiKey ? message.replaceAll(apiKey, '***') : message}`)

  async function ask(input: readonly string[]): Promise<number[][]> {
    let problem = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let pause = FIRST_WAIT * 2 ** attempt
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey && { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify({ model, input, dimensions: dims, encoding_format: 'float' }),
          signal: AbortSignal.timeout(TIMEOUT),
        })
        if (response.ok) return vectorsOf(await response.json(), input.length)
        problem = `${response.status} ${(await response.text()).slice(0, 200)}`
        if (response.status !== 429 && response.status < 500) throw fail(problem)
        pause = Math.max(pause, 1000 * Number(response.headers.get('retry-after') ?? 0) || 0)
      } catch (error) {
        if (error instanceof UserError) throw error
        problem = reason(error)
      }
      if (attempt + 1 < ATTEMPTS) await wait(Math.min(pause, LONGEST_WAIT))
    }
    throw fail(`no answer in ${ATTEMPTS} attempts; the last: ${problem}`)
  }

  function vectorsOf(answer: unknown, count: number): number[][] {
    const data = (answer as { data?: { index?: number; embedding?: unknown }[] } | null)?.data
    if (!Array.isArray(data) || data.length !== count)
      throw fail(`answered ${JSON.stringify(answer)?.slice(0, 200)} where ${count} embeddings were asked for`)
    const vectors = new Array<number[]>(count)
    data.forEach(({ index, embedding }, place) => {
      const isVector = Array.isArray(embedding) && embedding.length > 0 && embedding.every(Number.isFinite)
      if (!isVector) throw fail('answered an embedding that is no list of numbers')
      vectors[index ?? place] = embedding as number[]
    })
    const length = vectors[0]?.length
    for (let place = 0; place < count; place++)
      if (vectors[place]?.length !== length)
        throw fail('answered embeddings of different lengths, or one twice')
    return vectors
  }

  return async (texts, progress) => {
    const rows: Float32Array[] = []
    for (let from = 0; from < texts.length; from += textsPerRequest) {
      const vectors = await ask(texts.slice(from, from + textsPerRequest))
      rows.push(...vectors.map(normalized))
      progress?.(rows.length, texts.length)
    }
    const width = rows[0]?.length ?? 0
    const joined = new Float32Array(rows.length * width)
    rows.forEach((row, place) => {
      if (row.length !== width) throw fail('answered embeddings of different lengths')
      joined.set(row, place * width)
    })
    return joined
  }
}

function normalized(vector: readonly number[]): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length))
}

/** `fetch failed` says little; its cause does. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error
    ? `${error.message} (${error.cause.message || error.cause.name})`
    : error.message
}
