import type { Choice } from '../corpus/recipe.ts'
import { type ChatProviderParams, identityOf } from '../models/chat/providers/define.ts'
import { chatProviders } from '../models/chat/providers/index.ts'
import { resolve } from '../registry.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Json } from '../types.ts'

/** The models of a config by the name that it gives each. */
export type Models = ReadonlyMap<string, Choice>

/** What is wrong with the name of a model; undefined where it is one. */
export function modelNameProblem(name: string, named: Record<string, unknown>): string | undefined {
  return Object.hasOwn(named, name) ? undefined : unknownModel(name, named)
}

/** What is said of a name that `raw`, what stands at `models`, does not have. */
export function unknownModel(name: string, raw: Record<string, unknown>): string {
  const names = Object.keys(raw)
  const known = names.length === 0 ? 'the config names none' : `\`models\` names ${names.join(', ')}`
  return `there is no model \`${name}\`${didYouMean(name, names)}; ${known}`
}

/** What of a model decides its answers, as a trial's id sees it; null where it is not known. */
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
