import { expect, test } from 'vitest'
import { openForecast } from '../../../src/experiment/plan/forecast.ts'
import { trackSpending } from '../../../src/experiment/plan/spending.ts'
import {
  askWithFallbacks,
  type CachedModel,
  type CompletionRequest,
} from '../../../src/models/completions/cached-model.ts'
import { storedCompletion } from '../../../src/models/completions/request.ts'
import { completion, pair, question } from '../../models/completions/fixture.ts'

const asking = (content: string, more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  ...{ prompt: 'p', messages: [{ role: 'user', content } as const], repeat: 0 },
  ...more,
})

/** Reads 10 tokens a message, writes up to 5, at a dollar a token. */
function model(name: string, more: Partial<CachedModel> = {}): CachedModel {
  return {
    ...{
      name,
      concurrency: 1,
      stored: () => undefined,
      cost: () => 6,
      requireKey: () => {},
      keepFailures: () => {},
    },
    ask: () => expect.fail('nothing is asked'),
    fail: () => expect.fail('nothing failed'),
    estimate: ({ messages }) => ({
      ...{ input: 10 * messages.length, output: 5, dollars: 10 * messages.length + 5 },
      key: JSON.stringify([name, messages]),
    }),
    ...more,
  }
}

test('a question counts once, whoever asks it', async () => {
  const forecast = openForecast()
  const small = forecast.wrap(model('small'))
  for (const content of ['one', 'two', 'one'])
    await expect(small.ask(asking(content))).rejects.toThrow('has no completion yet')
  expect(forecast.models()).toEqual([
    {
      ...{ model: 'small', kept: { answers: 0, tokens: 0, dollars: 0 }, calls: 2, spareCalls: 0 },
      ...{ inputTokens: 20, outputTokens: 10, dollars: 30 },
    },
  ])
})

test('JSON may be asked for once more, and a fallback the same', async () => {
  const forecast = openForecast()
  const small = forecast.wrap(model('small', { fallback: model('large') }))
  await expect(askWithFallbacks(small, asking('one', { schema: {} }))).rejects.toThrow(
    'has no completion yet',
  )
  const took = { inputTokens: 10 + 20, outputTokens: 5 + 5, dollars: 15 + 25 }
  expect(forecast.models()).toMatchObject([
    { model: 'large', calls: 0, spareCalls: 2, ...took },
    { model: 'small', calls: 1, spareCalls: 1, ...took },
  ])
})

test('what is kept is no call, counts for the budget, and may be a refusal that is handed on', async () => {
  const spending = trackSpending({ dollars: 6 }, () => 0)
  const forecast = openForecast(spending)
  const refused = storedCompletion(question('one'), completion('', { finish: 'refusal' }))
  const large = model('large')
  const small = forecast.wrap(model('small', { stored: () => refused, fallback: large }))
  await expect(askWithFallbacks(small, asking('one'))).rejects.toThrow('has no completion yet')
  expect(forecast.models()).toMatchObject([
    { model: 'large', calls: 1 },
    { model: 'small', calls: 0, kept: { answers: 1, tokens: 6, dollars: 6 } },
  ])
  expect(() => spending.check()).toThrow('is used up')
  const again = forecast.wrap(model('small', { stored: () => pair('one', 'a') }))
  expect((await again.ask(asking('one'))).completion.text).toBe('a')
})

test('there is no bound where one call has none', async () => {
  const forecast = openForecast()
  const endless = model('small', {
    estimate: (one) => ({ ...model('small').estimate(one), output: null, dollars: null }),
  })
  await expect(forecast.wrap(endless).ask(asking('one'))).rejects.toThrow()
  await expect(forecast.wrap(model('small')).ask(asking('two'))).rejects.toThrow()
  expect(forecast.models()).toMatchObject([{ calls: 2, inputTokens: 20, outputTokens: null, dollars: null }])
})

test('the call that repairs JSON reads the completion again, at its longest, and 300 tokens', async () => {
  const letters = (output: number | null) => ({
    estimate: ({ messages }: CompletionRequest) => ({
      ...{ input: messages.reduce((sum, { content }) => sum + content.length, 0), output, dollars: null },
      key: JSON.stringify(messages),
    }),
  })
  for (const [output, read] of [
    [5, 2 * 305],
    [null, 2 * 300],
  ] as const) {
    const forecast = openForecast()
    const small = forecast.wrap(model('small', letters(output)))
    await expect(small.ask(asking('one', { schema: {} }))).rejects.toThrow('has no completion yet')
    expect(forecast.models()).toMatchObject([{ calls: 1, spareCalls: 1, inputTokens: 3 + 3 + read }])
  }
})

test('what is empty is not sent', async () => {
  const forecast = openForecast()
  const none = { ...{ input: 0, output: 0, dollars: 0 }, key: 'none' }
  const small = forecast.wrap(model('small', { estimate: () => none }))
  await expect(small.ask(asking(''))).rejects.toThrow('has no completion yet')
  expect(forecast.models()).toEqual([])
})

test('a kept completion counts once, and its dollars are unknown without a price', async () => {
  const forecast = openForecast()
  const free = model('small', { stored: () => pair('one', 'a'), cost: () => null })
  const small = forecast.wrap(free)
  for (let times = 0; times < 2; times++) await small.ask(asking('one'))
  expect(forecast.models()).toMatchObject([{ kept: { answers: 1, tokens: 6, dollars: null } }])
})
