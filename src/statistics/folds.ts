import { compareIds } from '../text/order.ts'
import { createRandom, shuffle } from './random.ts'

/** The queries to divide. */
export interface Divided {
  /** Unique ids; any order gives each id the same part. */
  readonly ids: readonly string[]
  /** The category of each id, or null: every part gets its share of each. */
  readonly categories: readonly (string | null)[]
  readonly seed: number
}

/** Deals the queries into `folds` folds; returns each one's fold, from 0. Sizes differ by at most one, also by category. */
export function makeFolds({ folds, ...queries }: Divided & { readonly folds: number }): Uint8Array {
  const parts = new Uint8Array(queries.ids.length)
  dealt(queries).forEach((query, turn) => {
    parts[query] = turn % folds
  })
  return parts
}

/** Splits the queries once: 0 for dev (a share of `dev`, 0 to 1, of each category), 1 for test. */
export function makeSplit({ dev, ...queries }: Divided & { readonly dev: number }): Uint8Array {
  const parts = new Uint8Array(queries.ids.length)
  dealt(queries).forEach((query, turn) => {
    // Of the first m dealt, round(m * dev) are dev, so every category gets its share.
    parts[query] = Math.round((turn + 1) * dev) > Math.round(turn * dev) ? 0 : 1
  })
  return parts
}

/** Indexes of the queries, category after category, shuffled inside each. */
function dealt({ ids, categories, seed }: Divided): number[] {
  const random = createRandom(seed)
  const byCategory = new Map<string, number[]>()
  const order = ids.map((_, index) => index).sort((a, b) => compareIds(ids[a], ids[b]))
  for (const index of order) {
    // A category's name cannot be empty, so this one is free.
    const name = categories[index] ?? ''
    byCategory.set(name, [...(byCategory.get(name) ?? []), index])
  }
  const names = [...byCategory.keys()].sort(compareIds)
  return names.flatMap((name) => shuffle(byCategory.get(name) ?? [], random))
}
