import { UserError } from '../errors.ts'
import type { Embedding } from './embedder.ts'
import { quoted, vectorProblem } from './vector-problem.ts'

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

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Whether `text` is all of it. */
  readonly whole: boolean
}

const ATTEMPTS = 5
const FIRST_WAIT = 500
const LONGEST_WAIT = 60_000
const TIMEOUT = 120_000
const MEGABYTE = 2 ** 20
/** A vector of 100,000 numbers, the longest there may be, takes 2.5 MB as JSON. */
const ANSWER_PER_TEXT = 4 * MEGABYTE
const LONGEST_ANSWER = 256 * MEGABYTE
/** Letters of a server's words that a message quotes. */
const QUOTED = 200

/**
 * Embeds through the endpoint, L2-normalised. Requests that a server is too busy for (429), that fail in it (5xx) or on
 * the way are tried up to 5 times, waiting twice as long each time, or as long as the server asks for, a minute at most.
 * Throws a UserError where the server refuses, stays away, sends elsewhere, or answers something else than vectors.
 */
export function openEndpoint(options: EndpointOptions): Embedding {
  const { baseUrl, model, apiKey, textsPerRequest, wait } = options
  const endpoint = new URL(baseUrl)
  endpoint.pathname = `${endpoint.pathname.replace(/\/+$/, '')}/embeddings`
  let url = endpoint
  let dims = options.dims
  // A user's name, a password or a key may stand in the rest of the address.
  const shown = `${endpoint.origin}${endpoint.pathname}`
  const hide = (text: string) =>
    (apiKey ? text.replaceAll(apiKey, '***') : text).replaceAll(endpoint.href, shown)
  const quote = (text: string) => hide(text).slice(0, QUOTED)
  const fail = (message: string) => new UserError(`${shown}: ${hide(message)}`)

  async function ask(input: readonly string[]): Promise<readonly (readonly number[])[]> {
    const limit = Math.min(LONGEST_ANSWER, input.length * ANSWER_PER_TEXT)
    let problem = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let pause = FIRST_WAIT * 2 ** attempt
      const answer = await request(input, limit).catch((error: unknown) => reason(error))
      if (typeof answer === 'string') problem = answer
      else {
        const { status, headers, text, whole } = answer
        if (status >= 200 && status < 300) {
          if (!whole)
            throw fail(
              `answered more than ${limit / MEGABYTE} MB to ${counted(input)}; the rest was not read`,
            )
          return vectorsOf(parsed(text), input)
        }
        if (status >= 300 && status < 400) {
          url = redirected(answer)
          pause = 0
        } else pause = Math.max(pause, askedPause(headers))
        problem = `${status} ${quote(text)}`
        if (status >= 400 && status < 500 && status !== 429) throw fail(problem)
      }
      if (attempt + 1 < ATTEMPTS) await wait(Math.min(pause, LONGEST_WAIT))
    }
    throw fail(`no answer in ${ATTEMPTS} attempts; the last: ${problem}`)
  }

  async function request(input: readonly string[], limit: number): Promise<Answer> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ model, input, dimensions: options.dims, encoding_format: 'float' }),
      // Texts and key are for this server alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const { status, headers } = response
    return { status, headers, ...(await read(response, limit)) }
  }

  /** Where a redirect within the server leads; 307 and 308 alone keep the request as it is. */
  function redirected({ status, headers }: Answer): URL {
    const location = headers.get('location')
    if (!location || !URL.canParse(location, url.href)) throw fail(`${status}, a redirect to nowhere`)
    const next = new URL(location, url)
    if (next.origin !== endpoint.origin)
      throw fail(
        `redirects to another server, ${next.origin}; no text is sent there. If that is right, write its address as \`baseUrl\``,
      )
    if (status !== 307 && status !== 308)
      throw fail(`${status}, a redirect to ${next.pathname}; write the right address as \`baseUrl\``)
    return next
  }

  function parsed(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw fail(`answered with invalid JSON: ${quote(text)}`)
    }
  }

  function vectorsOf(answer: unknown, input: readonly string[]): readonly (readonly number[])[] {
    const data = (answer as { data?: unknown } | null)?.data
    if (!Array.isArray(data) || data.length !== input.length)
      throw fail(`answered ${quote(JSON.stringify(answer))} where ${input.length} embeddings were asked for`)
    const vectors = new Map<number, readonly number[]>()
    data.forEach((entry: { index?: unknown; embedding?: unknown } | null, position) => {
      const index = entry?.index ?? position
      if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= input.length)
        throw fail(
          `answered an embedding with index ${quote(JSON.stringify(index))} to ${input.length} texts`,
        )
      if (vectors.has(index as number)) throw fail(`answered the embedding with index ${index} twice`)
      const text = quoted(input[index as number])
      const vector = entry?.embedding
      if (
        !Array.isArray(vector) ||
        vector.length === 0 ||
        !vector.every((value) => typeof value === 'number')
      )
        throw fail(`answered an embedding that is not a list of numbers to the text ${text}`)
      const problem = vectorProblem(vector)
      if (problem) throw fail(`answered a vector that ${problem} to the text ${text}`)
      dims ??= vector.length
      if (vector.length !== dims)
        throw fail(
          `answered ${vector.length} numbers to the text ${text} where ${options.dims ? '`dims` asks for' : 'another text got'} ${dims}`,
        )
      vectors.set(index as number, vector)
    })
    return input.map((_, position) => vectors.get(position) as readonly number[])
  }

  return async (texts, progress) => {
    const rows: Float32Array[] = []
    for (let from = 0; from < texts.length; from += textsPerRequest) {
      const vectors = await ask(texts.slice(from, from + textsPerRequest))
      rows.push(...vectors.map(normalized))
      progress?.(rows.length, texts.length)
    }
    const joined = new Float32Array(rows.length * (dims ?? 0))
    rows.forEach((row, position) => {
      joined.set(row, position * row.length)
    })
    return joined
  }
}

/** At most `limit` bytes of a body as text; the rest is not taken from the server. */
async function read({ body }: Response, limit: number): Promise<{ text: string; whole: boolean }> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    size += piece.length
    if (size > limit) break
  }
  return { text: Buffer.concat(pieces).toString('utf8', 0, limit), whole: size <= limit }
}

/** Milliseconds that `Retry-After` asks for: it holds seconds, or a date, which is told from the server's own clock. */
function askedPause(headers: Headers): number {
  const asked = headers.get('retry-after') ?? ''
  const pause = /^\s*\d+\s*$/.test(asked)
    ? 1000 * Number(asked)
    : Date.parse(asked) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(pause) ? 0 : pause
}

function normalized(vector: readonly number[]): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(vector, (value) => value / length)
}

function counted({ length }: readonly string[]): string {
  return length === 1 ? 'one text' : `${length} texts`
}

/** `fetch failed` says little; its cause does. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error
    ? `${error.message} (${error.cause.message || error.cause.name})`
    : error.message
}
