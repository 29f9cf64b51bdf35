import { performance } from 'node:perf_hooks'
import type { Experiment } from '../config/experiment.ts'
import type { Choice } from '../corpus/recipe.ts'
import { engineKinds, versionOf } from '../engines/index.ts'
import { collectDiagnostics } from '../errors.ts'
import type { Completion } from '../models/chat/chat-model.ts'
import {
  type ChatProviderParams,
  chatProviders,
  openProvider,
  priceOf,
  providerParams,
} from '../models/chat/providers.ts'
import { type EndpointParams, openRerankEndpoint, priceOfEndpoint } from '../models/reranker.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { find, resolve } from '../registry.ts'

/** Response of a model to one tiny request. */
interface CheckedModel {
  readonly name: string
  readonly provider: string
  readonly model: string
  /** Name that the server reports. */
  readonly answersAs: string
  readonly milliseconds: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Dollars per million tokens; null if unknown. */
  readonly price: { readonly input: number; readonly output: number; readonly searches?: number } | null
}

/** Enough for one word; a reasoning model ends or reports that it was cut. */
const MAX_TOKENS = 16

/**
 * Sends one tiny request to each model and each reranker behind a server. Throws a UserError with all failures,
 * each at its location.
 */
export async function checkModels(experiment: Experiment): Promise<CheckedModel[]> {
  const { models, rerankers: named, modelLocations } = experiment
  const calls = [
    ...Object.entries(models).map(([name, choice]) => [name, () => checkChat(name, choice)] as const),
    ...Object.entries(named).map(([name, choice]) => [name, () => checkReranker(name, choice)] as const),
  ]
  const diagnostics = collectDiagnostics()
  const checked: CheckedModel[] = []
  for (const [name, call] of calls) {
    const failure = await diagnostics.attemptAsync(call, ({ message }) => ({
      ...modelLocations[name],
      message,
    }))
    if (failure) checked.push({ name, ...failure })
  }
  diagnostics.throwIfAny()
  return checked
}

type Checked = Omit<CheckedModel, 'name'>

/** Undefined for a recording. */
async function checkChat(name: string, choice: Choice): Promise<Checked | undefined> {
  if (choice.recording !== undefined) return undefined
  const { definition, params: rawParams } = resolve(chatProviders, choice)
  const params = rawParams as object as ChatProviderParams
  const chat = openProvider(definition, params, `the model \`${name}\``)
  const messages = [{ role: 'user' as const, content: 'Say OK.' }]
  const timed = await time(() =>
    chat.complete(messages, { ...providerParams(params), maxTokens: MAX_TOKENS }),
  )
  const price = priceOf(definition, params)
  return {
    provider: definition.name,
    model: params.model,
    ...timed,
    price: price && { input: price.input, output: price.output },
  }
}

/** Undefined without a server, and for a recording. */
async function checkReranker(name: string, choice: Choice): Promise<Checked | undefined> {
  const { definition, params: rawParams } = resolve(rerankers, choice)
  if (!definition.wire || choice.recording !== undefined) return undefined
  const params = rawParams as object as EndpointParams
  const endpoint = openRerankEndpoint(definition.wire, params, `the reranker \`${name}\``)
  const messages = ['What is it?', 'It is a test.'].map((content) => ({ role: 'user' as const, content }))
  const timed = await time(() => endpoint.complete(messages, {}))
  return { provider: definition.name, model: params.model, ...timed, price: priceOfEndpoint(params) }
}

async function time(call: () => Promise<Completion>) {
  const begin = performance.now()
  const { model, usage } = await call()
  return {
    answersAs: model,
    milliseconds: Math.round(performance.now() - begin),
    inputTokens: usage?.input ?? null,
    outputTokens: usage?.output ?? null,
  }
}

export function modelsInWords(models: readonly CheckedModel[]): string[] {
  if (models.length === 0) return ['the config names no models and no rerankers behind a server']
  return models.map(({ name, provider, answersAs, milliseconds, price }) => {
    const searches = price?.searches ? `, $${price.searches} a thousand searches` : ''
    const cost = price
      ? `$${price.input} / $${price.output} a million tokens read / written${searches}`
      : 'no price known'
    return `${name}: ${provider} answers as ${answersAs}, ${milliseconds} ms, ${cost}`
  })
}

interface CheckedEngine {
  readonly name: string
  readonly kind: string
  readonly version: string
  readonly milliseconds: number
}

/** Throws a UserError that names every engine without an answer. */
export async function checkEngines({ engines, file }: Experiment): Promise<CheckedEngine[]> {
  const diagnostics = collectDiagnostics()
  const checked: CheckedEngine[] = []
  for (const [name, choice] of Object.entries(engines)) {
    const { server } = find(engineKinds, choice.name)
    const begin = performance.now()
    const version = await diagnostics.attemptAsync(
      () => versionOf(server),
      ({ message }) => ({ file, message: `the engine \`${name}\`: ${message}` }),
    )
    const milliseconds = Math.round(performance.now() - begin)
    if (version !== undefined) checked.push({ name, kind: server.kind, version, milliseconds })
  }
  diagnostics.throwIfAny()
  return checked
}

export function enginesInWords(engines: readonly CheckedEngine[]): string[] {
  if (engines.length === 0) return ['the config names no engines']
  return engines.map(
    ({ name, kind, version, milliseconds }) => `${name}: ${kind} ${version} answers, ${milliseconds} ms`,
  )
}
