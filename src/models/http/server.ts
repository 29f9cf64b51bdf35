import { UserError } from '../../errors.ts'
import { createRandom } from '../../random.ts'
import { readBody } from './body.ts'
import { type Clock, createLimiter, type Limits } from './limiter.ts'

/**
 * One server within shared limits. A request is tried up to 5 times, after a doubling wait with jitter, or as long
 * as the server asks for, at most a minute.
 */
export interface Server {
  /**
   * Posts `body` as JSON, or puts bytes. Throws a UserError if the server refuses the request, stays away or
   * redirects elsewhere; the error of `signal` if that is aborted.
   */
  post<T>(request: Post<T>): Promise<T>
  /** A response that cannot be used, without secrets. */
  fail(message: string): FailedRequest
  /** An error that every request to this server would meet. */
  stop(message: string): UserError
  /** Text without secrets, which a server may repeat. */
  hide(text: string): string
  /** Length of the beginning of a growing text that ends in no part of a secret. */
  safeLength(text: string): number
  /** Beginning of a text without secrets, for messages. */
  quote(text: string): string
}

export interface Post<T> {
  readonly path: string
  readonly body: unknown
  /** Throws a `Broken` if the request is to be sent again. */
  read(response: Response): Promise<T>
  /** Result that an error status means, as a filter's refusal. */
  refusal?(status: number, text: string): T | undefined
  /** Advice for the user if the server refuses the request's content. */
  readonly advice?: string | undefined
  readonly signal?: AbortSignal
}

/** A response that broke off, or that a busy server sent in place of one. */
export class Broken extends Error {}

/** One request fails: the server refuses its content, or sends no usable response. Others may succeed. */
export class FailedRequest extends UserError {
  /** The message without the server's address. */
  readonly reason: string
  /** True if the server refused the request's content, as 400 says. */
  readonly refused: boolean

  constructor(place: string, reason: string, refused = false) {
    super(`${place}: ${reason}`)
    this.reason = reason
    this.refused = refused
  }
}

/** The server is down, cannot be reached or is too busy. */
export class Outage extends UserError {
  /** The message without the server's address. */
  readonly reason: string

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}. Nothing stored is lost: run the same command again when the server answers`)
    this.reason = reason
  }
}

/** Reason of an outage or of a failure at this request; undefined for a refusal and other errors. */
export function outageReason(error: unknown): string | undefined {
  if (error instanceof FailedRequest) return error.refused ? undefined : error.reason
  return error instanceof Outage ? error.reason : undefined
}

interface ServerOptions {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  /** Texts that no message may show. */
  readonly secrets: readonly string[]
  readonly limits: Limits
  /** Milliseconds an attempt may take. */
  readonly timeout?: number
  readonly clock: Clock
  readonly seed: number
}

const ATTEMPTS = 5
const FIRST_WAIT = 500
const LONGEST_WAIT = 60_000
const TIMEOUT = 120_000
const LONGEST_REFUSAL = 2 ** 20
/** Shorter values in an address are no secrets; hidden, they would tear words apart. */
const SHORTEST_SECRET = 6
const QUOTED = 200

/** Statuses 4xx that may pass: timed out, conflict, too early, too many. */
export const AGAIN: ReadonlySet<number> = new Set([408, 409, 425, 429])
/** Statuses that refuse one request's content. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422])
/** Waiting does not help. */
const UNPAID = /insufficient_quota|billing/i

export function openServer(options: ServerOptions): Server {
  const { headers, clock, timeout = TIMEOUT } = options
  const limiter = createLimiter(options.limits, clock)
  const random = createRandom(options.seed)
  const base = new URL(options.baseUrl)
  const inAddress = [...base.searchParams.values()].filter(({ length }) => length >= SHORTEST_SECRET)
  const { hide, safeLength } = hideSecrets([...options.secrets, base.password, ...inAddress])
  const moved = new Map<string, URL>()

  const quote = (text: string) => hide(text).slice(0, QUOTED)
  const placeOf = (path: string) => {
    const { origin, pathname } = addressBelow(base, path)
    return `${origin}${pathname}`
  }
  const currentAddress = (path: string) => moved.get(path) ?? addressBelow(base, path)
  const failAt = (path: string, message: string) => new UserError(`${placeOf(path)}: ${hide(message)}`)

  async function post<T>(request: Post<T>): Promise<T> {
    const { path, signal } = request
    if (base.username || base.password) throw failAt(path, 'the address must hold no name and no password')
    let problem = ''
    // True if the last attempt reached the server, which failed at it.
    let failedAtIt = false
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Half of it is fixed: requests that failed together come again neither together nor at once.
      let pause = (FIRST_WAIT * 2 ** attempt * (1 + random.uniform())) / 2
      const leave = await limiter.enter(signal)
      try {
        const response = await send(request)
        if (response.ok) return await request.read(response)
        const { status } = response
        const { text } = await readBody(response, LONGEST_REFUSAL)
        problem = `${status} ${quote(text)}`
        failedAtIt = status === 500
        if (status >= 300 && status < 400) {
          moved.set(
            path,
            redirectTarget(currentAddress(path), response, (message) => failAt(path, message)),
          )
          pause = 0
        } else {
          const refusal = request.refusal?.(status, text)
          if (refusal !== undefined) return refusal
          if (REFUSED.has(status) && !UNPAID.test(text))
            throw new FailedRequest(placeOf(path), [problem, request.advice].filter(Boolean).join('; '), true)
          if (status < 500 && (!AGAIN.has(status) || UNPAID.test(text))) throw failAt(path, problem)
          const wanted = askedPause(response.headers)
          pause = Math.min(Math.max(pause, wanted), LONGEST_WAIT)
          if (wanted > 0) limiter.pause(pause)
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (!isPassing(error)) throw error
        problem = quote(reason(error))
        failedAtIt = error instanceof Broken
      } finally {
        leave()
      }
      if (pause > 0 && attempt + 1 < ATTEMPTS) await clock.wait(pause, signal)
    }
    const message = `no answer in ${ATTEMPTS} attempts; the last: ${problem}`
    if (failedAtIt) throw new FailedRequest(placeOf(path), message)
    throw new Outage(placeOf(path), hide(message))
  }

  function send({ path, body, signal }: Post<unknown>): Promise<Response> {
    const late = AbortSignal.timeout(timeout)
    const isFile = body instanceof Uint8Array
    const type = isFile ? 'application/octet-stream' : 'application/json'
    return fetch(currentAddress(path), {
      method: isFile ? 'PUT' : 'POST',
      // A compressed response says nothing of its size.
      headers: { 'content-type': type, 'accept-encoding': 'identity', ...headers },
      body: isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      // Texts and key are for this server alone.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
  }

  return {
    post,
    hide,
    safeLength,
    quote,
    fail: (message) => new FailedRequest(placeOf(''), hide(message)),
    stop: (message) => failAt('', message),
  }
}

function addressBelow(base: URL, path: string): URL {
  const url = new URL(base)
  const [pathname, query = ''] = path.split('?')
  url.pathname = base.pathname.replace(/(?<!\/)\/+$/, '') + pathname
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
  return url
}

function hideSecrets(texts: readonly string[]): Pick<Server, 'hide' | 'safeLength'> {
  // The host of an address is in lower case. One secret may begin another.
  const secrets = [...new Set([...texts, ...texts.map((text) => text.toLowerCase())])]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length)
  return {
    hide: (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text),
    safeLength(text) {
      const begun = secrets.map((secret) => {
        let length = Math.min(secret.length - 1, text.length)
        while (!text.endsWith(secret.slice(0, length))) length--
        return text.length - length
      })
      let end = Math.min(text.length, ...begun)
      for (let before = -1; before !== end; ) {
        before = end
        for (const secret of secrets) {
          const at = text.indexOf(secret, Math.max(0, end - secret.length + 1))
          if (at >= 0 && at < end) end = at
        }
      }
      return end
    },
  }
}

/** Only 307 and 308 keep the request unchanged. */
function redirectTarget(from: URL, { status, headers }: Response, fail: (message: string) => UserError): URL {
  const location = headers.get('location')
  if (!location || !URL.canParse(location, from.href)) throw fail(`${status}, a redirect to nowhere`)
  const next = new URL(location, from)
  if (next.origin !== from.origin)
    throw fail(
      `redirects to another server, ${next.origin}; no text is sent there. If that is right, write its address as \`baseUrl\``,
    )
  if (next.username || next.password)
    throw fail(`${status}, a redirect to an address with a name or a password; no text is sent there`)
  if (status !== 307 && status !== 308)
    throw fail(`${status}, a redirect to ${next.pathname}; write the right address as \`baseUrl\``)
  return next
}

export function isPassing(error: unknown): boolean {
  if (error instanceof Broken) return true
  // `fetch` has this class for all network errors.
  if (error instanceof TypeError) return error.cause instanceof Error
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** Milliseconds that `Retry-After` asks for: seconds, or a date by the server's clock. */
export function askedPause(headers: Headers): number {
  const header = headers.get('retry-after') ?? ''
  const pause = /^\s*\d+\s*$/.test(header)
    ? 1000 * Number(header)
    : Date.parse(header) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(pause) ? 0 : Math.max(0, pause)
}

/** `fetch failed` says little; its cause does. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error
    ? `${error.message} (${error.cause.message || error.cause.name})`
    : error.message
}
