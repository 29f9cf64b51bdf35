import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openaiCompatible } from '../../src/models/embedders/openai-compatible.ts'
import { openEndpoint } from '../../src/models/openai-embeddings.ts'

let server: Server | undefined
afterEach(() => server?.close())

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
interface Asked {
  readonly url: string | undefined
  readonly key: string | undefined
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
  server = createServer(async (request, response) => {
    asked.push({ url: request.url, key: request.headers.authorization, body: await bodyOf(request) })
    const { status = 200, headers = {}, body } = answer(asked[asked.length - 1], asked.length)
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

const embeddings = ({ body }: Asked): Answer => ({
  body: { data: body.input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })).reverse() },
})
const waits: number[] = []
const wait = async (milliseconds: number) => {
  waits.push(milliseconds)
}
const open = (baseUrl: string, more = {}) =>
  openEndpoint({ baseUrl, model: 'm', textsPerRequest: 2, wait, ...more })

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

  it('tries again, waiting longer, or as long as it is told', async () => {
    waits.length = 0
    const { asked, baseUrl } = await serve((request, n) => {
      if (n === 1) return { status: 503, body: 'busy' }
      if (n === 2) return { status: 429, headers: { 'retry-after': '7' }, body: 'slower' }
      return embeddings(request)
    })
    expect(await open(baseUrl)(['a'])).toHaveLength(3)
    expect([asked.length, ...waits]).toEqual([3, 500, 7000])
  })

  it('gives up in the end, and at once where the server refuses, without showing the key', async () => {
    const down = await serve(() => ({ status: 500, body: 'broken' }))
    await expect(open(down.baseUrl)(['a'])).rejects.toThrow('no answer in 5 attempts; the last: 500 broken')
    expect(down.asked).toHaveLength(5)
    server?.close()
    const refused = await serve(() => ({ status: 401, body: 'secret is no valid key' }))
    const refusal = open(refused.baseUrl, { apiKey: 'secret' })(['a'])
    await expect(refusal).rejects.toThrow('401 *** is no valid key')
    expect(refused.asked).toHaveLength(1)
  })

  it.each([
    ['nothing', {}],
    ['too few', { data: [] }],
    [
      'no numbers',
      {
        data: [
          { index: 0, embedding: 'AAAA' },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    [
      'one twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      'lengths that differ',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [1, 2] },
        ],
      },
    ],
  ])('refuses an answer with %s', async (_, body) => {
    const { baseUrl } = await serve(() => ({ body }))
    await expect(open(baseUrl)(['a', 'b'])).rejects.toThrow(/answered/)
  })

  it('learns the length of its vectors, and keeps the key out of its own key', async () => {
    const { baseUrl } = await serve(embeddings)
    const params = openaiCompatible.params.parse({ baseUrl, model: 'm' })
    const artifact = openaiCompatible.artifact(params, { terms: () => expect.fail() })
    expect(await artifact.open('', {})).toMatchObject({ dims: 3, model: expect.stringMatching(/^m at 127/) })
    const keyed = openaiCompatible.artifact(
      { ...params, apiKeyEnv: 'TOUCHSTONE_NO_SUCH_KEY' },
      { terms: () => expect.fail() },
    )
    expect(keyed.key).toBe(artifact.key)
    await expect(keyed.open('', {})).rejects.toThrow('TOUCHSTONE_NO_SUCH_KEY, which is not set')
  })
})
