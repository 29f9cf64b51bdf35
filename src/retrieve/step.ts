import type { Reset } from '../corpus/graph/pagerank.ts'
import type { Choice, Recipe } from '../corpus/recipe.ts'
import type { Artifact, Inputs, Opened } from '../store/artifact.ts'
import { canonical, hashOf } from '../store/hash.ts'
import type { Channel, Evidence, Json, Query, Ranking } from '../types.ts'

/** Step: a named pure computation for one query, the unit of sharing, timing and attribution. */
export interface StepDefinition<P extends Json, I extends readonly unknown[], O, A extends Inputs> {
  readonly name: string
  /** Raise it if the output for the same input changes; default: 1. */
  readonly version?: number
  /** SHA-256 of a custom step's file: two files may use the same step name. */
  readonly code?: string
  /**
   * True for steps that find chunks and accept a filter: its mask becomes the last input. A function changes the params
   * too.
   */
  readonly within?: true | ((params: P, statistics: Statistics) => P)
  /** Set on steps that search words: a trial's `language` gives them an index of its own. */
  readonly isLexical?: true
  readonly isMask?: true
  /** Set on steps that find chunks themselves, and so yield a ranking: gold found here counts for this channel. */
  readonly channel?: Channel
  /** `query`: the output is a Query; its content, not its making, then keys what is computed from it. */
  readonly yields?: 'query' | 'ranking'
  readonly artifacts?: (recipe: Recipe, params: P) => A
  /**
   * Check of params against the prepared corpus, made before anything is embedded; no part of a key. Opening it throws a
   * UserError.
   */
  readonly requires?: (recipe: Recipe, params: P) => Artifact<unknown> | undefined
  /** On steps that embed a whole query, their first input: by what, so that the dataset's own queries are embedded beforehand. */
  readonly embeds?: (recipe: Recipe, params: P) => Choice | undefined
  /** Artifact and file of a step that looks up recorded results by query id. */
  readonly recorded?: { readonly artifact: string; readonly path: string; readonly isTrajectory?: boolean }
  /**
   * On a step that asks a language model, its artifact `model`. It is run before the shards are, so that they find every
   * answer; what it asks must follow from its inputs and params, and from what it hears.
   */
  readonly asks?: true
  /** Facts about an output, for counters, traces and the report. */
  readonly facts?: (output: O) => StepFacts
  /** On a step that adds to scores: its list with the scores that it adds to, for a trace. Part of no key. */
  readonly base?: (inputs: I, params: P) => Pick<Ranking, 'rows' | 'scores'>
  /** On a step that walks a graph: the graph and the starts of a query, for a picture. Part of no key. */
  readonly walked?: (recipe: Recipe, params: P) => Artifact<(inputs: never) => Walked>
  /** Computes one query. Exactly one of `run`, `runBlock` and `pick` is there. */
  readonly run?: (inputs: I, context: StepContext<P, A>) => O | Promise<O>
  /** Computes a block of queries at once; must answer each as if it had come alone, bit for bit. */
  readonly runBlock?: (
    block: readonly I[],
    context: StepContext<P, A>,
  ) => readonly O[] | Promise<readonly O[]>
  /** Chooses by the first input's value which other input (0: the first other) is the output. Only that one is computed. */
  readonly pick?: (first: I[0], params: P) => number
  /** On a router's step: the names of all arms; its facts name the chosen one. */
  readonly arms?: (params: P) => readonly string[]
  readonly pickFellBack?: (arm: number, params: P) => string | null
}

/** Facts about one output of a step. */
export interface StepFacts {
  /** Amounts that are added to a trial's counters, as `{modelCalls: 2, inputTokens: 812}`. */
  readonly counts?: Readonly<Record<string, number>> | undefined
  /** Texts by name, as `{intent: 'lookup'}`; stored for finalists next to their counters. */
  readonly notes?: Readonly<Record<string, string>> | undefined
  /** Short texts about single chunks by row, for example which hop found one. */
  readonly marks?: readonly (readonly [row: number, words: string])[]
  /** Lists of chunks' rows by name. The counter of that name is the number of lists with gold, which no step sees. */
  readonly finds?: Readonly<Record<string, readonly Uint32Array[]>>
  readonly arm?: string
  /** Reason of a fallback, counted as `fallbacks`; null if the step did not need one. */
  readonly fellBack?: string | null | undefined
  /** Milliseconds that an engine reports for its search. No part of a result. */
  readonly took?: number | undefined
}

interface StepContext<P, A extends Inputs> {
  readonly params: P
  readonly artifacts: Opened<A>
}

// biome-ignore lint/suspicious/noExplicitAny: the executor handles steps of every type; types are checked where a step is applied.
export type AnyStep = StepDefinition<any, any, any, any>

/** A step applied to params and inputs: a value that says how to compute a T for any query. */
export interface Expression<T> {
  readonly step: AnyStep
  readonly params: Json
  readonly inputs: readonly Expression<unknown>[]
  readonly recipe: Recipe
  readonly artifacts: Inputs
  /** Hash of the step's name and version, its params and its artifacts' keys. */
  readonly own: string
  /** Hash of `own` and the inputs' keys: equal keys compute equal values. */
  readonly key: string
  /** Type of the computed value; never set. */
  readonly value?: T
}

export type Expressions<I extends readonly unknown[]> = { readonly [K in keyof I]: Expression<I[K]> }

/** With a filter, the chunks whose count, lengths and document frequencies BM25 uses. */
export const STATISTICS = ['corpus', 'subset'] as const
export type Statistics = (typeof STATISTICS)[number]

/** Defines a step; the result applies it: `searchDense([vector], { depth: 100 })`. */
export function defineStep<
  P extends Json = null,
  I extends readonly unknown[] = [],
  O = unknown,
  A extends Inputs = Record<never, never>,
>({ channel, yields = channel && 'ranking', ...definition }: StepDefinition<P, I, O, A>) {
  const step: AnyStep = Object.freeze({ ...definition, channel, yields })
  return (inputs: Expressions<I>, ...[params = null]: OptionalParams<P>): Expression<O> =>
    apply(step, inputs as readonly Expression<unknown>[], params, inputs[0].recipe)
}

/** Params of a step; none if they are null. */
export type OptionalParams<P> = [P] extends [null] ? [params?: null] : [params: P]

export function reapply<O>(
  { step, params, recipe }: Expression<O>,
  inputs: readonly Expression<unknown>[],
  otherParams: Json = params,
  over: Recipe = recipe,
): Expression<O> {
  return apply(step, inputs, otherParams, over)
}

/**
 * Rewrites expressions, each distinct one once. `change` gives what replaces one; undefined: the same step over the
 * rewritten inputs.
 */
export function rewriter(
  change: (
    expression: Expression<unknown>,
    inputs: () => readonly Expression<unknown>[],
  ) => Expression<unknown> | undefined,
): <T>(expression: Expression<T>) => Expression<T> {
  const done = new Map<string, Expression<unknown>>()
  function rewrite(expression: Expression<unknown>): Expression<unknown> {
    const earlier = done.get(expression.key)
    if (earlier) return earlier
    const inputs = () => expression.inputs.map(rewrite)
    const rewritten = change(expression, inputs) ?? over(expression, inputs())
    done.set(expression.key, rewritten)
    return rewritten
  }
  return <T>(expression: Expression<T>) => rewrite(expression) as Expression<T>
}

/** Expressions of a strategy or a trial. */
export interface Retrieved {
  readonly ranking: Expression<Ranking>
  /** Entity, relationship and report texts that ride along. */
  readonly evidence?: Expression<readonly Evidence[]>
}

export function rewriteRetrieved<R extends Retrieved>(retrieved: R, rewrite: ReturnType<typeof rewriter>): R {
  const { ranking, evidence } = retrieved
  return { ...retrieved, ranking: rewrite(ranking), evidence: evidence && rewrite(evidence) }
}

function over(expression: Expression<unknown>, inputs: readonly Expression<unknown>[]) {
  return inputs.some((input, at) => input !== expression.inputs[at])
    ? reapply(expression, inputs)
    : expression
}

function apply<O>(
  step: AnyStep,
  inputs: readonly Expression<unknown>[],
  rawParams: Json,
  recipe: Recipe,
): Expression<O> {
  if (!inputs.every(isExpression))
    throw new Error(`${step.name} has an input that is not a step applied to its inputs`)
  const { params, artifacts, own } = reading(step, rawParams, recipe)
  const key = hashOf([own, ...inputs.map((input) => input.key)])
  const expression = Object.freeze({
    step,
    params,
    recipe,
    artifacts,
    own,
    key,
    inputs: Object.freeze([...inputs]),
  })
  applied.add(expression)
  return expression
}

const applied = new WeakSet<object>()

/** True if a value is an expression made by this module, not an object that looks like one. */
export function isExpression(value: unknown): value is Expression<unknown> {
  return typeof value === 'object' && value !== null && applied.has(value)
}

type Reading = Pick<Expression<unknown>, 'params' | 'artifacts' | 'own'>

/** Trials of a grid mostly apply the same steps with the same params to one recipe. */
const readings = new WeakMap<Recipe, Map<AnyStep, Map<string, Reading>>>()

/** Artifacts that a step with these params reads, and their hash. The params are copied. */
function reading(step: AnyStep, rawParams: Json, recipe: Recipe): Reading {
  const bySteps = readings.get(recipe) ?? new Map<AnyStep, Map<string, Reading>>()
  readings.set(recipe, bySteps)
  const byParams = bySteps.get(step) ?? new Map<string, Reading>()
  bySteps.set(step, byParams)
  const content = canonical(rawParams)
  const earlier = byParams.get(content)
  if (earlier) return earlier
  const params = frozen(structuredClone(rawParams))
  const artifacts: Inputs = step.artifacts?.(recipe, params) ?? {}
  const artifactKeys = Object.fromEntries(
    Object.entries(artifacts).map(([name, artifact]) => [name, artifact.key]),
  )
  const { name, version = 1, code } = step
  const id = hashOf({ step: name, version, code, params, artifacts: artifactKeys })
  const made = { params, artifacts, own: id }
  byParams.set(content, made)
  return made
}

export function frozen(value: Json): Json {
  if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) frozen(item ?? null)
  return Object.freeze(value)
}

const SOURCE: AnyStep = { name: 'query', yields: 'query' }

/** Start of every expression: the dataset's query, over the artifacts of one recipe. */
export function sourceQuery(recipe: Recipe): Expression<Query> {
  return apply(SOURCE, [], null, recipe)
}

const SOURCE_BY_ID: AnyStep = { name: 'query', yields: 'query' }

/** The dataset's query, distinguished by its id, for steps that look queries up by id. */
export function sourceById(recipe: Recipe): Expression<Query> {
  return apply(SOURCE_BY_ID, [], { by: 'id' }, recipe)
}

export function isSource({ step }: Expression<unknown>): boolean {
  return step === SOURCE || step === SOURCE_BY_ID
}

export function sourceContent({ step }: Expression<unknown>, query: Query): string {
  return step === SOURCE_BY_ID ? `id ${JSON.stringify(query.id)}` : queryContent(query)
}

/** Key that makes two queries equal for a step: everything except the id. */
export function queryContent({ text, lexical, metadata }: Query): string {
  return canonical({ text, lexical, metadata })
}

/** Distinct expressions of `roots`, each after its inputs. */
export function expressionsOf(roots: readonly Expression<unknown>[]): Expression<unknown>[] {
  const seen = new Map<string, Expression<unknown>>()
  const visit = (expression: Expression<unknown>) => {
    if (seen.has(expression.key)) return
    for (const input of expression.inputs) visit(input)
    seen.set(expression.key, expression)
  }
  for (const root of roots) visit(root)
  return [...seen.values()]
}

/** Graph that a step walked for one query, with its starts. */
export interface Walked {
  readonly starts: Reset
  neighbours(node: number): ArrayLike<number>
  /** Nodes that lead to a chunk: its own node, or its entities. */
  entries(row: number): ArrayLike<number>
  /** Name of an entity, or the row of a chunk. */
  endOf(node: number): string | number
}
