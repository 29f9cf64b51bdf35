import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { cookieOf, newToken, refusalOf, tokenIn } from '../../src/view/guard.ts'

const guard = { token: 'secret', port: 4000 }
const HOST = '127.0.0.1:4000'
const COOKIE = 'touchstone-4000=secret'
const JSON_TYPE = 'application/json'

const refused = (
  headers: Readonly<Record<string, string>>,
  { url = '/', method = 'GET', postable = ['/label'] } = {},
) => refusalOf({ method, headers, url } as unknown as IncomingMessage, guard, postable)?.message ?? null

const OTHER_HOST = 'This host name is not served.'
const OTHER_ORIGIN = 'Requests of other origins are not answered.'
const OTHER_SITE = 'Requests of other sites are not answered.'
const NO_TOKEN = 'The link lacks its token. Open the link that `touchstone view` printed.'

test.each<[string, Record<string, string>, string, string | null]>([
  ['with the token in its link', { host: HOST }, '/?token=secret', null],
  ['with the token among others', { host: 'localhost:4000' }, '/a?b=1&token=secret', null],
  ['with the cookie', { host: HOST, cookie: COOKIE }, '/', null],
  ['with the cookie among others', { host: HOST, cookie: `a=b;  ${COOKIE}; c=d` }, '/', null],
  ['with neither', { host: HOST }, '/', NO_TOKEN],
  ['with another token', { host: HOST, cookie: COOKIE }, '/?token=secrets', NO_TOKEN],
  ['with the cookie of another port', { host: HOST, cookie: 'touchstone-400=secret' }, '/', NO_TOKEN],
  ['to another port', { host: '127.0.0.1:4001', cookie: COOKIE }, '/', OTHER_HOST],
  ['to another name', { host: 'evil.example:4000', cookie: COOKIE }, '/', OTHER_HOST],
  ['to no name', { cookie: COOKIE }, '/', OTHER_HOST],
  ['of this origin', { host: HOST, cookie: COOKIE, origin: `http://${HOST}` }, '/', null],
  ['of another origin', { host: HOST, cookie: COOKIE, origin: 'http://localhost:4000' }, '/', OTHER_ORIGIN],
  ['of this site', { host: HOST, cookie: COOKIE, 'sec-fetch-site': 'same-origin' }, '/', null],
  ['that a person typed', { host: HOST, cookie: COOKIE, 'sec-fetch-site': 'none' }, '/', null],
  ['of another site', { host: HOST, cookie: COOKIE, 'sec-fetch-site': 'cross-site' }, '/', OTHER_SITE],
  [
    'that follows a link of another site',
    { host: HOST, cookie: COOKIE, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    '/',
    null,
  ],
])('a request %s', (_, headers, url, message) => {
  expect(refused(headers, { url })).toBe(message)
})

const POST = { host: HOST, cookie: COOKIE, origin: `http://${HOST}`, 'content-type': JSON_TYPE }
const ONLY_GET = 'Only GET is answered.'

test.each<[string, Record<string, string>, object, string | null]>([
  ['of this page', POST, {}, null],
  ['with a charset', { ...POST, 'content-type': `${JSON_TYPE}; charset=utf-8` }, {}, null],
  ['to another address', POST, { url: '/' }, ONLY_GET],
  ['where none is taken', POST, { postable: [] }, ONLY_GET],
  ['of another method', POST, { method: 'PUT' }, ONLY_GET],
  [
    'of another type',
    { ...POST, 'content-type': `${JSON_TYPE}x` },
    {},
    'A POST that is no JSON is not answered.',
  ],
  ['with the token alone', { ...POST, cookie: '' }, { url: '/label?token=secret' }, ONLY_GET],
  ['without the cookie', { ...POST, cookie: '' }, {}, NO_TOKEN],
])('a POST %s', (_, headers, more, message) => {
  expect(refused(headers, { method: 'POST', url: '/label', ...more })).toBe(message)
})

test('a POST without a type or an origin', () => {
  const { origin: _, ...noOrigin } = POST
  const { 'content-type': __, ...noType } = POST
  const post = { method: 'POST', url: '/label' }
  expect(refused(noOrigin, post)).toBe('A POST without an origin is not answered.')
  expect(refused(noType, post)).toBe('A POST that is no JSON is not answered.')
  expect(refusalOf({ method: 'HEAD', headers: POST } as never, guard)).toMatchObject({ status: 405 })
  expect(refusalOf({ method: 'GET', headers: {} } as never, guard)).toMatchObject({ status: 403 })
})

test('tokens are long and new, and in a link or a cookie', () => {
  expect(newToken()).toMatch(/^[\w-]{32}$/)
  expect(newToken()).not.toBe(newToken())
  expect(cookieOf(guard)).toBe('touchstone-4000=secret; Path=/; HttpOnly; SameSite=Lax')
  expect(['/a?token=x&b=1', '/a?b=1', '/a'].map(tokenIn)).toEqual(['x', null, null])
})
