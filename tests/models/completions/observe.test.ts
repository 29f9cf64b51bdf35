import { expect, test } from 'vitest'
import {
  askWithFallbacks,
  type CachedModel,
  type CompletionRequest,
  observe,
} from '../../../src/models/completions/cached-model.ts'
import { storedCompletion } from '../../../src/models/completions/request.ts'
import { completion, question } from './fixture.ts'

const request: CompletionRequest = { prompt: 'p', messages: [{ role: 'user', content: 'q' }], repeat: 0 }

/** A model that refuses or completes; `sent` lists the names of the models that were asked. */
function model(name: string, sent: string[], more: Partial<CachedModel> = {}): CachedModel {
  return {
    name,
    concurrency: 1,
    stored: () => undefined,
    cost: () => null,
    requireKey: () => {},
    keepFailures: () => {},
    fail: () => expect.fail('nothing failed'),
    estimate: () => expect.fail('nothing is estimated'),
    async ask() {
      sent.push(name)
      const finish = more.fallback ? 'refusal' : 'stop'
      return storedCompletion(question(name), completion(name, { finish }))
    },
    ...more,
  }
}

test('requests to a model and to its fallback are observed, before and after', async () => {
  const sent: string[] = []
  const seen: string[] = []
  const observed = observe(model('small', sent, { fallback: model('large', sent) }), {
    before: ({ name }) => void seen.push(`before ${name}`),
    after: ({ completion }, { name }) => void seen.push(`after ${name}: ${completion.text}`),
  })
  const answers = await askWithFallbacks(observed, request)
  expect(answers.map(({ stored }) => stored.completion.text)).toEqual(['small', 'large'])
  expect(sent).toEqual(['small', 'large'])
  expect(seen).toEqual(['before small', 'after small: small', 'before large', 'after large: large'])
})
