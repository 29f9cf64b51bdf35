import type { Choice } from '../corpus/recipe.ts'
import { engineKinds } from '../engines/index.ts'
import {
  type ChatProviderParams,
  chatProviders,
  identityOf,
  priceOf,
  recordedParams,
} from '../models/chat/providers.ts'
import { defineRecorded, replayed } from '../models/completions/recorded.ts'
import { type EndpointParams, identityOfEndpoint, recordedEndpointParams } from '../models/rerank-endpoint.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { createRegistry, type Definition, type Registry, resolve } from '../registry.ts'
import { isMap } from '../text/json.ts'
import { show } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { nameProblem, readChoice, withEmbedder } from './choices.ts'
import type { Budget } from './experiment.ts'
import { attempt, type NamedChoices, type Path, type Problem, type Reading } from './reading.ts'

export const modelChoices = createRegistry<Definition>('model provider', [
  ...chatProviders.all,
  defineRecorded('replays the completions of a recording, without a network or a key', recordedParams),
])

export const rerankerChoices = createRegistry<Definition>('reranker', [
  ...rerankers.all,
  defineRecorded(
    "replays a server's scores from a recording, without a network or a key",
    recordedEndpointParams,
  ),
])

/** The choice, or the one that its recording replays; undefined after a problem. */
function withReplayed(
  choice: Choice,
  path: Path,
  registry: Registry<Definition>,
  problems: Problem[],
): Choice | undefined {
  if (choice.name !== 'recorded') return choice
  const read = () => {
    const original = replayed(registry, choice.params)
    return { ...original, params: resolve(registry, original).params }
  }
  return attempt(read, path, problems)
}

const NAMED = {
  models: ['a model', '{small: {openai: {model: gpt-5-mini}}}'],
  rerankers: ['a reranker', '{near: {embedding: {embedder: lsa}}}'],
  engines: ['an engine', '{search: {opensearch: {analyzer: english}}}'],
} as const

function namedEntries(
  key: keyof typeof NAMED,
  raw: unknown,
  problems: Problem[],
): readonly { readonly name: string; readonly given: unknown; readonly path: Path }[] {
  const [one, example] = NAMED[key]
  if (raw === undefined) return []
  if (!isMap(raw)) {
    const message = `must be a map of names to ${key}, as ${example}, not ${show(raw)}`
    problems.push({ path: [key], message })
    return []
  }
  return Object.entries(raw).map(([name, given]) => {
    const path = [key, name]
    const message = `${one} is named by letters, digits, \`.\`, \`_\` and \`-\`, at most 50`
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/.test(name)) problems.push({ path, on: 'key', message })
    return { name, given, path }
  })
}

/** Reads `models`. With a budget in dollars each needs a price. */
export function readModels(raw: unknown, reading: Reading, budget?: Budget): NamedChoices {
  const { problems } = reading
  const models = new Map<string, Choice>()
  for (const { name, given, path } of namedEntries('models', raw, problems)) {
    const list = readChoice(given, path, { registry: modelChoices }, reading)
    if (list.length > 1)
      problems.push({ path, message: 'a model has no grid; name several, and vary the `model` of what asks' })
    if (list.length === 1) models.set(name, list[0].choice)
  }
  checkFallbacks(isMap(raw) ? raw : {}, models, problems)
  for (const [name, choice] of models) {
    const provider = withReplayed(choice, ['models', name], chatProviders, problems)
    if (provider) models.set(name, provider)
    else models.delete(name)
  }
  if (budget?.dollars !== undefined) checkPrices(models, problems)
  return new Map(
    [...models].map(([name, choice]) => [name, { choice, content: modelContent(choice, models) }]),
  )
}

function modelContent(choice: Choice, models: ReadonlyMap<string, Choice>): Json {
  const { definition, params } = resolve(chatProviders, choice)
  const { fallback } = params
  const next = typeof fallback === 'string' ? models.get(fallback) : undefined
  return [
    identityOf(definition, params as object as ChatProviderParams) as Json,
    next ? modelContent(next, models) : null,
  ]
}

/** Fallbacks must name models and end. One that leads in a circle counts as unread. */
function checkFallbacks(
  raw: Record<string, unknown>,
  models: Map<string, Choice>,
  problems: Problem[],
): void {
  const circular: string[] = []
  for (const [name, { name: provider, params }] of models) {
    const { fallback, fallbackOnOutage } = params
    if (typeof fallback !== 'string') {
      if (fallbackOnOutage === true)
        problems.push({
          path: ['models', name, provider, 'fallbackOnOutage'],
          message: 'needs `fallback`: the name of another model in `models`',
        })
      continue
    }
    const path = ['models', name, provider, 'fallback']
    const unknown = nameProblem('model', fallback, raw)
    if (unknown !== undefined) problems.push({ path, message: unknown })
    const seen = new Set([name])
    for (
      let next: Json | undefined = fallback;
      typeof next === 'string';
      next = models.get(next)?.params.fallback
    ) {
      if (seen.has(next)) {
        problems.push({ path, message: `leads in a circle: ${[...seen, next].join(', ')}` })
        circular.push(name)
        break
      }
      seen.add(next)
    }
  }
  for (const name of circular) models.delete(name)
}

function checkPrices(models: ReadonlyMap<string, Choice>, problems: Problem[]): void {
  for (const [name, choice] of models) {
    const { definition, params } = resolve(chatProviders, choice)
    if (!priceOf(definition, params as object as ChatProviderParams))
      problems.push({
        path: ['models', name, choice.recording === undefined ? definition.name : 'recorded'],
        on: 'key',
        message: `has no price, and \`budget\` is in dollars: add \`price: {input: ..., output: ...}\`, 0 for your own server`,
      })
  }
}

type Read = { readonly choice: Choice; readonly content: Json }

export function readRerankers(raw: unknown, reading: Reading, budget?: Budget): NamedChoices {
  const { problems } = reading
  const found = new Map<string, Read>()
  for (const { name, given, path } of namedEntries('rerankers', raw, problems)) {
    if (rerankers.byName.has(name))
      problems.push({ path, on: 'key', message: `\`${name}\` is a kind of reranker; take another name` })
    if (Object.hasOwn(reading.named.model.raw, name))
      problems.push({ path, on: 'key', message: `a model is called \`${name}\` already; take another name` })
    const variant = readReranker(given, path, reading)
    if (!variant) continue
    found.set(name, variant)
    const { choice } = variant
    const { wire } = resolve(rerankers, choice).definition
    if (wire && budget?.dollars !== undefined && choice.params.price === undefined)
      problems.push({
        path: [...path, choice.recording === undefined ? choice.name : 'recorded'],
        on: 'key',
        message:
          'has no price, and `budget` is in dollars: add `price: {searches: ...}` or `{input: ...}`, 0 for your own server',
      })
  }
  return found
}

function readReranker(given: unknown, path: Path, reading: Reading): Read | undefined {
  const list = readChoice(given, path, { registry: rerankerChoices }, reading)
  if (list.length > 1)
    reading.problems.push({ path, message: 'has no grid; name several, and vary the `by` of `rerank`' })
  if (list.length !== 1) return undefined
  const [outer] = list
  const choice = withReplayed(outer.choice, path, rerankers, reading.problems)
  if (!choice) return undefined
  const { wire } = resolve(rerankers, choice).definition
  if (wire) return { choice, content: endpointContent(choice) }
  const read = withEmbedder(outer, given, path, reading)
  return read && { choice: read.choice, content: [read.choice.name, read.content] }
}

/** Address, limits and price decide no score. */
function endpointContent({ name, params }: Choice): Json {
  return identityOfEndpoint(name, params as object as EndpointParams) as Json
}

export function readEngines(raw: unknown, reading: Reading): NamedChoices {
  const { problems } = reading
  const found = new Map<string, { choice: Choice; content: Json }>()
  for (const { name, given, path } of namedEntries('engines', raw, problems)) {
    const list = readChoice(given, path, { registry: engineKinds }, reading)
    if (list.length > 1)
      problems.push({ path, message: 'has no grid; name several, and vary the `engine` of a trial' })
    if (list.length !== 1) continue
    const [{ choice }] = list
    found.set(name, { choice, content: [choice.name, choice.params] })
  }
  return found
}
