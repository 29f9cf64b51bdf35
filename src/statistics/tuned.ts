import { createRandom, shuffle } from '../random.ts'
import { compareIds } from '../text/ids.ts'
import type { Clusters } from './moments.ts'

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

/**
 * Tuning without self-deception: in every fold, a strategy is represented by the trial that was best on the other
 * folds, scored on this one. A split does the same once: chosen on dev, scored on test.
 */
interface TuneInput {
  /** Trial ids, unique. */
  readonly trials: readonly string[]
  /** Each trial's strategy. */
  readonly strategies: readonly string[]
  /** The primary measure by [trial][query]; NaN where a query does not count. */
  readonly matrix: readonly Float64Array[]
  /** Each query's fold from `makeFolds`, or part from `makeSplit`. */
  readonly parts: Uint8Array
  readonly kind: 'folds' | 'split'
  readonly better: 'higher' | 'lower'
}

export interface Tuned {
  readonly strategy: string
  /** Index in `trials` of the representing trial, by query; -1 on a split's dev queries. */
  readonly picked: Int32Array
  readonly chosen: readonly number[]
  /** Index in `trials` of the best on all queries (folds) or on dev (split). */
  readonly best: number
  /** Best trial's mean on its tuning queries minus the held-out mean. */
  readonly optimism: number
}

/** One row a strategy, in byte order of their names. Equal means: the trial whose id comes first. */
export function tune(input: TuneInput): Tuned[] {
  const names = [...new Set(input.strategies)].sort(compareIds)
  return names.map((strategy) => tuneStrategy(strategy, input))
}

/** The values of a tuned row in any measure: by query, NaN where no trial was picked. */
export function tunedValues(
  { picked }: Pick<Tuned, 'picked'>,
  matrix: readonly Float64Array[],
): Float64Array {
  return Float64Array.from(picked, (trial, query) => (trial < 0 ? Number.NaN : matrix[trial][query]))
}

function tuneStrategy(strategy: string, input: TuneInput): Tuned {
  const { trials, strategies, matrix, parts, kind, better } = input
  const candidates = trials
    .map((_, index) => index)
    .filter((index) => strategies[index] === strategy)
    .sort((a, b) => compareIds(trials[a], trials[b]))
  const sign = better === 'higher' ? 1 : -1
  const bestOn = (counts: (part: number) => boolean) => {
    const means = candidates.map((trial) => sign * meanWhere(matrix[trial], (query) => counts(parts[query])))
    return candidates[means.indexOf(Math.max(...means))]
  }
  const picked = new Int32Array(parts.length).fill(-1)
  const chosen: number[] = []
  const scoredParts = kind === 'split' ? [1] : [...new Set(parts)].sort((a, b) => a - b)
  for (const scored of scoredParts) {
    const choice = bestOn((part) => part !== scored)
    chosen.push(choice)
    for (let query = 0; query < parts.length; query++) if (parts[query] === scored) picked[query] = choice
  }
  const isTuning = (part: number) => kind === 'folds' || part === 0
  const best = bestOn(isTuning)
  const seen = meanWhere(matrix[best], (query) => isTuning(parts[query]))
  const row = { strategy, picked, chosen, best }
  return { ...row, optimism: sign * (seen - meanWhere(tunedValues(row, matrix))) }
}

function meanWhere(values: Float64Array, counts: (query: number) => boolean = () => true): number {
  let sum = 0
  let n = 0
  for (let query = 0; query < values.length; query++) {
    if (Number.isNaN(values[query]) || !counts(query)) continue
    sum += values[query]
    n++
  }
  return n === 0 ? 0 : sum / n
}
