import { afterEach, describe, expect, test, vi } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import { Broken, FailedRequest, openServer } from '../../../src/models/http/server.ts'
import { createRandom } from '../../../src/random.ts'
import { fakeClock } from '../fake-server.ts'

afterEach(() => void vi.unstubAllGlobals())
const URL_OF = 'https://api.example/v1/?key=secret-key&v=2024'

function open(answers: (() => Response | Error)[], options: object = {}) {
  const clock = fakeClock()
  const requests: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    requests.push({ url: url.href, init })
    const answer = answers[requests.length - 1]()
    if (answer instanceof Error) throw answer
    return answer
  })
  const server = openServer({
    baseUrl: URL_OF,
    headers: { 'x-key': 'hidden' },
    secrets: ['hid', 'hidden', 'Key-A', ''],
    limits: { concurrency: 1 },
    clock,
    seed: 7,
    ...options,
  })
  const post = (more: object = {}) =>
    server.post({ path: '/chat?x=1', body: { a: 1 }, read: (response) => response.text(), ...more })
  return { clock, asked: requests, server, post }
}
const answer =
  (status: number, text = '', headers: Record<string, string> = {}) =>
  () =>
    new Response(status === 204 ? null : text, { status, headers })
const PLACE = 'https://api.example/v1/chat'

/** Waits of the first attempts: half fixed, half by chance, doubling from half a second. */
function waits(count: number): number[] {
  const random = createRandom(7)
  return Array.from({ length: count }, (_, attempt) => (500 * 2 ** attempt * (1 + random.uniform())) / 2)
}

describe('a request', () => {
  test.each([408, 409, 425, 429, 500, 503])(
    'is sent again after the status %i, five times at most',
    async (status) => {
      const { clock, post } = open([answer(status), answer(status), answer(200, 'good')])
      expect(await post()).toBe('good')
      expect(clock.waits).toEqual(waits(2))
      const all = open(Array.from({ length: 5 }, () => answer(status, ' it is hidden '.repeat(30))))
      const quoted = ' it is *** '.repeat(30).slice(0, 200)
      const message = `${PLACE}: no answer in 5 attempts; the last: ${status} ${quoted}`
      const failed = all.post()
      await expect(failed).rejects.toThrow(
        status === 500
          ? message
          : `${message}. Nothing stored is lost: run the same command again when the server answers`,
      )
      await expect(failed).rejects.toBeInstanceOf(status === 500 ? FailedRequest : UserError)
      expect([all.asked.length, all.clock.waits]).toEqual([5, waits(4)])
    },
  )

  test.each([
    [400, 'too long', true],
    [413, '', true],
    [422, '', true],
    [401, 'who?', false],
    [404, '', false],
    [429, 'insufficient_quota', false],
    [400, 'Billing is due', false],
  ])('is refused at once by %i %j; its content alone: %j', async (status, text, refused) => {
    const { asked, post } = open([answer(status, text)])
    const error = await post().catch((thrown: unknown) => thrown)
    expect((error as Error).message).toBe(`${PLACE}: ${status} ${text}`)
    expect(error instanceof FailedRequest).toBe(refused)
    if (error instanceof FailedRequest)
      expect([error.reason, error.refused]).toEqual([`${status} ${text}`, true])
    expect(asked).toHaveLength(1)
  })

  test('that broke off or met no network is sent again; a bug is not', async () => {
    const network = () => new TypeError('fetch failed', { cause: new Error('ECONNRESET') })
    const { clock, post } = open([
      network,
      () => new DOMException('late', 'TimeoutError'),
      answer(200, 'good'),
    ])
    expect(await post()).toBe('good')
    expect(clock.waits).toEqual(waits(2))
    const broken = open(Array.from({ length: 5 }, () => answer(200)))
    const read = () => Promise.reject(new Broken('broke off'))
    await expect(broken.post({ read })).rejects.toThrow(
      new FailedRequest(PLACE, 'no answer in 5 attempts; the last: broke off'),
    )
    await expect(open(Array.from({ length: 5 }, () => network)).post()).rejects.toThrow(
      `${PLACE}: no answer in 5 attempts; the last: fetch failed (ECONNRESET). Nothing stored`,
    )
    const bug = new TypeError('x is undefined')
    await expect(open([() => bug]).post()).rejects.toBe(bug)
  })

  test.each([307, 308])(
    'moves with a redirect %i within its server, for the next ones too',
    async (status) => {
      const { asked, clock, post } = open([
        answer(status, '', { location: '/v2/chat' }),
        answer(200, 'good'),
        answer(200, 'again'),
      ])
      expect([await post(), await post()]).toEqual(['good', 'again'])
      expect(asked.slice(1).map(({ url }) => url)).toEqual([
        'https://api.example/v2/chat',
        'https://api.example/v2/chat',
      ])
      expect(clock.waits).toEqual([])
    },
  )

  test.each([
    [307, undefined, '307, a redirect to nowhere'],
    [307, 'http://', '307, a redirect to nowhere'],
    [307, 'https://KEY-A.example/', 'redirects to another server, https://***.example; no text'],
    [
      307,
      'https://other.example/v1',
      'redirects to another server, https://other.example; no text is sent there. If that is right, write its address as `baseUrl`',
    ],
    [
      308,
      'https://u@api.example/',
      '308, a redirect to an address with a name or a password; no text is sent there',
    ],
    [
      308,
      'https://:p@api.example/',
      '308, a redirect to an address with a name or a password; no text is sent there',
    ],
    [302, '/v2/chat', '302, a redirect to /v2/chat; write the right address as `baseUrl`'],
  ])('follows no other redirect: %i to %j', async (status, location, message) => {
    const { post } = open([answer(status, '', location === undefined ? {} : { location })])
    await expect(post()).rejects.toThrow(`${PLACE}: ${message}`)
  })
})

test('no message holds a secret, of the address neither, the longest first; a version is none', () => {
  const { server } = open([])
  expect(server.hide('hidden hid secret-key 2024 hide')).toBe('*** *** *** 2024 ***e')
  expect(server.quote(`hidden${'x'.repeat(300)}`)).toBe(`***${'x'.repeat(197)}`)
  expect(server.fail('a hidden').message).toBe('https://api.example/v1: a ***')
  expect(server.stop('a hidden').message).toBe('https://api.example/v1: a ***')
  expect(open([], { baseUrl: 'https://a.example?k=12345&l=123456' }).server.hide('12345 123456')).toBe(
    '12345 ***',
  )
})
