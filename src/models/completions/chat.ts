import type { z } from 'zod'
import { isBlank } from '../../text/characters.ts'
import type { Json } from '../../types.ts'
import type { Message } from '../chat/chat-model.ts'
import { askJson, BadCompletion, jsonSchemaOf, requireText } from '../chat/json.ts'
import { fillPrompt } from '../prompts/prompt.ts'
import { askWithFallbacks, type CachedModel, handedOn } from './cached-model.ts'
import { type Taken, takenBy } from './cost.ts'
import { promptHash, type StoredCompletion } from './request.ts'

export interface GivenCompletion {
  readonly model: string
  readonly took: Taken
  /** True if it was cut at `maxTokens`. */
  readonly cut: boolean
}

export function givenBy({ name }: Pick<CachedModel, 'name'>, stored: StoredCompletion): GivenCompletion {
  return { model: name, took: takenBy(stored), cut: stored.completion.finish === 'length' }
}

export interface ChatOutcome<T> {
  readonly value: T
  /** Includes those of fallbacks and repairs. */
  readonly completions: readonly GivenCompletion[]
  readonly fellBack: string | null
}

export interface FilledPrompt {
  readonly template: string
  readonly values: Readonly<Record<string, string>>
  /** Messages after the prompt: the completion first. */
  readonly further?: readonly Message[]
  /** Index among repeated completions of one request, from 0. */
  readonly seed?: number
}

export interface Chat {
  /** Throws a BadCompletion for a refusal or an empty text. */
  text(prompt: FilledPrompt): Promise<string>
  /** Throws a BadCompletion if the JSON is invalid twice. */
  json<T>(prompt: FilledPrompt, schema: z.ZodType<T>): Promise<T>
}

/** Runs `ask` with a model. Pass `completions` if they count also when `ask` throws. */
export async function withChat<T>(
  model: CachedModel,
  ask: (chat: Chat) => T | Promise<T>,
  completions: GivenCompletion[] = [],
): Promise<ChatOutcome<T>> {
  return withChats([model], (chat) => ask(chat as Chat), completions)
}

/** `withChat` with a chat for each model, undefined where there is none. */
export async function withChats<T>(
  models: readonly (CachedModel | undefined)[],
  ask: (...chats: (Chat | undefined)[]) => T | Promise<T>,
  completions: GivenCompletion[] = [],
): Promise<ChatOutcome<T>> {
  const outcome: { completions: GivenCompletion[]; fellBack: string | null } = { completions, fellBack: null }
  const value = await ask(...models.map((model) => model && chatWith(model, outcome)))
  return { value, ...outcome }
}

function chatWith(
  model: CachedModel,
  outcome: { completions: GivenCompletion[]; fellBack: string | null },
): Chat {
  async function complete(
    { template, values, further = [], seed = 0 }: FilledPrompt,
    more: readonly Message[],
    schema?: Json,
  ) {
    const content = fillPrompt(template, values)
    const messages = [{ role: 'user' as const, content }, ...further, ...more]
    const request = {
      prompt: promptHash(template),
      messages,
      repeat: seed,
      ...(schema !== undefined && { schema }),
    }
    const answers = await askWithFallbacks(model, request)
    for (const { model: answering, stored } of answers) outcome.completions.push(givenBy(answering, stored))
    if (answers.length > 1) outcome.fellBack ??= handedOn(answers[0].model, answers[0].stored) ?? null
    return answers[answers.length - 1].stored.completion
  }
  return {
    async text(prompt) {
      const text = requireText(await complete(prompt, [])).trim()
      if (isBlank(text)) throw new BadCompletion('the model answered nothing')
      return text
    },
    json: (prompt, schema) => askJson((more) => complete(prompt, more, jsonSchemaOf(schema)), schema),
  }
}

/** Runs a block at once. Waits for all of it, then throws the first error. */
export async function together<I, O>(
  block: readonly I[],
  run: (input: I, index: number) => Promise<O>,
): Promise<readonly O[]> {
  const settled = await Promise.allSettled(block.map(run))
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
