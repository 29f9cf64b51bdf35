import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The secret of the link, which a cookie stores. */
export interface Guard {
  readonly token: string
  readonly port: number
}

interface Refusal {
  readonly status: 403 | 405
  readonly message: string
}

export function newToken(): string {
  return randomBytes(24).toString('base64url')
}

/** Ports of a host share cookies. */
const cookieName = ({ port }: Guard) => `touchstone-${port}`

export function cookieOf(guard: Guard): string {
  return `${cookieName(guard)}=${guard.token}; Path=/; HttpOnly; SameSite=Lax`
}

/**
 * Reason to refuse a request, or null. Other host names (DNS rebinding) and requests of other origins are refused. A
 * POST must be JSON, from a page of this server, to an address of `postable`.
 */
export function refusalOf(
  { method, headers, url = '' }: IncomingMessage,
  guard: Guard,
  postable: readonly string[] = [],
): Refusal | null {
  const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${guard.port}`)
  const refuse = (message: string): Refusal => ({ status: 403, message })
  if (!hosts.includes(headers.host ?? '')) return refuse('This host name is not served.')
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)
    return refuse('Requests of other origins are not answered.')
  const site = headers['sec-fetch-site']
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (isForeign && headers['sec-fetch-mode'] !== 'navigate')
    return refuse('Requests of other sites are not answered.')
  const isPost = method === 'POST' && postable.includes(url)
  if (method !== 'GET' && !isPost) return { status: 405, message: 'Only GET is answered.' }
  if (isPost && headers.origin === undefined) return refuse('A POST without an origin is not answered.')
  if (isPost && !/^application\/json(;|$)/.test(headers['content-type'] ?? ''))
    return refuse('A POST that is no JSON is not answered.')
  const token = (isPost ? null : tokenIn(url)) ?? cookieIn(headers.cookie, cookieName(guard))
  return token !== null && isEqual(token, guard.token)
    ? null
    : refuse('The link lacks its token. Open the link that `touchstone view` printed.')
}

export function tokenIn(url: string): string | null {
  return new URLSearchParams(url.split('?')[1]).get('token')
}

function cookieIn(header = '', name: string): string | null {
  const cookie = header.split(/;\s*/).find((pair) => pair.startsWith(`${name}=`))
  return cookie === undefined ? null : cookie.slice(name.length + 1)
}

/** Constant time. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
