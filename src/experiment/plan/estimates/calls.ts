import { addToSet } from '../../../maps.ts'
import { Unasked } from '../../../models/chat/json.ts'
import {
  type CachedModel,
  type CompletionRequest,
  observe,
} from '../../../models/completions/cached-model.ts'
import { takenBy } from '../../../models/completions/cost.ts'
import { type StoredCompletion, storedCompletion } from '../../../models/completions/request.ts'
import { type Expression, expressionsOf, isSource } from '../../../retrieve/step.ts'
import type { Json } from '../../../types.ts'
import type { OpenExperiment } from '../open.ts'
import { estimateArtifacts, nameInConfig, requestsOf, walkRequests } from '../requests.ts'
import { dollarText, type Spending } from '../spending.ts'

const ROLES = ['corpus', 'steps', 'answers', 'judges'] as const
type Role = (typeof ROLES)[number]

export interface CallsEstimate {
  readonly role: Role
  readonly model: string
  readonly stored: { completions: number; tokens: number; dollars: number | null }
  /** Exact for corpus and steps, else an upper bound. */
  calls: number
  /** Further calls for completions that are refused or not the requested JSON. */
  spareCalls: number
  inputTokens: number
  /** Maximum; null without `maxTokens`. */
  outputTokens: number | null
  dollars: number | null
}

export interface Estimate {
  readonly calls: readonly CallsEstimate[]
  /** Calls that depend on missing completions or embeddings; `queries` is null for the corpus. */
  readonly later: readonly { readonly step: string; readonly queries: number | null }[]
}

/** Calls that read each other's completions. */
export interface Chain {
  readonly times: number
  unlimited: boolean
}

export type Tally = ReturnType<typeof openTally>

const UNASKED = 'has no completion yet'
/** Tokens of the message that asks for JSON again. */
const REPAIR = 300

export function openTally(spending?: Spending) {
  const rows = new Map<string, CallsEstimate>()
  const seen = new Set<string>()

  function rowOf(role: Role, { name: model }: CachedModel): CallsEstimate {
    const key = `${ROLES.indexOf(role)} ${model}`
    const stored = { completions: 0, tokens: 0, dollars: 0 }
    const none = { calls: 0, spareCalls: 0, inputTokens: 0, outputTokens: 0, dollars: 0 }
    const row = rows.get(key) ?? { role, model, stored, ...none }
    rows.set(key, row)
    return row
  }

  function noteStored(role: Role, model: CachedModel, completion: StoredCompletion): void {
    const dollars = model.cost(completion)
    spending?.note(completion, dollars)
    if (seen.has(completion.key)) return
    seen.add(completion.key)
    const { stored } = rowOf(role, model)
    const { input, output } = takenBy(completion)
    stored.completions++
    stored.tokens += input + output
    stored.dollars = plus(stored.dollars, dollars)
  }

  /** Counts a call, a second one for JSON, and those of fallbacks. Returns the longest completion. */
  function noteMissing(
    role: Role,
    model: CachedModel,
    request: CompletionRequest,
    chain?: Chain,
    spare = 0,
  ): number | null {
    const { times, unlimited } = chain ?? { times: 1, unlimited: false }
    const first = model.estimate(request)
    // No recording holds estimated requests.
    if (chain && model.isRecorded) return first.output
    // A reranker is sent no empty list. Equal requests are one call.
    if (first.input === 0 || (!chain && seen.has(first.key))) return 0
    if (!chain) seen.add(first.key)
    const content = 'x '.repeat(REPAIR + (first.output ?? 0))
    const repair = { ...request, messages: [...request.messages, { role: 'user' as const, content }] }
    const calls = request.schema === undefined ? [first] : [first, model.estimate(repair)]
    const row = rowOf(role, model)
    row.calls += times * (1 - spare)
    row.spareCalls += times * (calls.length - 1 + spare)
    for (const { input, output, dollars } of calls) {
      row.inputTokens += times * input
      row.outputTokens = plus(row.outputTokens, output === null || unlimited ? null : times * output)
      row.dollars = plus(row.dollars, dollars === null || unlimited ? null : times * dollars)
    }
    const further = model.fallback ? noteMissing(role, model.fallback, request, chain, 1) : 0
    return first.output === null || further === null ? null : Math.max(first.output, further)
  }

  /**
   * The model with stored completions only. Other requests are counted and fail, or with a `chain` get the longest
   * completion.
   */
  const wrap = (role: Role, chain?: Chain) => (model: CachedModel) =>
    observe(model, {
      before(model, request) {
        const completion = model.stored(request)
        if (completion) {
          noteStored(role, model, completion)
          return completion
        }
        const output = noteMissing(role, model, request, chain)
        if (!chain) throw new Unasked(UNASKED)
        chain.unlimited ||= output === null
        return longestCompletion(request, output ?? 1)
      },
    })
  return { wrap, rows: () => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row) }
}

function plus(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : sum + more
}

export function filler(tokens: number): string {
  return ' x'.repeat(tokens)
}

function longestCompletion(request: CompletionRequest, tokens: number): StoredCompletion {
  const { schema } = request
  const text = schema === undefined ? filler(tokens) : JSON.stringify(sampleOf(schema, filler(tokens)))
  const completion = { text, model: '', finish: 'stop', usage: { input: 1, output: 1 } } as const
  return storedCompletion({ model: {}, ...request }, completion)
}

/** Lists of one item, every string `text`. */
function sampleOf(schema: Json, text: string): Json {
  const { type, properties, items, maximum = 1 } = schema as Record<string, Json>
  if (type === 'array') return [sampleOf(items, text)]
  if (type !== 'object') return type === 'string' ? text : type === 'boolean' || maximum
  return Object.fromEntries(
    Object.entries(properties as object).map(([name, value]) => [name, sampleOf(value, text)]),
  )
}

/**
 * Counts calls about the corpus and of steps, by replaying stored completions. Returns calls that are not known yet.
 * `preparedOnly`: embeds nothing.
 */
export async function countCalls(
  open: OpenExperiment,
  tally: Tally,
  { clock, preparedOnly }: { readonly clock: () => number; readonly preparedOnly: boolean },
): Promise<Estimate['later']> {
  const lacking = await estimateArtifacts(open, tally.wrap('corpus'))
  const later = new Map<Expression<unknown>, Set<number>>()
  /** True if the expression needs preparation, or embeds a rewritten query. */
  const waits = (expression: Expression<unknown>): boolean =>
    preparedOnly &&
    expressionsOf([expression]).some(
      ({ step, recipe, params, inputs, artifacts }) =>
        open.store.missing(Object.values(artifacts)).length > 0 ||
        (step.embeds?.(recipe, params) !== undefined && !isSource(inputs[0])),
    )
  const arms: (readonly [Expression<unknown>, readonly number[]])[] = []
  const { asked, memo } = await walkRequests(open, {
    wrap: tally.wrap('steps'),
    clock,
    skips: waits,
    undecided: (inputs, indexes) => arms.push(...expressionsOf(inputs).map((arm) => [arm, indexes] as const)),
  })
  for (const [arm, indexes] of arms)
    for (const index of indexes)
      if (arm.step.asks && !asked.get(arm.key)?.has(index)) addToSet(later, arm, index)
  for (const expression of requestsOf(open).requests) {
    const waiting = waits(expression)
    for (const index of asked.get(expression.key) ?? [])
      if (waiting || expression.inputs.some((input) => memo.cell(input, index)?.failure?.message === UNASKED))
        addToSet(later, expression, index)
  }
  return [
    ...lacking.map((artifact) => ({ step: nameInConfig(artifact), queries: null })),
    ...[...later].map(([{ step }, queries]) => ({ step: step.name, queries: queries.size })),
  ]
}

export function callLines({ calls, later }: Estimate): string[] {
  return [
    ...calls.map((row) => {
      const { role, model, stored, spareCalls, outputTokens, dollars } = row
      const cost = stored.dollars === null ? '' : `, ${dollarText(stored.dollars)}`
      const storedText = `${number(stored.completions)} completions stored (${number(stored.tokens)} tokens${cost})`
      if (row.calls + spareCalls === 0) return `calls for ${role}: ${model}: none; ${storedText}`
      const atMost = role === 'answers' || role === 'judges' ? 'at most ' : ''
      const spare = spareCalls > 0 ? ` and up to ${number(spareCalls)} repeats` : ''
      const read = `${atMost || 'about '}${number(row.inputTokens)} tokens read`
      const written =
        outputTokens === null
          ? 'no limit to tokens written (`maxTokens`)'
          : `at most ${number(outputTokens)} written`
      const unknown = outputTokens === null ? 'no bound in dollars' : 'no price'
      const price = dollars === null ? unknown : `at most ${dollarText(dollars)}`
      return `calls for ${role}: ${model}: ${atMost}${number(row.calls)}${spare}, ${read}, ${written}, ${price}; ${storedText}`
    }),
    ...later.map((calls) => `not counted yet: ${laterInWords(calls)}`),
  ]
}

export function leftInWords(estimates: readonly Estimate[]): string {
  const missing = new Map<string, number>()
  for (const { model, calls } of estimates.flatMap(({ calls }) => calls))
    if (calls > 0) missing.set(model, (missing.get(model) ?? 0) + calls)
  const undone = [
    ...[...missing].map(([model, calls]) => `${number(calls)} completions of \`${model}\``),
    ...estimates.flatMap(({ later }) => later.map(laterInWords)),
  ]
  return undone.join(', ')
}

function laterInWords({ step, queries }: Estimate['later'][number]): string {
  return queries === null
    ? `further calls of ${step} about the corpus, and the texts to embed made from them`
    : `calls of ${step} for ${number(queries)} queries`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
