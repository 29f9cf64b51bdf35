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
import { type EndpointParams, identityOfEndpoint, recordedEndpointParams } from '../models/reranker.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { createRegistry, type Definition, type Registry, resolve } from '../registry.ts'
import { isMap } from '../text/json.ts'
import { show } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { nameProblem, readSingle, type Variant, withEmbedder } from './choices.ts'
import type { Budget } from './experiment.ts'
import { attempt, type Path, type Problem, type Reading, refuse } from './reading.ts'

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
  models: ['a model', '{small: {openai: {model: gpt-5-mini}}}', modelChoices, '`model` of what asks'],
  rerankers: ['a reranker', '{near: {embedding: {embedder: lsa}}}', rerankerChoices, '`by` of `rerank`'],
  engines: ['an engine', '{search: {opensearch: {analyzer: english}}}', engineKinds, '`engine` of a trial'],
} as const

function readNamed(key: keyof typeof NAMED, raw: unknown, reading: Reading) {
  const [word, example, registry, varied] = NAMED[key]
  const choices: { readonly name: string; readonly given: unknown; readonly path: Path; variant: Variant }[] =
    []
  if (raw !== undefined && !isMap(raw)) {
    const message = `must be a map of names to ${key}, as ${example}, not ${show(raw)}`
    refuse(reading.problems, [key], message)
  }
  for (const [name, rawChoice] of Object.entries(isMap(raw) ? raw : {})) {
    const path = [key, name]
    const message = `${word} is named by letters, digits, \`.\`, \`_\` and \`-\`, at most 50`
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/.test(name)) refuse(reading.problems, path, message, 'key')
    const advice = `${word} has no grid; name several, and vary the ${varied}`
    const variant = readSingle(rawChoice, path, { registry }, reading, advice)
    if (variant) choices.push({ name, given: rawChoice, path, variant })
  }
  return choices
}

/** Reads `models`. With a budget in dollars each needs a price. */
export function readModels(raw: unknown, reading: Reading, budget?: Budget): void {
  const { problems } = reading
  const models = new Map(readNamed('models', raw, reading).map(({ name, variant }) => [name, variant.choice]))
  checkFallbacks(isMap(raw) ? raw : {}, models, problems)
  for (const [name, choice] of models) {
    const provider = withReplayed(choice, ['models', name], chatProviders, problems)
    if (provider) models.set(name, provider)
    else models.delete(name)
  }
  if (budget?.dollars !== undefined) checkPrices(models, problems)
  for (const [name, choice] of models)
    reading.named.model.known.set(name, { choice, content: modelContent(choice, models) })
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
        refuse(
          problems,
          ['models', name, provider, 'fallbackOnOutage'],
          'needs `fallback`: the name of another model in `models`',
        )
      continue
    }
    const path = ['models', name, provider, 'fallback']
    const unknown = nameProblem('model', fallback, raw)
    if (unknown !== undefined) refuse(problems, path, unknown)
    const seen = new Set([name])
    for (
      let next: Json | undefined = fallback;
      typeof next === 'string';
      next = models.get(next)?.params.fallback
    ) {
      if (seen.has(next)) {
        refuse(problems, path, `leads in a circle: ${[...seen, next].join(', ')}`)
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
      refuse(
        problems,
        ['models', name, choice.recording === undefined ? definition.name : 'recorded'],
        `has no price, and \`budget\` is in dollars: add \`price: {input: ..., output: ...}\`, 0 for your own server`,
        'key',
      )
  }
}

export function readRerankers(raw: unknown, reading: Reading, budget?: Budget): void {
  const { problems } = reading
  const { known } = reading.named.reranker
  for (const { name, given, path, variant } of readNamed('rerankers', raw, reading)) {
    if (rerankers.byName.has(name))
      refuse(problems, path, `\`${name}\` is a kind of reranker; take another name`, 'key')
    if (Object.hasOwn(reading.named.model.raw, name))
      refuse(problems, path, `a model is called \`${name}\` already; take another name`, 'key')
    const choice = withReplayed(variant.choice, path, rerankers, problems)
    if (!choice) continue
    if (!resolve(rerankers, choice).definition.wire) {
      const read = withEmbedder(variant, given, path, reading)
      if (read) known.set(name, { choice: read.choice, content: [read.choice.name, read.content] })
      continue
    }
    // Address, limits and price decide no score.
    const content = identityOfEndpoint(choice.name, choice.params as object as EndpointParams) as Json
    known.set(name, { choice, content })
    if (budget?.dollars !== undefined && choice.params.price === undefined)
      refuse(
        problems,
        [...path, choice.recording === undefined ? choice.name : 'recorded'],
        'has no price, and `budget` is in dollars: add `price: {searches: ...}` or `{input: ...}`, 0 for your own server',
        'key',
      )
  }
}

export function readEngines(raw: unknown, reading: Reading): void {
  for (const { name, variant } of readNamed('engines', raw, reading)) {
    const { choice } = variant
    reading.named.engine.known.set(name, { choice, content: [choice.name, choice.params] })
  }
}
