import type { Choice, Recipe } from '../corpus/recipe.ts'
import type { Artifact, Inputs, Opened } from '../store/artifact.ts'
import { canonical, hashOf } from '../store/hash.ts'
import type { Channel, Json, Query, Ranking } from '../types.ts'
import type { Walked } from './walked.ts'

/**
 * A step is a named pure computation inside a trial for one query: the unit of sharing, timing and attribution. A
 * strategy is an expression over steps, built once a trial; `evaluate` computes it for a shard of queries, each
 * distinct step once, whichever trial asks first.
 */
export interface StepDefinition<P extends Json, I extends readonly unknown[], A extends Inputs, O> {
  readonly name: string
  /** Raised whenever the output for the same input would differ. */
  readonly version: number
  /** SHA-256 of the file that it is from, where that is somebody's own: two files may give steps one name. */
  readonly code?: string
  /**
   * On steps that find chunks and can do so among some of them: in a trial with a filter they are applied with one more
   * input at the end, the mask of the chunks that pass the filter, and with other params where this is a function.
   */
  readonly within?: true | ((params: P, statistics: Statistics) => P)
  /** Set on steps that find chunks themselves: gold found here counts for this channel. */
  readonly channel?: Channel
  /** `query`: the output is a Query; its content, not its making, then keys what is computed from it. */
  readonly yields?: 'query' | 'ranking'
  /** The artifacts that the step reads. */
  readonly artifacts?: (recipe: Recipe, params: P) => A
  /**
   * For params that only the prepared corpus can refuse, as a level of communities: an artifact whose opening throws a
   * UserError where they do not fit. Looked at before anything is embedded or written; part of no key.
   */
  readonly requires?: (recipe: Recipe, params: P) => Artifact<unknown> | undefined
  /** On steps that embed a whole query, their first input: by what, so that the dataset's own queries are embedded beforehand. */
  readonly embeds?: (recipe: Recipe, params: P) => Choice | undefined
  /** On a step that looks answers up by the query's id: the artifact that holds them, and the file that they are from. */
  readonly recorded?: {
    readonly artifact: string
    readonly path: string
    readonly lenient: boolean
    readonly columns?: Readonly<Record<string, string | number>> | undefined
  }
  /**
   * On a step that asks a language model, its artifact `model`. It is run before the shards are, so that they find every
   * answer; what it asks must follow from its inputs and params, and from what it hears.
   */
  readonly asks?: true
  /** Milliseconds of an output that another program reports for itself; undefined if it reports none. No part of a result. */
  readonly took?: (output: O) => number | undefined
  /** Amounts that an output adds to a trial's counters, as `{modelCalls: 2, inputTokens: 812}`. */
  readonly counts?: (output: O) => Readonly<Record<string, number>>
  /** Texts about an output by name, as `{intent: 'lookup'}`; stored for finalists next to their counters. */
  readonly notes?: (output: O) => Readonly<Record<string, string>>
  /** Short texts about single chunks by row, for example which hop found one. */
  readonly marks?: (output: O) => readonly (readonly [row: number, words: string])[]
  /** Lists of chunks' rows, by name: counted under that name is how many of the lists hold gold, which no step sees. */
  readonly finds?: (output: O) => Readonly<Record<string, readonly Uint32Array[]>>
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
  /** Chooses, from the first input's value, which other input's value is the output (0: the first other). Only that one is computed. */
  readonly pick?: (first: I[0], params: P) => number
  /** On a router's step: the names of all arms, and the one that an output names. */
  readonly arms?: { readonly all: (params: P) => readonly string[]; readonly chosen: (output: O) => string }
  /** On a step that may fall back: why this output did, in words, or null. Counted as `fallbacks`. */
  readonly fellBack?: (output: O) => string | null
  /** `fellBack` of a step with `pick`; it gets the chosen input (0: the first other). */
  readonly pickFellBack?: (arm: number, params: P) => string | null
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
  /** Only a type: what evaluating gives. */
  readonly value?: T
}

type Expressions<I extends readonly unknown[]> = { readonly [K in keyof I]: Expression<I[K]> }

/** With a filter, the chunks whose count, lengths and document frequencies BM25 uses. */
export const STATISTICS = ['corpus', 'subset'] as const
export type Statistics = (typeof STATISTICS)[number]

/** Defines a step; the result applies it: `searchDense([vector], { depth: 100 })`. */
export function defineStep<P extends Json, I extends readonly unknown[], A extends Inputs, O>(
  step: StepDefinition<P, I, A, O>,
): (inputs: Expressions<I>, params: P) => Expression<O> {
  Object.freeze(step)
  return (inputs, params) => apply(step, inputs as readonly Expression<unknown>[], params, inputs[0].recipe)
}

/** The expression's step, applied to other inputs, and to other params where given. */
export function reapply<O>(
  { step, params, recipe }: Expression<O>,
  inputs: readonly Expression<unknown>[],
  given: Json = params,
): Expression<O> {
  return apply(step, inputs, given, recipe)
}

function apply<O>(
  step: AnyStep,
  inputs: readonly Expression<unknown>[],
  given: Json,
  recipe: Recipe,
): Expression<O> {
  if (!inputs.every(isExpression))
    throw new Error(`${step.name} has an input that is not a step applied to its inputs`)
  const { params, artifacts, own } = reading(step, given, recipe)
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

/** A recipe is one value in a run, and the trials of a grid mostly apply the same steps with the same params. */
const readings = new WeakMap<Recipe, Map<AnyStep, Map<string, Reading>>>()

/** Artifacts that a step with these params reads, and their hash. The params are copied, so that later changes do not matter. */
function reading(step: AnyStep, given: Json, recipe: Recipe): Reading {
  const bySteps = readings.get(recipe) ?? new Map<AnyStep, Map<string, Reading>>()
  readings.set(recipe, bySteps)
  const byParams = bySteps.get(step) ?? new Map<string, Reading>()
  bySteps.set(step, byParams)
  const content = canonical(given)
  const known = byParams.get(content)
  if (known) return known
  const params = frozen(structuredClone(given))
  const artifacts: Inputs = step.artifacts?.(recipe, params) ?? {}
  const artifactKeys = Object.fromEntries(
    Object.entries(artifacts).map(([name, artifact]) => [name, artifact.key]),
  )
  const { name, version, code } = step
  const own = hashOf({ step: name, version, code, params, artifacts: artifactKeys })
  const found = { params, artifacts, own }
  byParams.set(content, found)
  return found
}

/** The value itself, with all that it holds frozen. */
export function frozen(value: Json): Json {
  if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) frozen(item ?? null)
  return Object.freeze(value)
}

const SOURCE: AnyStep = { name: 'query', version: 1, yields: 'query' }

/** Start of every expression: the dataset's query, over the artifacts of one recipe. */
export function sourceQuery(recipe: Recipe): Expression<Query> {
  return apply(SOURCE, [], null, recipe)
}

const SOURCE_BY_ID: AnyStep = { name: 'query', version: 1, yields: 'query' }

/**
 * The query as the dataset holds it, distinguished by its id, for steps that look queries up by id. Two queries with equal
 * content are two here, one in `sourceQuery`.
 */
export function sourceById(recipe: Recipe): Expression<Query> {
  return apply(SOURCE_BY_ID, [], { by: 'id' }, recipe)
}

export function isSource({ step }: Expression<unknown>): boolean {
  return step === SOURCE || step === SOURCE_BY_ID
}

/** Key that makes two queries equal for the readers of this source. */
export function sourceContent({ step }: Expression<unknown>, query: Query): string {
  return step === SOURCE_BY_ID ? `id ${JSON.stringify(query.id)}` : queryContent(query)
}

/** Key that makes two queries equal for a step: everything except the id. */
export function queryContent({ text, lexical, metadata }: Query): string {
  return canonical({ text, lexical, metadata })
}

/** Every distinct expression below `roots` (and they themselves), inputs before what reads them. */
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
