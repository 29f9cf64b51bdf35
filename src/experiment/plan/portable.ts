import { dirname, isAbsolute, relative, sep } from 'node:path'
import type { Choice } from '../../corpus/recipe.ts'
import type { Json } from '../../types.ts'
import type { CompiledTrial } from './compile.ts'

/** Paths relative to the config, so that results do not depend on its location. */
export function portable<T extends Json>(value: T, config: string): T {
  return shorten(value, dirname(config)) as T
}

export function portableTrial(trial: CompiledTrial, config: string): CompiledTrial {
  const { strategy, params, varied, before, after } = trial
  const choices = (list: readonly Choice[]) =>
    list.map(({ file, ...choice }) => ({
      ...choice,
      params: portable(choice.params, config),
      ...(file && { file: portable(file, config) }),
    }))
  return {
    ...trial,
    strategy: portable(strategy, config),
    params: portable(params, config),
    varied: portable(varied, config),
    before: choices(before),
    after: choices(after),
  }
}

function shorten(value: Json | undefined, folder: string): Json {
  if (typeof value === 'string')
    return isAbsolute(value) ? relative(folder, value).split(sep).join('/') : value
  if (Array.isArray(value)) return value.map((item) => shorten(item, folder))
  if (value === undefined || value === null || typeof value !== 'object') return value ?? null
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item, folder)]))
}
