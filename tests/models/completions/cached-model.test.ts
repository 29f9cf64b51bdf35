import { describe, expect, it } from 'vitest'
import type { ChatModel, Completion } from '../../../src/models/chat/chat-model.ts'
import { type CachedModelOptions, cachedModel } from '../../../src/models/completions/cached-model.ts'
import { chatAtMost } from '../../../src/models/completions/cost.ts'
import { unrecorded } from '../../../src/models/completions/recorded.ts'
import type { StoredCompletion } from '../../../src/models/completions/request.ts'
import type { CompletionStore } from '../../../src/models/completions/store.ts'
import { completion } from './fixture.ts'

function inMemory(): CompletionStore {
  const stored = new Map<string, StoredCompletion>()
  return {
    get: (key) => stored.get(key),
    put(completion) {
      stored.set(completion.key, stored.get(completion.key) ?? completion)
      return stored.get(completion.key) ?? completion
    },
  }
}

/** A model that answers with `answer`, and how often it was asked. */
function stub(answer: (n: number) => Completion, more: Partial<CachedModelOptions> = {}) {
  const calls: number[] = []
  const chat: ChatModel = {
    async complete() {
      calls.push(calls.length)
      return answer(calls.length)
    },
  }
  const model = cachedModel({
    name: 'small',
    identity: { provider: 'openai', model: 'm' },
    params: {},
    completions: inMemory(),
    open: () => chat,
    concurrency: 2,
    price: null,
    atMost: (request) => chatAtMost(request, 50),
    ...more,
  })
  return { calls, model }
}

const asking = (content: string, repeat = 0) => ({
  prompt: 'p',
  messages: [{ role: 'user', content } as const],
  repeat,
})

describe('a model whose answers are kept', () => {
  it('is asked once, also by several at once, and once more for a repeat', async () => {
    const { model, calls } = stub((n) => completion(`answer ${n}`))
    expect(model.stored(asking('q'))).toBeUndefined()
    const three = await Promise.all([
      model.ask(asking('q')),
      model.ask(asking('q')),
      model.ask(asking('q', 1)),
    ])
    expect(three.map(({ completion: answer }) => answer.text)).toEqual(['answer 1', 'answer 1', 'answer 2'])
    expect((await model.ask(asking('q'))).completion.text).toBe('answer 1')
    expect(calls).toHaveLength(2)
    expect(model.stored(asking('q'))?.completion.text).toBe('answer 1')
  })

  it('asks again what failed', async () => {
    const { model, calls } = stub((n) => {
      if (n === 1) throw new Error('down')
      return completion('up')
    })
    await expect(model.ask(asking('q'))).rejects.toThrow('down')
    expect((await model.ask(asking('q'))).completion.text).toBe('up')
    expect(calls).toHaveLength(2)
  })

  it('opens nothing for a recording, and names what that lacks', async () => {
    const first = await stub(() => completion('one')).model.ask(asking('q'))
    const { model, calls } = stub(() => completion('live'), {
      completions: { ...inMemory(), get: (key) => (key === first.key ? first : undefined) },
      open: () => unrecorded('a.jsonl', 'small'),
    })
    expect((await model.ask(asking('q'))).completion.text).toBe('one')
    await expect(model.ask(asking('why?'))).rejects.toThrow(
      'a.jsonl: holds no completion of the model `small` for "why?"',
    )
    await expect(model.ask(asking('q', 3))).rejects.toThrow('for "q"')
    model.requireKey()
    expect(calls).toEqual([])
  })
})
