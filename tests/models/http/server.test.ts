import { afterEach, describe, expect, test, vi } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import { answeringModel, isSameModel } from '../../../src/models/http/answering-model.ts'
import { createLimiter } from '../../../src/models/http/limiter.ts'
import { apiKeyEnv, baseUrl, limits, readKey } from '../../../src/models/http/params.ts'
import {
  askedPause,
  Broken,
  FailedRequest,
  isPassing,
  openServer,
  reason,
} from '../../../src/models/http/server.ts'
import { createRandom } from '../../../src/random.ts'
import { complaint } from '../../../src/text/schema-words.ts'
import { fakeClock } from '../fake-server.ts'

afterEach(() => void vi.unstubAllGlobals())
const URL_OF = 'https://api.example/v1/?key=secret-key&v=2024'

function open(answers: (() => Response | Error)[], own: object = {}) {
  const clock = fakeClock()
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    asked.push({ url: url.href, init })
    const answer = answers[asked.length - 1]()
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
    ...own,
  })
  const post = (more: object = {}) =>
    server.post({ path: '/chat?x=1', body: { a: 1 }, read: (response) => response.text(), ...more })
  return { clock, asked, server, post }
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
  test('goes to the path below the address, with its headers, and follows no redirect by itself', async () => {
    const { asked, clock, post } = open([answer(200, 'good')])
    expect(await post()).toBe('good')
    const [{ url, init }] = asked
    expect(url).toBe('https://api.example/v1/chat?key=secret-key&v=2024&x=1')
    expect(init).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', 'x-key': 'hidden' },
    })
    expect(clock.waits).toEqual([])
  })

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

  test('has the result that a refusal means', async () => {
    const refusal = (status: number, text: string) => (status === 400 ? `filtered: ${text}` : undefined)
    expect(await open([answer(400, 'no')]).post({ refusal })).toBe('filtered: no')
    await expect(open([answer(401, 'no')]).post({ refusal })).rejects.toThrow('401 no')
  })

  test('waits as long as the server asks for, a minute at most', async () => {
    for (const [asked, wait] of [
      ['7', 7000],
      ['600', 60_000],
    ] as const) {
      const { clock, post } = open([answer(503, '', { 'retry-after': asked }), answer(200, 'good')])
      expect(await post()).toBe('good')
      expect(clock.waits).toEqual([wait])
    }
  })

  test('waits while the server asks another request to wait', async () => {
    const waits: number[] = []
    const clock = { now: () => 0, wait: (pause: number) => new Promise<void>(() => waits.push(pause)) }
    const { asked, post } = open([answer(429, '', { 'retry-after': '7' }), answer(200)], { clock })
    void post()
    void post()
    await vi.waitFor(() => expect(waits).toEqual([7000, 7000]))
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

  test('is given up where it is aborted', async () => {
    const stopped = new AbortController()
    stopped.abort(new Error('stopped'))
    const { asked, post } = open([answer(200)])
    await expect(post({ signal: stopped.signal })).rejects.toThrow('stopped')
    expect(asked).toEqual([])
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

  test.each(['https://user@api.example', 'https://:s3cret@api.example'])(
    'is not sent to %s',
    async (given) => {
      const { asked, post } = open([answer(200)], { baseUrl: given })
      await expect(post()).rejects.toThrow(
        'https://api.example/chat: the address must hold no name and no password',
      )
      expect(asked).toEqual([])
    },
  )
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

test.each([
  ['plain', 5],
  ['a hi', 2],
  ['a hidd', 2],
  ['a h', 2],
  ['a hidden', 8],
  ['hidden and more', 15],
  ['hidden hid', 7],
  ['a secret-', 2],
  ['', 0],
])('of the growing text %j the first %i letters may be shown', (text, length) => {
  expect(open([]).server.safeLength(text)).toBe(length)
})

test('a beginning of one secret in the end of another hides both', () => {
  const { server } = open([], { secrets: ['abcd', 'cdx'] })
  expect(['z abcd', 'abcd', 'abcd z'].map(server.safeLength)).toEqual([2, 0, 6])
})

test.each([
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': ' 0 ' }, 0],
  [{}, 0],
  [{ 'retry-after': 'soon' }, 0],
  [{ 'retry-after': 'Fri, 01 Mar 2024 10:00:05 GMT', date: 'Fri, 01 Mar 2024 10:00:00 GMT' }, 5000],
  [{ 'retry-after': 'Fri, 01 Mar 2024 10:00:00 GMT', date: 'Fri, 01 Mar 2024 10:00:05 GMT' }, 0],
  [{ 'retry-after': 'Fri, 01 Mar 2024 10:00:05 GMT' }, 0],
])('%j asks for %i ms', (headers, pause) => {
  expect(askedPause(new Headers(headers as Record<string, string>))).toBe(pause)
})

test('an error that may pass, and its reason', () => {
  const caused = (cause: unknown) => new TypeError('fetch failed', { cause })
  const errors = [
    new Broken('b'),
    caused(new Error('c')),
    caused('c'),
    new TypeError('t'),
    new DOMException('d', 'TimeoutError'),
    new DOMException('d', 'AbortError'),
    new Error('e'),
    'text',
  ]
  expect(errors.map(isPassing)).toEqual([true, true, false, false, true, false, false, false])
  expect([caused(new Error('c')), caused(new RangeError('')), caused('c'), 'text'].map(reason)).toEqual([
    'fetch failed (c)',
    'fetch failed (RangeError)',
    'fetch failed',
    'text',
  ])
})

test.each([
  ['gpt-4', 'gpt-4', true],
  ['gpt-4', 'GPT-4', true],
  ['gpt-4', 'gpt-4-2024-01-01', true],
  ['gpt-4', 'gpt-4-v2', true],
  ['gpt-4', 'gpt-4@20240101', true],
  ['gpt-4', 'gpt-4o', false],
  ['gpt-4', 'gpt-4-mini', false],
  ['gpt-4-2024', 'gpt-4', false],
  ['gpt-4', 'x-2024', false],
  ['gpt-latest', 'gpt-2024', true],
  ['models/gemini', 'gemini', true],
  ['owner/name', 'name', true],
  ['name', 'owner/name', true],
  ['owner/name', 'other/name', false],
  ['/a/b/name', 'name', true],
])('a server asked for %j may answer as %j: %j', (asked, given, expected) => {
  expect(isSameModel(asked, given)).toBe(expected)
})

test('the name of the model that answered is told; some servers name none', () => {
  const stop = (message: string) => new UserError(message)
  const named = (given: unknown) => answeringModel(given, 'mine', { stop })
  expect(
    [undefined, '', 3, '/data', '/repository/', 'C:\\models', '/', '/a/Mine', 'Mine'].map(named),
  ).toEqual(['mine', 'mine', 'mine', 'mine', 'mine', 'mine', 'mine', 'Mine', 'Mine'])
  for (const [given, shown] of [
    ['data', 'data'],
    ['/a/other', 'other'],
  ])
    expect(() => named(given)).toThrow(
      `answered as \`${shown}\`, asked for \`mine\`; if that is right, write \`answersAs: ${shown}\``,
    )
})

test('params of a server', () => {
  const allowed = (schema: { safeParse(value: unknown): { success: boolean } }, values: unknown[]) =>
    values.map((value) => schema.safeParse(value).success)
  expect(
    allowed(baseUrl, ['https://a.example', 'http://a', 'ftp://a', 'a', 'https://u@a', 'https://:p@a']),
  ).toEqual([true, true, false, false, false, false])
  expect(allowed(apiKeyEnv, ['A_KEY', '_A1', '1A', 'A-B', 'hf_a1', ''])).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  const { error } = apiKeyEnv.safeParse('sk-live-1')
  expect(complaint(error!.issues[0], 'sk-live-1')).not.toContain('sk-live-1')
  expect(allowed(limits.concurrency, [0, 1, 1000, 1001, 1.5])).toEqual([false, true, true, false, false])
  expect(allowed(limits.requestsPerMinute, [0, 1, undefined])).toEqual([false, true, true])
  expect(limits.concurrency.parse(undefined)).toBe(4)
  vi.stubEnv('MY_KEY', 'abc')
  expect([readKey('MY_KEY', 'it'), readKey(undefined, 'it')]).toEqual(['abc', undefined])
  for (const [key, message] of [
    ['', 'it needs a key in the environment variable MY_KEY, which is not set'],
    [
      'a b',
      'it: the key in the environment variable MY_KEY holds a space, a line break or a character that is not ASCII; set it again',
    ],
  ]) {
    vi.stubEnv('MY_KEY', key)
    expect(() => readKey('MY_KEY', 'it')).toThrow(message)
  }
  vi.unstubAllEnvs()
})

test('a limiter lets in the next one a minute after an earlier one, or after the longest pause', async () => {
  const clock = fakeClock()
  const { enter, pause } = createLimiter({ concurrency: 5, requestsPerMinute: 3 }, clock)
  for (let i = 0; i < 3; i++) (await enter())()
  expect(clock.waits).toEqual([])
  // Three requests in this minute: the fourth waits for the first.
  ;(await enter())()
  expect(clock.waits).toEqual([60_000])
  pause(5000)
  pause(1000)
  ;(await enter())()
  expect(clock.waits).toEqual([60_000, 5000])
})
