import { type Asked, type Behaviour, fakeServer } from '../models/fake-server.ts'

interface Reply {
  readonly finish?: string | undefined
  /** Keys next to the content. */
  readonly message?: object
  readonly model?: string
  readonly usage?: unknown
}

/** A reply of a chat server, which read 100 tokens and wrote 10 unless `more` says otherwise. */
export function completion(content: unknown, { finish = 'stop', message, ...more }: Reply = {}): Behaviour {
  return {
    json: {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'tiny',
      choices: [{ index: 0, message: { role: 'assistant', content, ...message }, finish_reason: finish }],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
      ...more,
    },
  }
}

/** A server whose model says to each prompt what `say` does. */
export function fakeModel(say: (prompt: string, n: number, asked: Asked) => unknown) {
  return fakeServer((n, request) => completion(say(request.body.messages[0].content, n, request)))
}

/** Config of a model at a server that answers in OpenAI's form. */
export function modelAt(baseUrl: string, params = 'model: tiny'): string {
  return `{openai-compatible: {baseUrl: "${baseUrl}", ${params}}}`
}

/** Config of a model that replays the completions of an experiment, at the usual price. */
export const replayOf = (experiment: string, name = 'tiny') => [
  '--set',
  `models.${name}={recorded: {path: ${experiment}/answers.jsonl, price: {input: 1, output: 10}}}`,
  '--store',
  'other',
]
