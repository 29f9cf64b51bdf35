import type { Json } from '../types.ts'
import { isMap, type Path } from './problem.ts'

/** A relative path in the config and the absolute one that takes its place; `on: key` where it is a map's key. */
export interface Rewrite {
  readonly path: Path
  readonly on: 'key' | 'value'
  readonly value: string
}

/** The config with the rewrites made. Keys are renamed last, so that the paths of values below them still hold. */
export function resolvedConfig(config: Json, rewrites: readonly Rewrite[]): Json {
  const copy = JSON.parse(JSON.stringify(config))
  const ordered = [...rewrites].sort((a, b) => Number(a.on === 'key') - Number(b.on === 'key'))
  for (const { path, on, value } of ordered) {
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((inside, part) => (inside as Record<string | number, unknown>)?.[part], copy)
    const last = path.at(-1) as string | number
    if (on === 'value') {
      if (typeof parent === 'object' && parent !== null)
        (parent as Record<string | number, unknown>)[last] = value
    } else if (isMap(parent)) {
      const entries = Object.entries(parent)
      for (const [key] of entries) delete parent[key]
      for (const [key, item] of entries) parent[key === last ? value : key] = item
    }
  }
  return copy
}
