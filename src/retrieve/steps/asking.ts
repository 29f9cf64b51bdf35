import { chatModel } from '../../corpus/chat-model.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { BadCompletion } from '../../models/chat/json.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import {
  type Chat,
  type ChatOutcome,
  type GivenCompletion,
  together,
  withChat,
} from '../../models/completions/chat.ts'
import type { Artifact, Inputs, Opened } from '../../store/artifact.ts'
import type { Json } from '../../types.ts'
import { defineStep } from '../step.ts'

interface AskingStep<P, I, A extends Inputs, T> {
  readonly name: string
  readonly version: number
  readonly artifacts?: (recipe: Recipe, params: P) => A
  /** As of any step (src/retrieve/step.ts). */
  readonly requires?: (recipe: Recipe, params: P) => Artifact<unknown> | undefined
  ask(chat: Chat, inputs: I, context: { readonly params: P; readonly artifacts: Opened<A> }): Promise<T>
  readonly notes?: (value: T) => Readonly<Record<string, string>>
  /** Counters in addition to those of completions. */
  readonly counts?: (value: T) => Readonly<Record<string, number>>
}

/**
 * Defines a step that asks the language model whose name in `models` its params hold. `ask` decides on what it was given
 * and what it hears alone, so that all is asked once, before the shards run, and found again by each of them. A BadCompletion
 * fails the query.
 */
export function defineAsking<
  P extends Json & { readonly model: string },
  I extends readonly unknown[],
  T,
  A extends Inputs = Record<never, never>,
>({ name, version, artifacts, requires, ask, notes, counts }: AskingStep<P, I, A, T>) {
  type Read = A & { readonly model: Artifact<CachedModel> }
  return defineStep<P, I, Read, ChatOutcome<T>>({
    name,
    version,
    asks: true,
    artifacts: (recipe, params) =>
      ({ ...artifacts?.(recipe, params), model: chatModel(recipe, params.model) }) as Read,
    ...(requires && { requires }),
    ...(notes && { notes: ({ value }: ChatOutcome<T>) => notes(value) }),
    counts: ({ completions: answers, value }) => ({ ...countCompletions(answers), ...counts?.(value) }),
    fellBack: ({ fellBack }) => fellBack,
    runBlock: (block, { params, artifacts }) =>
      together(block, (inputs) => {
        const { model } = artifacts as { readonly model: CachedModel }
        const opened = artifacts as unknown as Opened<A>
        const answers: GivenCompletion[] = []
        return withChat(model, (chat) => ask(chat, inputs, { params, artifacts: opened }), answers).catch(
          (error: unknown) => {
            // Calls were paid for, whatever came of them.
            if (error instanceof BadCompletion) error.counts = countCompletions(answers)
            throw error
          },
        )
      }),
  })
}

/** Counters of completions: in total, and per model, since prices differ. */
export function countCompletions(answers: readonly GivenCompletion[]): Record<string, number> {
  const counts: Record<string, number> = { modelCalls: answers.length, inputTokens: 0, outputTokens: 0 }
  const add = (name: string, amount: number) => {
    counts[name] = (counts[name] ?? 0) + amount
  }
  for (const { model, took, cut } of answers) {
    add('inputTokens', took.input)
    add('outputTokens', took.output)
    if (took.estimated) add('callsEstimated', 1)
    if (cut) add('callsCut', 1)
    for (const kind of USAGES) if (took[kind]) add(usageCounter(kind, model), took[kind])
  }
  return counts
}

export const USAGES = ['input', 'cachedInput', 'output', 'searches'] as const

const COUNTERS = {
  input: 'inputTokens',
  cachedInput: 'cachedInputTokens',
  output: 'outputTokens',
  searches: 'searches',
}

/** The counter that holds what one model took. */
export function usageCounter(kind: (typeof USAGES)[number], model: string): string {
  return `${COUNTERS[kind]} of ${model}`
}
