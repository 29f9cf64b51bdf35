import { expect, test, vi } from 'vitest'
import {
  type ChatProviderParams,
  identityOf,
  openProvider,
  priceOf,
} from '../../../src/models/chat/providers/define.ts'
import { chatProviders } from '../../../src/models/chat/providers/index.ts'
import { fakeServer } from '../fake-server.ts'

const provider = (name: string) => chatProviders.byName.get(name) as never
const parse = (name: string, given: object) =>
  (provider(name) as { params: { parse(given: object): ChatProviderParams } }).params.parse(given)
const answer = (model: string, content = 'Orr') => ({
  json: { model, choices: [{ message: { content }, finish_reason: 'stop' }] },
})
const ask = (name: string, params: ChatProviderParams) =>
  openProvider(provider(name), params, 'models.m').complete([{ role: 'user', content: 'Who?' }], {})

test('defaults: the address and the key of the vendor, a minute or two and four requests at once', () => {
  expect(parse('openai', { model: 'm' })).toEqual({
    model: 'm',
    baseUrl: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
    timeout: 120,
    concurrency: 4,
  })
  expect(() => parse('openai-compatible', { model: 'm' })).toThrow('baseUrl')
  expect(
    parse('openai-compatible', { model: 'm', baseUrl: 'http://localhost:1/v1' }).apiKeyEnv,
  ).toBeUndefined()
})

const parts = [{ text: 'Orr' }]
const gemini = { candidates: [{ content: { parts }, finishReason: 'STOP' }], modelVersion: 'm' }
const claude = { model: 'm', content: [{ type: 'text', text: 'Orr' }], stop_reason: 'end_turn' }

const GOOGLE = 'https://generativelanguage.googleapis.com/v1beta'

test.each<[name: string, address: string, key: string, path: string, json: unknown]>([
  ['openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY', '/v1/chat/completions', answer('m').json],
  ['anthropic', 'https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY', '/v1/messages', claude],
  ['google', GOOGLE, 'GEMINI_API_KEY', '/v1/models/m:generateContent', gemini],
])('%s is asked at its address with its key, or at another one', async (name, address, key, path, json) => {
  expect(parse(name, { model: 'm' })).toMatchObject({ baseUrl: address, apiKeyEnv: key })
  vi.stubEnv(key, 'key-canary')
  const { asked, baseUrl } = await fakeServer(() => ({ json }))
  expect(await ask(name, parse(name, { model: 'm', baseUrl }))).toMatchObject({ text: 'Orr', finish: 'stop' })
  vi.unstubAllEnvs()
  expect(asked[0].url).toBe(path)
  expect(JSON.stringify(asked[0].headers)).toContain('key-canary')
})

test('a price is in dollars per million tokens', () => {
  const priced = (input: number) => parse('openai', { model: 'm', price: { input, output: 2 } }).price?.input
  expect([0, 0.005, 75].map(priced)).toEqual([0, 0.005, 75])
  // Dollars per token, and per thousand.
  for (const price of [2.5e-6, 0.00015]) expect(() => priced(price)).toThrow('per million tokens')
})

test('a server gets the key of the variable, and no completion repeats it', async () => {
  vi.stubEnv('SOME_KEY', 'key-canary')
  const { asked, baseUrl } = await fakeServer(() => answer('m', 'key-canary'))
  const params = parse('openai-compatible', { model: 'm', baseUrl, apiKeyEnv: 'SOME_KEY' })
  expect((await ask('openai-compatible', params)).text).toBe('***')
  expect(asked[0].headers.authorization).toBe('Bearer key-canary')
  vi.unstubAllEnvs()
  await expect(async () => ask('openai-compatible', params)).rejects.toThrow(
    'models.m needs a key in the environment variable SOME_KEY, which is not set',
  )
})

test('a local server without a key answers as its model, or as `answersAs` says', async () => {
  const { asked, baseUrl } = await fakeServer(() => answer('other'))
  const params = { model: 'm', baseUrl }
  await expect(ask('openai-compatible', parse('openai-compatible', params))).rejects.toThrow(
    'answered as `other`, asked for `m`',
  )
  const named = parse('openai-compatible', { ...params, answersAs: 'other' })
  expect(await ask('openai-compatible', named)).toMatchObject({ text: 'Orr', model: 'other' })
  expect(asked[1].headers.authorization).toBeUndefined()
})

test('a request ends after `timeout` seconds', async () => {
  const { asked, baseUrl } = await fakeServer((n) => (n === 1 ? () => {} : answer('m')))
  const params = parse('openai-compatible', { model: 'm', baseUrl, timeout: 0.2 })
  expect((await ask('openai-compatible', params)).text).toBe('Orr')
  expect(asked.length).toBeGreaterThan(1)
})

test('the identity of a model is all that decides its completions, and not its address or price', () => {
  const decides = {
    model: 'm',
    revision: 'q4',
    temperature: 0.5,
    maxTokens: 50,
    seed: 7,
    reasoningEffort: 'low',
  }
  const params = { ...decides, baseUrl: 'http://localhost:1/v1', price: { input: 1, output: 2 }, timeout: 5 }
  expect(identityOf(provider('openai-compatible'), parse('openai-compatible', params))).toEqual({
    provider: 'openai-compatible',
    ...decides,
  })
})

test('a price is the config’s, or the table’s for this model of this provider at its own address', () => {
  const price = (name: string, given: object) =>
    priceOf(provider(name), parse(name, { model: 'gpt-5-mini', ...given }))
  expect(price('openai', {})).toMatchObject({ model: 'gpt-5-mini', provider: 'openai', input: 0.25 })
  expect(price('openai', { baseUrl: 'https://api.openai.com/v1//' })).toMatchObject({ input: 0.25 })
  expect(price('openai', { model: 'gpt-4.1-nano' })).toMatchObject({ model: 'gpt-4.1-nano', input: 0.1 })
  expect(price('openai', { price: { input: 9, output: 9 } })).toEqual({ input: 9, output: 9 })
  expect(price('openai', { model: 'novel' })).toBeNull()
  expect(price('openai', { baseUrl: 'https://gateway.example/v1' })).toBeNull()
  expect(price('anthropic', {})).toBeNull()
  expect(price('azure', { baseUrl: 'https://name.openai.azure.com/openai/v1' })).toBeNull()
})

test('params have bounds', () => {
  const takes = (param: string, value: unknown) => {
    try {
      parse('openai', { model: 'm', [param]: value })
      return true
    } catch {
      return false
    }
  }
  const price = (more: object) => ({ input: 0, output: 1e6, ...more })
  const bounds: Readonly<Record<string, readonly [within: readonly unknown[], without: readonly unknown[]]>> =
    {
      model: [
        ['m', 'm'.repeat(200)],
        ['', 'm'.repeat(201)],
      ],
      temperature: [
        [0, 2],
        [-0.1, 2.1],
      ],
      maxTokens: [
        [1, 1_000_000],
        [0, 1_000_001, 1.5],
      ],
      seed: [
        [0, 2 ** 31 - 1],
        [-1, 2 ** 31, 1.5],
      ],
      reasoningEffort: [
        ['x', 'x'.repeat(50)],
        ['', 'x'.repeat(51)],
      ],
      revision: [
        ['x', 'x'.repeat(200)],
        ['', 'x'.repeat(201)],
      ],
      fallback: [['x'], ['']],
      price: [
        [price({}), price({ cachedInput: 0 }), price({ input: 1e6, output: 0, cachedInput: 1e6 })],
        [
          price({ input: -1 }),
          price({ input: 1_000_001 }),
          price({ output: -1 }),
          price({ output: 1_000_001 }),
          price({ cachedInput: -1 }),
          price({ cachedInput: 1_000_001 }),
        ],
      ],
      concurrency: [
        [1, 1000],
        [0, 1001, 1.5],
      ],
      requestsPerMinute: [[1], [0, 1.5]],
      other: [[], [1]],
    }
  for (const [param, [within, without]] of Object.entries(bounds)) {
    for (const value of within) expect([param, value, takes(param, value)]).toEqual([param, value, true])
    for (const value of without) expect([param, value, takes(param, value)]).toEqual([param, value, false])
  }
})

test('reasoning is told apart only where a server sends some', async () => {
  const said = async (message: object, finish_reason: string | null = 'stop') => {
    const { baseUrl } = await fakeServer(() => ({
      json: { model: 'm', choices: [{ message, finish_reason }] },
    }))
    return ask('openai-compatible', parse('openai-compatible', { model: 'm', baseUrl }))
  }
  expect(await said({ content: 'Orr' })).not.toHaveProperty('reasoning')
  expect(await said({ content: 'Orr', reasoning_content: ' why ' })).toMatchObject({
    text: 'Orr',
    reasoning: 'why',
  })
  expect(await said({ content: '<think>so</think>Orr', reasoning_content: 'why' })).toMatchObject({
    text: 'Orr',
    reasoning: 'why\n\nso',
  })
  // The marks are gone from the text, so it is said that there was reasoning.
  expect(await said({ content: '<think></think>Orr' })).toMatchObject({ text: 'Orr', reasoning: '' })
  // What ended without a reason is an answer if there is any text.
  expect(await said({ content: 'Orr' }, null)).toMatchObject({ text: 'Orr', finish: 'other' })
  await expect(said({ content: '' }, null)).rejects.toThrow('where a message was asked for')
  expect(await said({ content: '' })).toMatchObject({ text: '', finish: 'stop' })
})
