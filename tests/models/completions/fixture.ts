import type { Completion } from '../../../src/models/chat/chat-model.ts'
import { type KeyedRequest, storedCompletion } from '../../../src/models/completions/request.ts'

export const question = (content: string, more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  model: { provider: 'openai', model: 'm', temperature: 0 },
  prompt: 'p',
  messages: [{ role: 'user', content }],
  repeat: 0,
  ...more,
})

export const completion = (text: string, more: Partial<Completion> = {}): Completion => ({
  text,
  model: 'm-1',
  finish: 'stop',
  usage: { input: 4, cachedInput: 0, output: 2, reasoning: 0 },
  ...more,
})

export const pair = (content: string, text: string) => storedCompletion(question(content), completion(text))
