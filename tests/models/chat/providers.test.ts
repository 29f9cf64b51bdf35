import { expect, test, vi } from 'vitest'
import {
  type ChatProviderParams,
  chatProviders,
  identityOf,
  openProvider,
  priceOf,
} from '../../../src/models/chat/providers.ts'
import { fakeServer } from '../fake-server.ts'

const provider = (name: string) => chatProviders.byName.get(name) as never
const parse = (name: string, params: object) =>
  (provider(name) as { params: { parse(given: object): ChatProviderParams } }).params.parse(params)
const answer = (model: string, content = 'Orr') => ({
  json: { model, choices: [{ message: { content }, finish_reason: 'stop' }] },
})
const ask = (name: string, params: ChatProviderParams) =>
  openProvider(provider(name), params, 'models.m').complete([{ role: 'user', content: 'Who?' }], {})

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
  const price = (name: string, params: object) =>
    priceOf(provider(name), parse(name, { model: 'gpt-5-mini', ...params }))
  expect(price('openai', {})).toMatchObject({ model: 'gpt-5-mini', provider: 'openai', input: 0.25 })
  expect(price('openai', { baseUrl: 'https://api.openai.com/v1//' })).toMatchObject({ input: 0.25 })
  expect(price('openai', { model: 'gpt-4.1-nano' })).toMatchObject({ model: 'gpt-4.1-nano', input: 0.1 })
  expect(price('openai', { price: { input: 9, output: 9 } })).toEqual({ input: 9, output: 9 })
  expect(price('openai', { model: 'novel' })).toBeNull()
  expect(price('openai', { baseUrl: 'https://gateway.example/v1' })).toBeNull()
  expect(price('anthropic', {})).toBeNull()
  expect(price('azure', { baseUrl: 'https://name.openai.azure.com/openai/v1' })).toBeNull()
})
