import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { openaiCompatibleEmbedder } from '../../src/models/embedders/openai-compatible.ts'
import type { Clock } from '../../src/models/http/clock.ts'
import { openServer } from '../../src/models/http/server.ts'
import { openEndpoint } from '../../src/models/openai-embeddings.ts'
import { requestStop, Stopped } from '../../src/stopping.ts'
import { hashOf } from '../../src/store/hash.ts'

const servers: Server[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
interface Asked {
  readonly url: string | undefined
  readonly key: string | undefined
  readonly azure: string | string[] | undefined
  readonly body: { model: string; input: string[]; dimensions?: number }
}

async function bodyOf(request: IncomingMessage) {
  let text = ''
  for await (const piece of request) text += piece
  return JSON.parse(text)
}

/** A server that answers what `answer` says to the n-th request. */
async function serve(answer: (asked: Asked, n: number) => Answer) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { authorization: key, 'api-key': azure } = request.headers
    asked.push({ url: request.url, key, azure, body: await bodyOf(request) })
    const { status = 200, headers = {}, body } = answer(asked[asked.length - 1], asked.length)
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { asked, baseUrl: await listen(server) }
}

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const embeddings = ({ body }: Asked): Answer => ({
  body: { data: body.input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })).reverse() },
})
const waits: number[] = []
let now = 0
const clock: Clock = {
  now: () => now,
  async wait(milliseconds) {
    now += milliseconds
    waits.push(milliseconds)
  },
}
function open(
  baseUrl: string,
  {
    apiKey,
    concurrency = 1,
    ...more
  }: { apiKey?: string; dims?: number; concurrency?: number; answersAs?: string } = {},
) {
  const server = openServer({
    baseUrl,
    clock,
    seed: 1,
    limits: { concurrency },
    secrets: apiKey ? [apiKey] : [],
    headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
  })
  return openEndpoint({ server, model: 'm', textsPerRequest: 2, ...more })
}

describe('openai-compatible', () => {
  it('asks in requests of some texts, puts answers in order, makes their length 1', async () => {
    const { asked, baseUrl } = await serve(embeddings)
    const heard: number[] = []
    const vectors = await open(`${baseUrl}/`, { apiKey: 'secret' })(['a', 'bb', 'ccc'], (done) =>
      heard.push(done),
    )
    const expected = [1, 2, 3].flatMap((n) => [n / Math.hypot(n, 1), 1 / Math.hypot(n, 1), 0])
    expect(vectors).toEqual(Float32Array.from(expected))
    expect(asked.map(({ body }) => body.input)).toEqual([['a', 'bb'], ['ccc']])
    expect(asked[0]).toMatchObject({ url: '/v1/embeddings', key: 'Bearer secret', body: { model: 'm' } })
    expect(heard).toEqual([2, 3])
  })

  it('refuses vectors of another model than asked for, unless `answersAs` names it', async () => {
    const named = (model: unknown) =>
      serve((asked) => ({ body: { ...(embeddings(asked).body as object), model } }))
    const other = await named('other')
    await expect(open(other.baseUrl)(['a', 'bb', 'ccc', 'd'])).rejects.toThrow(
      'answered as `other`, asked for `m`; if that is right, write `answersAs: other`',
    )
    expect(await open(other.baseUrl, { answersAs: 'other' })(['a'])).toHaveLength(3)
    // A file by its path, a dated name, an owner, paths that any model has, and servers that name none.
    const same = ['/models/m', 'm-2026-01-01', 'm-v2', 'owner/M', '/repository', '/opt/ml/model', '/data/']
    for (const model of [...same, '', null, 5])
      expect(await open((await named(model)).baseUrl)(['a'])).toHaveLength(3)
    await expect(open((await named('repository')).baseUrl)(['a'])).rejects.toThrow('answersAs: repository')
    await expect(open((await named('/models/other')).baseUrl)(['a'])).rejects.toThrow('answersAs: other')
  })

  it('keeps what arrives after a request to stop, and begins no other request', async () => {
    const inputs: number[] = []
    const server = createServer(async (request, response) => {
      const { input } = await bodyOf(request)
      inputs.push(input.length)
      requestStop(true)
      const data = input.map((_: string, index: number) => ({ index, embedding: [1, 0] }))
      response.end(JSON.stringify({ data }))
    })
    try {
      const vectors = await open(await listen(server))(['a', 'b', 'c', 'd', 'e'])
      expect(vectors).toEqual(Float32Array.of(1, 0, 1, 0))
      expect(inputs).toEqual([2])
    } finally {
      requestStop(false)
    }
  })

  it('waits a few seconds at most for what is in flight', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const server = createServer()
    const asked = once(server, 'request')
    try {
      let ended = false
      const vectors = open(await listen(server))(['a', 'b', 'c']).finally(() => {
        ended = true
      })
      const stopped = expect(vectors).rejects.toThrow(Stopped)
      await asked
      requestStop(true)
      await vi.advanceTimersByTimeAsync(2500)
      expect(ended).toBe(false)
      await vi.advanceTimersByTimeAsync(2500)
      await stopped
    } finally {
      requestStop(false)
      vi.useRealTimers()
    }
  })

  it('tries again, waiting longer, or as long as it is told', async () => {
    waits.length = 0
    const { asked, baseUrl } = await serve((request, n) => {
      if (n === 1) return { status: 503, body: 'busy' }
      if (n === 2) return { status: 429, headers: { 'retry-after': '7' }, body: 'slower' }
      return embeddings(request)
    })
    expect(await open(baseUrl)(['a'])).toHaveLength(3)
    expect([asked.length, waits.length, waits[1]]).toEqual([3, 2, 7000])
    expect(waits[0]).toBeGreaterThanOrEqual(250)
    expect(waits[0]).toBeLessThanOrEqual(500)
  })

  it('gives up after waits that double, and at once where the server refuses, without showing the key', async () => {
    waits.length = 0
    const down = await serve(() => ({ status: 500, body: 'broken' }))
    await expect(open(down.baseUrl)(['a'])).rejects.toThrow('no answer in 5 attempts; the last: 500 broken')
    expect(down.asked).toHaveLength(5)
    expect(waits).toHaveLength(4)
    for (const [attempt, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** attempt)
      expect(wait).toBeLessThanOrEqual(500 * 2 ** attempt)
    }
    const refused = await serve(() => ({ status: 401, body: 'secret is no valid key' }))
    const refusal = open(refused.baseUrl, { apiKey: 'secret' })(['a'])
    await expect(refusal).rejects.toThrow('401 *** is no valid key')
    expect(refused.asked).toHaveLength(1)
  })

  const given = (...entries: [unknown, unknown][]) => ({
    data: entries.map(([index, embedding]) => ({ index, embedding })),
  })
  it.each<[string, unknown, string]>([
    ['nothing', {}, 'answered {} where 2 embeddings were asked for'],
    ['null', 'null', 'answered null where 2 embeddings were asked for'],
    ['too few', { data: [] }, 'answered {"data":[]} where 2 embeddings were asked for'],
    ['too many', given([0, [1]], [1, [1]], [2, [1]]), 'where 2 embeddings were asked for'],
    [
      'no numbers',
      given([0, 'AAAA'], [1, [1]]),
      'answered an embedding that is not a list of numbers to the text "a"',
    ],
    [
      'a number as text',
      given([0, [1]], [1, ['1']]),
      'answered an embedding that is not a list of numbers to the text "b"',
    ],
    [
      'an empty list',
      given([0, []], [1, [1]]),
      'answered an embedding that is not a list of numbers to the text "a"',
    ],
    [
      'lengths that differ',
      given([0, [1]], [1, [1, 2]]),
      'answered 2 numbers to the text "b" where another text got 1',
    ],
  ])('refuses an answer with %s', async (_, body, message) => {
    const { baseUrl } = await serve(() => ({ body }))
    await expect(open(baseUrl)(['a', 'b'])).rejects.toThrow(message)
  })

  it('takes embeddings without an index in their order', async () => {
    const { baseUrl } = await serve(() => ({
      body: { data: [{ embedding: [0, 2] }, { embedding: [3, 0] }] },
    }))
    expect(await open(baseUrl)(['a', 'b'])).toEqual(Float32Array.from([0, 1, 1, 0]))
  })

  it.each([
    [
      'an index too high',
      '[{"index": 2, "embedding": [1]}, {"index": 0, "embedding": [1]}]',
      'with index 2 to 2',
    ],
    [
      'an index below 0',
      '[{"index": -1, "embedding": [1]}, {"index": 0, "embedding": [1]}]',
      'with index -1',
    ],
    ['an index that is none', '[{"index": "0", "embedding": [1]}, null]', 'with index "0"'],
    ['an index twice', '[{"index": 1, "embedding": [1]}, {"index": 1, "embedding": [1]}]', 'index 1 twice'],
    ['a null', '[null, {"index": 1, "embedding": [1]}]', 'not a list of numbers to the text "a"'],
    ['a zero', '[{"embedding": [1, 2]}, {"embedding": [0, -0]}]', 'a vector that is zero to the text "b"'],
    ['an infinity', '[{"embedding": [1e999, 1]}, {"embedding": [1, 1]}]', 'not finite to the text "a"'],
    ['an overflow', '[{"embedding": [3e38, 3e38]}, {"embedding": [1, 1]}]', 'overflow) to the text "a"'],
    [
      'an overflow of squares',
      '[{"embedding": [1e200, 1]}, {"embedding": [1, 1]}]',
      'overflow) to the text "a"',
    ],
    ['an underflow', '[{"embedding": [1, 1]}, {"embedding": [1e-39, 0]}]', 'underflow) to the text "b"'],
    [
      'an underflow of squares',
      '[{"embedding": [1, 1]}, {"embedding": [1e-200, 0]}]',
      'underflow) to the text "b"',
    ],
  ])('refuses %s, naming the text', async (_, data, message) => {
    const { asked, baseUrl } = await serve(() => ({ body: `{"data": ${data}}` }))
    const refusal = open(baseUrl)(['a', 'b'])
    await expect(refusal).rejects.toBeInstanceOf(UserError)
    await expect(refusal).rejects.toThrow(message)
    expect(asked).toHaveLength(1)
  })

  it('asks for as many dimensions as `dims` says, and takes vectors of any length', async () => {
    const { asked, baseUrl } = await serve(({ body }) => ({
      body: { data: body.input.map(() => ({ embedding: new Array(body.dimensions ?? 1536).fill(1) })) },
    }))
    const model = 'text-embedding-3-small'
    for (const dims of [undefined, 512]) {
      const params = openaiCompatibleEmbedder.params.parse({ baseUrl, model, dims })
      const artifact = openaiCompatibleEmbedder.artifact(params, { terms: () => expect.fail() })
      const opened = await artifact.open('', {})
      expect(opened.dims).toBe(dims ?? 1536)
      expect(await opened.embed(['a', 'b'])).toHaveLength(2 * (dims ?? 1536))
    }
    expect(asked.map(({ body }) => [body.model, body.dimensions])).toEqual([
      ...[undefined, undefined, 512].map((dims) => [model, dims]),
    ])
  })

  it('refuses another length than asked for, or than before', async () => {
    const { baseUrl } = await serve(({ body }) => ({
      body: { data: body.input.map((text) => ({ embedding: new Array(text.length).fill(1) })) },
    }))
    await expect(open(baseUrl, { dims: 3 })(['four'])).rejects.toThrow(
      'answered 4 numbers to the text "four" where `dims` asks for 3',
    )
    const embed = open(baseUrl)
    await embed(['abc'])
    await expect(embed(['four'])).rejects.toThrow('where another text got 3')
  })

  it('sends texts and key to no other server', async () => {
    const other = await serve(embeddings)
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${other.baseUrl.replace('//', '//name:word@')}/embeddings?key=k`
      const { asked, baseUrl } = await serve(() => ({ status, headers: { location }, body: '' }))
      const refusal = open(baseUrl, { apiKey: 'secret' })(['a'])
      await expect(refusal).rejects.toThrow(`redirects to another server, ${new URL(other.baseUrl).origin};`)
      await expect(refusal).rejects.not.toThrow(/word|key=/)
      expect(asked).toHaveLength(1)
    }
    expect(other.asked).toEqual([])
  })

  it('follows a redirect within a server that keeps the request, five times at most', async () => {
    const { asked, baseUrl } = await serve((request) =>
      request.url === '/v1/embeddings'
        ? { status: 307, headers: { location: '/v1/embeddings/' }, body: '' }
        : embeddings(request),
    )
    expect(await open(baseUrl)(['a'])).toHaveLength(3)
    expect(asked.map(({ url, body }) => [url, body.input])).toEqual([
      ['/v1/embeddings', ['a']],
      ['/v1/embeddings/', ['a']],
    ])
    const round = await serve(() => ({ status: 308, headers: { location: '/again' }, body: '' }))
    await expect(open(round.baseUrl)(['a'])).rejects.toThrow('no answer in 5 attempts; the last: 308')
    const moved = await serve(() => ({ status: 301, headers: { location: '/there' }, body: '' }))
    await expect(open(moved.baseUrl)(['a'])).rejects.toThrow('a redirect to /there; write the right address')
    const nowhere = await serve(() => ({ status: 302, body: '' }))
    await expect(open(nowhere.baseUrl)(['a'])).rejects.toThrow('302, a redirect to nowhere')
  })

  it.each([
    ['in half a minute', 'Sun, 22 Nov 2026 10:00:30 GMT', 30_000],
    ['before that', 'Wed, 21 Oct 2015 07:28:00 GMT', null],
    ['in the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT', 60_000],
    ['after a googol of seconds', `1${'0'.repeat(400)}`, 60_000],
    ['below zero', '-7', null],
    ['at no time', 'soon', null],
  ])('waits, where asked to come again %s', async (_, header, pause) => {
    waits.length = 0
    const headers = { date: 'Sun, 22 Nov 2026 10:00:00 GMT', 'retry-after': header }
    const { baseUrl } = await serve((request, n) =>
      n === 1 ? { status: 429, headers, body: '' } : embeddings(request),
    )
    await open(baseUrl)(['a'])
    // Its own pause where the server names none.
    if (pause === null) expect(waits[0]).toBeLessThanOrEqual(500)
    else expect(waits[0]).toBe(pause)
    expect(waits).toHaveLength(1)
  })

  it.each([200, 400])('reads no endless answer (status %i)', async (status) => {
    let sent = 0
    let closed: () => void = () => {}
    const over = new Promise<void>((done) => {
      closed = done
    })
    const baseUrl = await listen(
      createServer((_, response) => {
        response.on('close', closed)
        response.writeHead(status)
        const piece = Buffer.alloc(2 ** 20, '[')
        const send = () => {
          while (!response.destroyed && response.write(piece)) sent++
        }
        response.on('drain', send)
        send()
      }),
    )
    await expect(open(baseUrl)(['a'])).rejects.toThrow(
      status === 200 ? 'answered more than 4 MB to one text; the rest was not read' : /400 \[{200}$/,
    )
    await over
    expect(sent).toBeLessThan(64)
  })

  it('says so where the answer is no JSON, and asks again where it breaks off', async () => {
    const page = await serve(() => ({ body: '<html>sign in, secret' }))
    await expect(open(page.baseUrl, { apiKey: 'secret' })(['a'])).rejects.toThrow(
      'answered with invalid JSON: <html>sign in, ***',
    )
    let asked = 0
    const baseUrl = await listen(
      createServer((_, response) => {
        response.writeHead(200, { 'content-length': 1000 }).write('{"data":')
        asked++
        setTimeout(() => response.destroy(), 5)
      }),
    )
    await expect(open(baseUrl)(['a'])).rejects.toThrow('no answer in 5 attempts')
    expect(asked).toBe(5)
  })

  it('shows no part of a key, and of the address neither name, password nor query', async () => {
    const key = `sk-${'k'.repeat(40)}`
    const { asked, baseUrl } = await serve(() => ({ status: 401, body: `${' '.repeat(190)}${key}` }))
    const refusal = open(`${baseUrl}?token=hidden`, { apiKey: key })(['a'])
    await expect(refusal).rejects.toThrow(`${baseUrl}/embeddings: 401`)
    await expect(refusal).rejects.not.toThrow(/sk-|hidden/)
    expect(asked[0].url).toBe('/v1/embeddings?token=hidden')
    const named = open(baseUrl.replace('//', '//name:word@'))(['a'])
    await expect(named).rejects.toBeInstanceOf(UserError)
    await expect(named).rejects.not.toThrow(/word/)
    for (const baseUrl of ['http://name:word@localhost/v1', 'http://name@localhost/v1'])
      expect(openaiCompatibleEmbedder.params.safeParse({ baseUrl, model: 'm' }).error?.message).toMatch(
        /must hold no name and no password/,
      )
  })

  it('learns the length of its vectors, and keeps the key out of its own key', async () => {
    const { baseUrl } = await serve(embeddings)
    const params = openaiCompatibleEmbedder.params.parse({ baseUrl, model: 'm' })
    const artifact = openaiCompatibleEmbedder.artifact(params, { terms: () => expect.fail() })
    expect(await artifact.open('', {})).toMatchObject({ dims: 3, model: expect.stringMatching(/^m at 127/) })
    const keyed = openaiCompatibleEmbedder.artifact(
      { ...params, apiKeyEnv: 'TOUCHSTONE_NO_SUCH_KEY' },
      { terms: () => expect.fail() },
    )
    expect(keyed.key).toBe(artifact.key)
    const keyOf = (more: object) =>
      openaiCompatibleEmbedder.artifact({ ...params, ...more }, { terms: () => expect.fail() }).key
    // A stored vector stays valid as long as these three are the same.
    expect(artifact.key).toBe(
      hashOf({
        name: 'openai-compatible',
        version: 1,
        params: { baseUrl, model: 'm', dims: null },
        inputs: {},
      }),
    )
    expect(keyOf({ dims: 3 })).not.toBe(artifact.key)
    expect(keyOf({ inputType: { query: 'q', passage: 'p' } })).not.toBe(artifact.key)
    await expect(keyed.open('', {})).rejects.toThrow('TOUCHSTONE_NO_SUCH_KEY, which is not set')
  })

  it.each([
    ['authorization', 'Bearer secret', undefined],
    ['api-key', undefined, 'secret'],
  ])('sends the key as %s and nowhere else', async (keyHeader, key, azure) => {
    vi.stubEnv('TOUCHSTONE_TEST_KEY', 'secret')
    const { asked, baseUrl } = await serve(embeddings)
    const given = { baseUrl, model: 'm', apiKeyEnv: 'TOUCHSTONE_TEST_KEY', keyHeader }
    const params = openaiCompatibleEmbedder.params.parse(given)
    await openaiCompatibleEmbedder.artifact(params, { terms: () => expect.fail() }).open('', {})
    expect(asked.map((one) => [one.key, one.azure])).toEqual([[key, azure]])
    const refusing = await serve(() => ({ status: 401, body: 'secret is no valid key' }))
    const refused = openaiCompatibleEmbedder.artifact(
      { ...params, baseUrl: refusing.baseUrl },
      { terms: () => expect.fail() },
    )
    await expect(refused.open('', {})).rejects.toThrow('401 *** is no valid key')
  })
})
