import type { z } from 'zod'
import { type AnsweringModel, askInTurn } from '../../models/answers/answering.ts'
import { promptHash } from '../../models/answers/question.ts'
import type { Message, Usage } from '../../models/chat/chat-model.ts'
import { askJson, BadAnswer, jsonSchemaOf, requireText } from '../../models/chat/json.ts'
import { fillPrompt } from '../../models/prompts/prompt.ts'
import { chatModel } from '../../prepare/chat-model.ts'
import type { Artifact, Inputs, Opened } from '../../store/artifact.ts'
import type { Json } from '../../types.ts'
import { defineStep } from '../step.ts'

/** An answer, and the config's name of the model that gave it. */
export interface Given {
  readonly model: string
  readonly usage: Usage | null
}

/** What a step heard from a model, and what it took. */
export interface Heard<T> {
  readonly value: T
  /** Every answer that was given for it, fallbacks' and repaired ones too. */
  readonly answers: readonly Given[]
  /** Why another model answered; null where none had to. */
  readonly fellBack: string | null
}

/** A prompt and what stands in its placeholders. */
export interface Prompted {
  readonly template: string
  readonly values: Readonly<Record<string, string>>
  /** Which of several answers to the same, from 0. */
  readonly repeat?: number
}

/** A model, as a step asks it: as often as it likes, in turn or together. */
export interface Talk {
  /** The text of an answer, trimmed. Throws a BadAnswer where the model refused, or said nothing. */
  text(prompt: Prompted): Promise<string>
  /** The answer as JSON of a schema; what is none is asked for once more, then it is a BadAnswer. */
  json<T>(prompt: Prompted, schema: z.ZodType<T>): Promise<T>
}

interface AskingStep<P, I, A extends Inputs, T> {
  readonly name: string
  readonly version: number
  readonly artifacts?: (recipe: Parameters<typeof chatModel>[0], params: P) => A
  ask(talk: Talk, inputs: I, context: { readonly params: P; readonly artifacts: Opened<A> }): Promise<T>
  readonly notes?: (value: T) => Readonly<Record<string, string>>
}

/**
 * Defines a step that asks the language model whose name in `models` its params hold. `ask` decides on what it was given
 * and what it hears alone, so that all is asked once, before the shards run, and found again by each of them. A BadAnswer
 * fails the query.
 */
export function defineAsking<
  P extends Json & { readonly model: string },
  I extends readonly unknown[],
  T,
  A extends Inputs = Record<never, never>,
>({ name, version, artifacts, ask, notes }: AskingStep<P, I, A, T>) {
  type Read = A & { readonly model: Artifact<AnsweringModel> }
  return defineStep<P, I, Read, Heard<T>>({
    name,
    version,
    asks: true,
    artifacts: (recipe, params) =>
      ({ ...artifacts?.(recipe, params), model: chatModel(recipe, params.model) }) as Read,
    ...(notes && { notes: ({ value }: Heard<T>) => notes(value) }),
    counts: ({ answers }) => countAnswers(answers),
    fellBack: ({ fellBack }) => fellBack,
    runBlock: (block, { params, artifacts }) =>
      together(block, async (inputs) => {
        const { model } = artifacts as { readonly model: AnsweringModel }
        const heard: { answers: Given[]; fellBack: string | null } = { answers: [], fellBack: null }
        const value = await ask(talkTo(model, heard), inputs, {
          params,
          artifacts: artifacts as unknown as Opened<A>,
        })
        return { value, ...heard }
      }),
  })
}

/** All at once, within what the model's limits allow; what is under way is waited for, whatever else fails. */
export async function together<I, O>(
  block: readonly I[],
  run: (inputs: I) => Promise<O>,
): Promise<readonly O[]> {
  const settled = await Promise.allSettled(block.map(run))
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** Everything that the model answers is put to what was `heard`. */
function talkTo(model: AnsweringModel, heard: { answers: Given[]; fellBack: string | null }): Talk {
  async function complete(
    { template, values, repeat = 0 }: Prompted,
    more: readonly Message[],
    schema?: Json,
  ) {
    const content = fillPrompt(template, values)
    const messages = [{ role: 'user' as const, content }, ...more]
    const asking = { prompt: promptHash(template), messages, repeat, ...(schema !== undefined && { schema }) }
    const given = await askInTurn(model, asking)
    for (const { model: asked, answered } of given)
      heard.answers.push({ model: asked.name, usage: answered.answer.usage })
    if (given.length > 1) heard.fellBack ??= `the model ${model.name} refused`
    return given[given.length - 1].answered.answer
  }
  return {
    async text(prompt) {
      const text = requireText(await complete(prompt, [])).trim()
      if (text === '') throw new BadAnswer('the model answered nothing')
      return text
    },
    json: (prompt, schema) => askJson((more) => complete(prompt, more, jsonSchemaOf(schema)), schema),
  }
}

/** What a trial's counters say of answers: all together, and of each model, whose price is its own. */
export function countAnswers(answers: readonly Given[]): Record<string, number> {
  const counts: Record<string, number> = { modelCalls: answers.length, inputTokens: 0, outputTokens: 0 }
  const add = (name: string, amount: number) => {
    counts[name] = (counts[name] ?? 0) + amount
  }
  for (const { model, usage } of answers) {
    if (!usage) continue
    add('inputTokens', usage.input)
    add('outputTokens', usage.output)
    for (const kind of USAGES) if (usage[kind]) add(usageCounter(kind, model), usage[kind])
  }
  return counts
}

export const USAGES = ['input', 'cachedInput', 'output', 'searches'] as const

const COUNTERS = {
  ...{ input: 'inputTokens', cachedInput: 'cachedInputTokens', output: 'outputTokens' },
  searches: 'searches',
}

/** The counter that holds what one model took. */
export function usageCounter(kind: (typeof USAGES)[number], model: string): string {
  return `${COUNTERS[kind]} of ${model}`
}
