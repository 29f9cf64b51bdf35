import { chatModel } from '../../corpus/chat-model.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { BadCompletion, Unasked } from '../../models/chat/json.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import {
  type Chat,
  type ChatOutcome,
  type GivenCompletion,
  together,
  withChats,
} from '../../models/completions/chat.ts'
import type { Artifact, Inputs, Opened } from '../../store/artifact.ts'
import type { Json } from '../../types.ts'
import {
  defineStep,
  type Expression,
  type Expressions,
  type OptionalParams,
  type StepFacts,
} from '../step.ts'

/** Params of a step that sends one prompt. */
export type Asked = {
  /** A name in `models`. */
  readonly model: string
  readonly template: string
  /** Index among several completions, from 0. */
  readonly seed: number
}

interface AskingStep<P, I, A extends Inputs, T> {
  readonly name: string
  readonly artifacts?: (recipe: Recipe, params: P) => A
  readonly requires?: (recipe: Recipe, params: P) => Artifact<unknown> | undefined
  ask(chat: Chat, inputs: I, context: { readonly params: P; readonly artifacts: Opened<A> }): Promise<T>
  /** Facts in addition to the counters of completions. */
  readonly facts?: (value: T) => StepFacts
}

const askedValue = defineStep<null, [ChatOutcome<unknown>], unknown>({
  name: 'asked-value',
  run: ([{ value }]) => value,
})

/**
 * A step that asks a model of the config. `ask` depends only on its inputs and completions; a BadCompletion fails the
 * query.
 */
export function defineAsking<
  P extends Json & { readonly model: string },
  I extends readonly unknown[],
  T,
  A extends Inputs = Record<never, never>,
>({ name, artifacts, requires, ask, facts }: AskingStep<P, I, A, T>) {
  type Read = A & { readonly model: Artifact<CachedModel> }
  const step = defineStep<P, I, ChatOutcome<T>, Read>({
    name,
    asks: true,
    artifacts: (recipe, params) =>
      ({ ...artifacts?.(recipe, params), model: chatModel(recipe, params.model) }) as Read,
    ...(requires && { requires }),
    facts({ completions: answers, value, fellBack }) {
      const of = facts?.(value)
      return { ...of, counts: { ...countCompletions(answers), ...of?.counts }, fellBack }
    },
    runBlock: (block, { params, artifacts }) => {
      const { model } = artifacts as { readonly model: CachedModel }
      const opened = artifacts as unknown as Opened<A>
      return askEach(block, [model], (inputs, chat) =>
        ask(chat as Chat, inputs, { params, artifacts: opened }),
      )
    },
  })
  return (inputs: Expressions<I>, ...params: OptionalParams<P>) =>
    askedValue([step(inputs, ...params)]) as Expression<T>
}

/** Asks models for each input of a block at once. If an input has no readable completion, its error has their counters. */
export function askEach<I, T>(
  block: readonly I[],
  models: readonly (CachedModel | undefined)[],
  ask: (input: I, ...chats: (Chat | undefined)[]) => T | Promise<T>,
): Promise<readonly ChatOutcome<T>[]> {
  return together(block, (input) => {
    const completions: GivenCompletion[] = []
    return withChats(models, (...chats) => ask(input, ...chats), completions).catch((error: unknown) => {
      // Calls were paid for, whatever came of them.
      if (error instanceof BadCompletion) error.counts = countCompletions(completions)
      throw error
    })
  })
}

/** One of many calls for a query: null where its answer cannot be read, since the others still count. */
export async function readable<T>(said: Promise<T>): Promise<T | null> {
  try {
    return await said
  } catch (error) {
    if (!(error instanceof BadCompletion) || error instanceof Unasked) throw error
    return null
  }
}

export const unreadNote =
  (what: string) =>
  ({ unread }: { readonly unread?: number }): StepFacts => ({
    notes: unread ? { [what]: String(unread) } : {},
  })

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

export function usageCounter(kind: (typeof USAGES)[number], model: string): string {
  return `${COUNTERS[kind]} of ${model}`
}
