import { afterEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '../../src/errors.ts'
import openaiCompatibleEmbedder, { openEndpoint } from '../../src/models/embedders/openai-compatible.ts'
import { openServer } from '../../src/models/http/server.ts'
import { hashOf } from '../../src/store/hash.ts'
import { type Asked, type Behaviour, fakeClock, fakeServer } from './fake-server.ts'

const embeddings = ({ body }: Asked) => ({
  json: {
    data: body.input
      .map((text: string, index: number) => ({ index, embedding: [text.length, 1, 0] }))
      .reverse(),
  },
})
const serve = (answer: (asked: Asked) => Behaviour) => fakeServer((_, request) => answer(request))

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
    clock: fakeClock(),
    seed: 1,
    limits: { concurrency },
    secrets: apiKey ? [apiKey] : [],
    headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
  })
  return openEndpoint({ server, model: 'm', textsPerRequest: 2, ...more })
}

afterEach(() => void vi.unstubAllEnvs())

describe('openai-compatible', () => {
  const answerOf = (...entries: [unknown, unknown][]) => ({
    data: entries.map(([index, embedding]) => ({ index, embedding })),
  })
  it.each<[string, unknown, string]>([
    ['nothing', {}, 'answered {} where 2 embeddings were asked for'],
    ['null', 'null', 'answered null where 2 embeddings were asked for'],
    ['too few', { data: [] }, 'answered {"data":[]} where 2 embeddings were asked for'],
    ['too many', answerOf([0, [1]], [1, [1]], [2, [1]]), 'where 2 embeddings were asked for'],
    [
      'no numbers',
      answerOf([0, 'AAAA'], [1, [1]]),
      'answered an embedding that is not a list of numbers to the text "a"',
    ],
    [
      'a number as text',
      answerOf([0, [1]], [1, ['1']]),
      'answered an embedding that is not a list of numbers to the text "b"',
    ],
    [
      'an empty list',
      answerOf([0, []], [1, [1]]),
      'answered an embedding that is not a list of numbers to the text "a"',
    ],
    [
      'lengths that differ',
      answerOf([0, [1]], [1, [1, 2]]),
      'answered 2 numbers to the text "b" where another text got 1',
    ],
  ])('refuses an answer with %s', async (_, body, message) => {
    const { baseUrl } = await serve(() => ({ json: body }))
    await expect(open(baseUrl)(['a', 'b'])).rejects.toThrow(message)
  })

  it('asks for as many dimensions as `dims` says, and takes vectors of any length', async () => {
    const { asked, baseUrl } = await serve(({ body }) => ({
      json: {
        data: body.input.map((): object => ({ embedding: new Array(body.dimensions ?? 1536).fill(1) })),
      },
    }))
    const model = 'text-embedding-3-small'
    for (const dims of [undefined, 512]) {
      const params = openaiCompatibleEmbedder.params.parse({ baseUrl, model, dims })
      const artifact = openaiCompatibleEmbedder.make(params).artifact({ terms: () => expect.fail() })
      const opened = await artifact.open('', {})
      expect(opened.dims).toBe(dims ?? 1536)
      expect(await opened.embed(['a', 'b'])).toHaveLength(2 * (dims ?? 1536))
    }
    expect(asked.map(({ body }) => [body.model, body.dimensions])).toEqual([
      ...[undefined, undefined, 512].map((dims) => [model, dims]),
    ])
  })

  it('shows no part of a key, and of the address neither name, password nor query', async () => {
    const key = `sk-${'k'.repeat(40)}`
    const { asked, baseUrl } = await serve(() => ({ status: 401, json: `${' '.repeat(190)}${key}` }))
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
    const artifact = openaiCompatibleEmbedder.make(params).artifact({ terms: () => expect.fail() })
    expect(await artifact.open('', {})).toMatchObject({ dims: 3, model: expect.stringMatching(/^m at 127/) })
    const keyed = openaiCompatibleEmbedder
      .make({ ...params, apiKeyEnv: 'TOUCHSTONE_NO_SUCH_KEY' })
      .artifact({ terms: () => expect.fail() })
    expect(keyed.key).toBe(artifact.key)
    const keyOf = (more: object) =>
      openaiCompatibleEmbedder.make({ ...params, ...more }).artifact({ terms: () => expect.fail() }).key
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
    await openaiCompatibleEmbedder
      .make(params)
      .artifact({ terms: () => expect.fail() })
      .open('', {})
    expect(asked.map(({ headers }) => [headers.authorization, headers['api-key']])).toEqual([[key, azure]])
    const refusing = await serve(() => ({ status: 401, json: 'secret is no valid key' }))
    const refused = openaiCompatibleEmbedder
      .make({ ...params, baseUrl: refusing.baseUrl })
      .artifact({ terms: () => expect.fail() })
    await expect(refused.open('', {})).rejects.toThrow('401 *** is no valid key')
  })
})
