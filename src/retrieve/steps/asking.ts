import { z } from 'zod'
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
import { modelParams, type PromptName, promptFiles, promptText } from '../../models/prompts/prompt.ts'
import type { Artifact, Inputs, Opened } from '../../store/artifact.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query } from '../../types.ts'
import {
  defineStep,
  type Expression,
  type Expressions,
  type OptionalParams,
  type StepFacts,
} from '../step.ts'

export function roleParams(role: string, holes: readonly string[]) {
  const { model, seed, ...prompt } = modelParams(holes)
  return {
    ...prompt,
    model: model.optional().meta({ model: true }).describe(`a name in \`models\`: ${role}`),
    seed: seed
      .unwrap()
      .optional()
      .describe('number of a sample among several completions of one prompt; default: 0'),
  }
}

interface Role {
  readonly model?: string | undefined
  readonly prompt?: string | undefined
  readonly seed?: number | undefined
}

export function askedRole({ model, prompt, seed = 0 }: Role, otherwise: PromptName) {
  return model === undefined ? undefined : { model, template: promptText(prompt, otherwise), seed }
}

/** The argument of a schema's `superRefine`: refuses a role's params without a model, which would ask nothing. */
export function refuseIdleRole({ model, ...params }: Role, { addIssue }: z.RefinementCtx): void {
  for (const param of ['prompt', 'seed'] as const)
    if (model === undefined && params[param] !== undefined)
      addIssue({ code: 'custom', path: [param], message: 'is for a `model`, and none is named' })
}

/** Passages of a prompt, delimited by marks that the texts cannot close. */
export function passagesText(
  texts: readonly string[],
  attribute: (index: number) => string = () => '',
): string {
  return texts
    .map((text, index) => `<passage${attribute(index)}>\n${withoutMarks(text)}\n</passage>`)
    .join('\n')
}

export type Asked = {
  /** A name in `models`. */
  readonly model: string
  readonly template: string
  /** Index among several completions, from 0. */
  readonly seed: number
}

type Values = Readonly<Record<string, string>>

/** Chat of a step, with its prompt. The prompt's `query` is the text of the step's first input. */
export interface PromptChat {
  /** As `Chat.text`. */
  text(values?: Values): Promise<string>
  /** As `Chat.json`. */
  json<T>(schema: z.ZodType<T>, values?: Values): Promise<T>
  /** As `json`, for one of many calls for a query: null if the completion cannot be read. */
  jsonOrNull<T>(schema: z.ZodType<T>, values?: Values): Promise<T | null>
}

interface AskingStep<P, I, A extends Inputs, T> {
  readonly name: string
  readonly artifacts?: (recipe: Recipe, params: P) => A
  readonly requires?: (recipe: Recipe, params: P) => Artifact<unknown> | undefined
  ask(chat: PromptChat, inputs: I, context: { readonly params: P; readonly artifacts: Opened<A> }): Promise<T>
  /** Facts in addition to the counters of completions. */
  readonly facts?: (value: T) => StepFacts
  /** Name of the note that counts unreadable completions of `jsonOrNull`. */
  readonly unread?: string
}

interface Answered<T> {
  readonly answer: T
  readonly unread: number
}

const takeAnswer = defineStep<null, [ChatOutcome<Answered<unknown>>], unknown>({
  name: 'asked-value',
  run: ([{ value }]) => value.answer,
})

/**
 * A step that asks a model of the config. `ask` depends only on its inputs and completions; a BadCompletion fails the
 * query.
 */
export function defineAsking<
  P extends Asked,
  I extends readonly [Query, ...unknown[]],
  T,
  A extends Inputs = Record<never, never>,
>({ artifacts, ask, facts, unread: unreadNote = '', ...definition }: AskingStep<P, I, A, T>) {
  type Read = A & { readonly model: Artifact<CachedModel> }
  const step = defineStep<P, I, ChatOutcome<Answered<T>>, Read>({
    ...definition,
    asks: true,
    artifacts: (recipe, params) =>
      ({ ...artifacts?.(recipe, params), model: chatModel(recipe, params.model) }) as Read,
    facts({ completions, value: { answer, unread }, fellBack }) {
      const more = facts?.(answer)
      return {
        ...more,
        counts: { ...countCompletions(completions), ...more?.counts },
        notes: { ...more?.notes, ...(unread > 0 && { [unreadNote]: String(unread) }) },
        fellBack,
      }
    },
    runBlock(block, { params, artifacts }) {
      const { model } = artifacts as { readonly model: CachedModel }
      const opened = artifacts as unknown as Opened<A>
      return askEach(block, [model], async (inputs, chat) => {
        let unread = 0
        const promptChat = chatFor(chat as Chat, params, inputs[0], () => unread++)
        const answer = await ask(promptChat, inputs, { params, artifacts: opened })
        return { answer, unread }
      })
    },
  })
  return (inputs: Expressions<I>, ...params: OptionalParams<P>) =>
    takeAnswer([step(inputs, ...params)]) as Expression<T>
}

function chatFor(chat: Chat, { template, seed }: Asked, { text }: Query, noteUnread: () => void): PromptChat {
  const filled = (values?: Values) => ({ template, seed, values: { query: withoutMarks(text), ...values } })
  return {
    text: (values) => chat.text(filled(values)),
    json: (schema, values) => chat.json(filled(values), schema),
    async jsonOrNull(schema, values) {
      const value = await readable(chat.json(filled(values), schema))
      if (!(value instanceof BadCompletion)) return value
      noteUnread()
      return null
    },
  }
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

export function readable<T>(said: Promise<T>): Promise<T | BadCompletion> {
  return said.catch((error: unknown) => {
    if (error instanceof BadCompletion && !(error instanceof Unasked)) return error
    throw error
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

export function usageCounter(kind: (typeof USAGES)[number], model: string): string {
  return `${COUNTERS[kind]} of ${model}`
}

/** A model's completion of a prompt with the query in it. A refusal or an empty completion fails the query. */
export const askModel = defineAsking<Asked, [Query], string>({
  name: 'ask-model',
  ask: (chat) => chat.text(),
})

const HOLES = ['query']

const params = z.strictObject(modelParams(HOLES))

/** Query transform by a text that a model writes. `put` adds the text to the query. */
export function rewriteByModel(name: PromptName, put: (query: Query, text: string) => Query) {
  const step = defineStep({
    name,
    yields: 'query',
    run: ([query, text]: [Query, string]) => put(query, text),
  })
  return {
    params,
    files: promptFiles(HOLES),
    make: ({ model, seed, prompt }: z.output<typeof params>) => ({
      rewrite(query: Expression<Query>) {
        const text = askModel([query], { model, seed, template: promptText(prompt, name) })
        return step([query, text])
      },
    }),
  }
}
