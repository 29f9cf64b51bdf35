import { existsSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import type { Choice } from '../corpus/recipe.ts'
import { type ChatProviderParams, priceOf } from '../models/chat/providers/define.ts'
import { chatProviders } from '../models/chat/providers/index.ts'
import { resolve } from '../registry.ts'
import { show } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { readChoice } from './choices.ts'
import type { Budget } from './experiment.ts'
import { type Models, unknownModel } from './model-names.ts'
import { isMap, type Path, type Problem, type Reading } from './reading.ts'

/** Reads `models`: names, each with a provider and its params. With a budget in dollars each needs a price. */
export function readModels(raw: unknown, reading: Reading, budget?: Budget): Models {
  const { problems } = reading
  const models = new Map<string, Choice>()
  if (raw === undefined) return models
  if (!isMap(raw)) {
    const message = `must be a map of names to models, as {small: {openai: {model: gpt-5-mini}}}, not ${show(raw)}`
    problems.push({ path: ['models'], message })
    return models
  }
  for (const [name, given] of Object.entries(raw)) {
    const path = ['models', name]
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/.test(name))
      problems.push({
        path,
        on: 'key',
        message: 'a model is named by letters, digits, `.`, `_` and `-`, at most 50',
      })
    const { list } = readChoice(given, path, { registry: chatProviders }, reading)
    if (list.length > 1)
      problems.push({ path, message: 'a model has no grid; name several, and vary the `model` of what asks' })
    if (list.length === 1) models.set(name, list[0].choice)
  }
  checkFallbacks(raw, models, problems)
  if (budget?.dollars !== undefined) checkPrices(models, problems)
  return models
}

/** Fallbacks name models, and lead to an end; one that leads in a circle is taken for unread. */
function checkFallbacks(
  raw: Record<string, unknown>,
  models: Map<string, Choice>,
  problems: Problem[],
): void {
  const circular: string[] = []
  for (const [name, { name: provider, params }] of models) {
    const { fallback } = params
    if (typeof fallback !== 'string') continue
    const path = ['models', name, provider, 'fallback']
    if (!Object.hasOwn(raw, fallback)) problems.push({ path, message: unknownModel(fallback, raw) })
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

/** Requires a price of every model, which a budget in dollars needs. */
function checkPrices(models: Models, problems: Problem[]): void {
  for (const [name, choice] of models) {
    const { definition, params } = resolve(chatProviders, choice)
    if (!priceOf(definition, params as object as ChatProviderParams))
      problems.push({
        path: ['models', name, definition.name],
        on: 'key',
        message: `has no price, and \`budget\` is in dollars: add \`price: {input: ..., output: ...}\`, 0 for a server of your own`,
      })
  }
}

/** The file of stored completions that `recording` names, absolute. */
export function readRecordingPath(given: string | undefined, reading: Reading): string | undefined {
  if (given === undefined) return undefined
  const path: Path = ['recording']
  const absolute = resolvePath(reading.folderOf(path), given)
  if (absolute !== given) reading.rewrites.push({ path, on: 'value', value: absolute })
  if (!existsSync(absolute)) reading.problems.push({ path, message: `there is no file ${absolute}` })
  return absolute
}
