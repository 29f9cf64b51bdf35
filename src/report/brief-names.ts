import type { Json } from '../types.ts'
import { clean } from './lines.ts'

interface Named {
  readonly name: string
  readonly strategy: string
  /** What the config varies, in the order of the name. */
  readonly varied: Readonly<Record<string, Json>>
}

/** `hybrid alpha=0.5 fusion=rrf` -> `hybrid 0.5 rrf`; a name that the config gave stays. */
export function withoutParams({ name, strategy, varied }: Named): string {
  const made = name.startsWith(`${strategy} `)
  if (!made || !Object.keys(varied).every((param) => name.includes(` ${param}=`))) return name
  return name.replace(/ [^\s=]+=/g, ' ')
}

/** `hybrid alpha fusion`: the params that brief names give by value, in order. */
export function paramsInBrief(rows: readonly Named[]): string[] {
  const lines = rows
    .filter(({ varied }) => Object.keys(varied).length > 0)
    .map(({ strategy, varied }) => clean([strategy, ...Object.keys(varied)].join(' ')))
  return [...new Set(lines)]
}
