import type { Choice } from '../corpus/recipe.ts'
import { type ChatProviderParams, identityOf } from '../models/chat/providers/define.ts'
import { chatProviders } from '../models/chat/providers/index.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { resolve } from '../registry.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Json } from '../types.ts'

/** The models of a config by the name that it gives each. */
export type Models = ReadonlyMap<string, Choice>

/** Error of a name that is no model's; undefined for a model's name. */
export function modelNameProblem(name: string, named: Record<string, unknown>): string | undefined {
  return Object.hasOwn(named, name) ? undefined : unknownModel(name, named)
}

/** Message for a name that is not in `raw`, the value of `models`. */
export function unknownModel(name: string, raw: Record<string, unknown>): string {
  return unknownIn(raw, name, 'model', 'models')
}

function unknownIn(raw: Record<string, unknown>, name: string, word: string, key: string): string {
  const names = Object.keys(raw)
  const known = names.length === 0 ? 'the config names none' : `\`${key}\` names ${names.join(', ')}`
  return `there is no ${word} \`${name}\`${didYouMean(name, names)}; ${known}`
}

/** Content of a model that decides its completions, for a trial's id; null for an unknown model. */
export function modelContent(name: string, models: Models): Json {
  const choice = models.get(name)
  if (!choice) return null
  const { definition, params } = resolve(chatProviders, choice)
  const given = params as object as ChatProviderParams
  return [
    identityOf(definition, given) as Json,
    given.fallback === undefined ? null : modelContent(given.fallback, models),
  ]
}

/** Rerankers or engines of a config by the name that it gives each; `content` is what a trial's id sees of one. */
export type NamedChoices = ReadonlyMap<string, { readonly choice: Choice; readonly content: Json }>

/** Kinds that may be named without a line in `rerankers`. */
const BARE = rerankers.all.filter(({ params }) => params.safeParse({}).success).map(({ name }) => name)

/** Error of a name that is no reranker's; undefined for a reranker's name. `raw` is the value of `rerankers`. */
export function rerankerProblem(name: string, raw: Record<string, unknown>): string | undefined {
  if (Object.hasOwn(raw, name) || BARE.includes(name)) return undefined
  const names = Object.keys(raw)
  const known = names.length === 0 ? 'the config names none' : `\`rerankers\` names ${names.join(', ')}`
  return `there is no reranker \`${name}\`${didYouMean(name, [...names, ...BARE])}; ${known}, and ${BARE.join(', ')} need no line there`
}

/** Content of a reranker that decides its scores, for a trial's id. */
export function rerankerContent(name: string, known: NamedChoices): Json {
  return known.get(name)?.content ?? [name, {}]
}

/** Error of a name that is no engine's; undefined for an engine's name. `raw` is the value of `engines`. */
export function engineProblem(name: string, raw: Record<string, unknown>): string | undefined {
  return Object.hasOwn(raw, name) ? undefined : unknownIn(raw, name, 'engine', 'engines')
}

/** Content of an engine that decides its rankings, for a trial's id; null for an unknown engine. */
export function engineContent(name: string, known: NamedChoices): Json {
  return known.get(name)?.content ?? null
}
