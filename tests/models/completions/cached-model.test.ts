import { describe, expect, it } from 'vitest'
import type { ChatModel, Completion } from '../../../src/models/chat/chat-model.ts'
import {
  askWithFallbacks,
  type CachedModelOptions,
  cachedModel,
} from '../../../src/models/completions/cached-model.ts'
import { chatAtMost } from '../../../src/models/completions/cost.ts'
import { unrecorded } from '../../../src/models/completions/recorded.ts'
import type { StoredCompletion } from '../../../src/models/completions/request.ts'
import type { CompletionStore } from '../../../src/models/completions/store.ts'
import { completion } from './fixture.ts'

function inMemory(): CompletionStore {
  const held = new Map<string, StoredCompletion>()
  return {
    get: (key) => held.get(key),
    put(one) {
      held.set(one.key, held.get(one.key) ?? one)
      return held.get(one.key) ?? one
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
    atMost: (one) => chatAtMost(one, 50),
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

  it('hands on what it refuses to answer, and nothing else', async () => {
    const other = stub(() => completion('other'), { identity: { provider: 'openai', model: 'other' } })
    const { model } = stub((n) => (n === 1 ? completion('', { finish: 'refusal' }) : completion('own')), {
      fallback: other.model,
    })
    const asked = await askWithFallbacks(model, asking('q'))
    expect(asked.map(({ stored }) => stored.completion.text)).toEqual(['', 'other'])
    expect(await askWithFallbacks(model, asking('r'))).toHaveLength(1)
    expect(other.calls).toHaveLength(1)
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

  it('costs what was read and written, and less from a cache', async () => {
    const usage = { input: 1000, cachedInput: 400, output: 100, reasoning: 50 }
    const price = { input: 2, output: 10, cachedInput: 0.5 }
    const { model } = stub(() => completion('a', { usage }), { price })
    expect(model.cost(await model.ask(asking('q')))).toBeCloseTo((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6, 12)
    // As answers were kept before these were told apart.
    const older = stub(() => completion('a', { usage: { input: 1000, output: 100 } }), { price })
    expect(older.model.cost(await older.model.ask(asking('q')))).toBeCloseTo((1000 * 2 + 100 * 10) / 1e6, 12)
    const silent = stub(() => completion('one two', { usage: null }), { price: { input: 1e6, output: 1e6 } })
    expect(silent.model.cost(await silent.model.ask(asking('q')))).toBe(1 + 2)
    expect(stub(() => completion('a')).model.cost(await model.ask(asking('q')))).toBeNull()
  })
})
