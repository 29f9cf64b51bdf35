import type { z } from 'zod'
import type { Json } from '../../types.ts'
import type { Message } from '../chat/chat-model.ts'
import { askJson, BadCompletion, jsonSchemaOf, requireText } from '../chat/json.ts'
import { withReasoningApart } from '../chat/reasoning.ts'
import { fillPrompt } from '../prompts/prompt.ts'
import { askWithFallbacks, type CachedModel } from './cached-model.ts'
import { type Taken, takenBy } from './cost.ts'
import { promptHash, type StoredCompletion } from './request.ts'

/** What one completion took, and the config's name of the model that gave it. */
export interface GivenCompletion {
  readonly model: string
  readonly took: Taken
  /** True if it was cut at `maxTokens`. */
  readonly cut: boolean
}

export function givenBy({ name }: Pick<CachedModel, 'name'>, stored: StoredCompletion): GivenCompletion {
  return { model: name, took: takenBy(stored), cut: stored.completion.finish === 'length' }
}

/** What a step heard from a model, and what it took. */
export interface ChatOutcome<T> {
  readonly value: T
  /** Every answer that was given for it, fallbacks' and repaired ones too. */
  readonly completions: readonly GivenCompletion[]
  /** Why another model answered; null where none had to. */
  readonly fellBack: string | null
}

/** A prompt and what stands in its placeholders. */
export interface FilledPrompt {
  readonly template: string
  readonly values: Readonly<Record<string, string>>
  /** What was said since, where the talk goes on: the answer to the prompt first. */
  readonly further?: readonly Message[]
  /** Which of several answers to the same, from 0. */
  readonly repeat?: number
}

/** A model, as whoever asks it: as often as one likes, in turn or together. */
export interface Chat {
  /** The text of an answer, trimmed. Throws a BadAnswer where the model refused, or said nothing. */
  text(prompt: FilledPrompt): Promise<string>
  /** The answer as JSON of a schema; what is none is asked for once more, then it is a BadAnswer. */
  json<T>(prompt: FilledPrompt, schema: z.ZodType<T>): Promise<T>
}

/**
 * What `ask` came to with a model, and everything that the model said on the way. `answers` is given where that counts also
 * if `ask` throws.
 */
export async function withChat<T>(
  model: CachedModel,
  ask: (chat: Chat) => T | Promise<T>,
  completions: GivenCompletion[] = [],
): Promise<ChatOutcome<T>> {
  const heard: { completions: GivenCompletion[]; fellBack: string | null } = { completions, fellBack: null }
  const value = await ask(chatWith(model, heard))
  return { value, ...heard }
}

/** Everything that the model answers is put to what was `heard`. */
function chatWith(
  model: CachedModel,
  heard: { completions: GivenCompletion[]; fellBack: string | null },
): Chat {
  async function complete(
    { template, values, further = [], repeat = 0 }: FilledPrompt,
    more: readonly Message[],
    schema?: Json,
  ) {
    const content = fillPrompt(template, values)
    const messages = [{ role: 'user' as const, content }, ...further, ...more]
    const request = {
      prompt: promptHash(template),
      messages,
      repeat,
      ...(schema !== undefined && { schema }),
    }
    const given = await askWithFallbacks(model, request)
    for (const { model: asked, stored } of given) heard.completions.push(givenBy(asked, stored))
    if (given.length > 1) heard.fellBack ??= `the model ${model.name} refused`
    return withReasoningApart(given[given.length - 1].stored.completion)
  }
  return {
    async text(prompt) {
      const text = requireText(await complete(prompt, [])).trim()
      if (text === '') throw new BadCompletion('the model answered nothing')
      return text
    },
    json: (prompt, schema) => askJson((more) => complete(prompt, more, jsonSchemaOf(schema)), schema),
  }
}

/** All at once, within what the model's limits allow; what is under way is waited for, whatever else fails. */
export async function together<I, O>(
  block: readonly I[],
  run: (input: I, index: number) => Promise<O>,
): Promise<readonly O[]> {
  const settled = await Promise.allSettled(block.map(run))
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}
