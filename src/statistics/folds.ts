import { createRandom, shuffle } from '../random.ts'
import { compareIds } from '../text/ids.ts'
import type { Clusters } from './clusters.ts'

/** The queries to divide. */
interface Divided {
  /** Unique ids; any order gives each id the same part. */
  readonly ids: readonly string[]
  /** The category of each id, or null: every part gets its share of each. */
  readonly categories: readonly (string | null)[]
  /** The cluster of each id, which no part divides; each id is one of its own if not given. */
  readonly clusters?: Clusters | undefined
  readonly seed: number
}

/** Deals the queries into `folds` folds; returns each one's fold, from 0. Sizes differ by at most one, also by category. */
export function makeFolds({ folds, ...queries }: Divided & { readonly folds: number }): Uint8Array {
  if (hasClusters(queries.clusters))
    return dealClusters(queries, queries.clusters, new Array<number>(folds).fill(1 / folds))
  const parts = new Uint8Array(queries.ids.length)
  dealt(queries).forEach((query, turn) => {
    parts[query] = turn % folds
  })
  return parts
}

/** Splits the queries once: 0 for dev (a share of `dev`, 0 to 1, of each category), 1 for test. */
export function makeSplit({ dev, ...queries }: Divided & { readonly dev: number }): Uint8Array {
  if (hasClusters(queries.clusters)) return dealClusters(queries, queries.clusters, [dev, 1 - dev])
  const parts = new Uint8Array(queries.ids.length)
  dealt(queries).forEach((query, turn) => {
    // The first m dealt hold round(m * dev) of dev, so every category gets its share.
    parts[query] = Math.round((turn + 1) * dev) > Math.round(turn * dev) ? 0 : 1
  })
  return parts
}

function hasClusters(clusters: Clusters | undefined): clusters is Clusters {
  return clusters !== undefined && new Set(Array.from(clusters)).size < clusters.length
}

/**
 * Deals whole clusters, the largest first, each to the part that lacks most of its share of the queries. Categories are
 * not balanced: a cluster may hold several.
 */
function dealClusters({ ids, seed }: Divided, clusters: Clusters, shares: readonly number[]): Uint8Array {
  const random = createRandom(seed)
  const members = new Map<number, number[]>()
  const order = ids.map((_, index) => index).sort((a, b) => compareIds(ids[a], ids[b]))
  for (const index of order) {
    const cluster = members.get(clusters[index])
    if (cluster) cluster.push(index)
    else members.set(clusters[index], [index])
  }
  const sizes = shares.map(() => 0)
  const parts = new Uint8Array(ids.length)
  // A stable sort: clusters of one size stay shuffled.
  for (const cluster of shuffle([...members.values()], random).sort((a, b) => b.length - a.length)) {
    const lacks = shares.map((share, part) => share * ids.length - sizes[part])
    const part = lacks.indexOf(Math.max(...lacks))
    sizes[part] += cluster.length
    for (const index of cluster) parts[index] = part
  }
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
