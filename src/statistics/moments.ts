/** Mean, standard deviation (n - 1) and number of values. Of none the mean is 0, of one the deviation. */
interface Moments {
  readonly n: number
  readonly mean: number
  readonly sd: number
}

/** Two passes: exact for equal values, stable otherwise. */
export function momentsOf(values: ArrayLike<number>): Moments {
  const n = values.length
  if (n === 0) return { n, mean: 0, sd: 0 }
  let sum = 0
  let equal = true
  for (let index = 0; index < n; index++) {
    sum += values[index]
    equal &&= values[index] === values[0]
  }
  // The mean of 37 times 0.1 is not 0.1, and they would seem to vary.
  const mean = equal ? values[0] : sum / n
  let squares = 0
  for (let index = 0; index < n; index++) squares += (values[index] - mean) ** 2
  return { n, mean, sd: n > 1 ? Math.sqrt(squares / (n - 1)) : 0 }
}

export function pairedDifferences(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: a.length }, (_, index) => a[index] - b[index])
}

export function countSigns(differences: ArrayLike<number>): { wins: number; ties: number; losses: number } {
  let wins = 0
  let losses = 0
  for (let index = 0; index < differences.length; index++) {
    if (differences[index] > 0) wins++
    else if (differences[index] < 0) losses++
  }
  return { wins, ties: differences.length - wins - losses, losses }
}

export type Strata = readonly ArrayLike<number>[]

/** Unweighted mean of the strata's means, so that a large dataset does not drown the others. */
export function macroMean(strata: Strata): number {
  return strata.reduce((sum, values) => sum + momentsOf(values).mean, 0) / strata.length
}

/**
 * Standard error of the macro mean over D strata, with its degrees of freedom (Satterthwaite, 1946):
 *
 *     error^2 = 1/D^2 sum_d V_d,    V_d = sd_d^2 / n_d,    df = n_d - 1 for one stratum
 *
 * With clusters V_d is the cluster jackknife's (CV3: MacKinnon, Nielsen and Webb, Journal of Econometrics 232, 2023): with T_g
 * the sum of a cluster's values and m_g its queries,
 *
 *     V_d = (G - 1) / G sum_g ((T_g - m_g mean) / (n - m_g))^2,    df = G - 1
 *
 * which is sd^2 / n if each query is a cluster. NaN if a stratum has fewer than two values or clusters.
 */
export function errorOf(strata: Strata, clusters?: readonly Clusters[]): { error: number; df: number } {
  const parts = strata.map((values, stratum) => {
    const { n, mean, sd } = momentsOf(values)
    if (!clusters) return { variance: n < 2 ? Number.NaN : sd ** 2 / n, df: n - 1 }
    const { totals, sizes } = clusterTotals(values, clusters[stratum])
    const squares = totals.reduce(
      (sum, total, g) => sum + ((total - sizes[g] * mean) / (n - sizes[g])) ** 2,
      0,
    )
    return { variance: ((totals.length - 1) / totals.length) * squares, df: totals.length - 1 }
  })
  const variance = parts.reduce((sum, part) => sum + part.variance, 0)
  const df =
    parts.length === 1
      ? parts[0].df
      : variance ** 2 / parts.reduce((sum, part) => sum + part.variance ** 2 / part.df, 0)
  return { error: Math.sqrt(variance) / strata.length, df }
}

/**
 * Cluster of each query, by number: queries that share gold, a document or an asker are not independent, so clusters
 * were sampled.
 */
export type Clusters = ArrayLike<number>

/** Sums of the clusters' values and their numbers of queries, in the order in which clusters first occur. */
export function clusterTotals(
  values: ArrayLike<number>,
  clusters: Clusters,
): { totals: number[]; sizes: number[] } {
  const places = new Map<number, number>()
  const totals: number[] = []
  const sizes: number[] = []
  for (let query = 0; query < values.length; query++) {
    const place = places.get(clusters[query]) ?? places.size
    places.set(clusters[query], place)
    totals[place] = (totals[place] ?? 0) + values[query]
    sizes[place] = (sizes[place] ?? 0) + 1
  }
  return { totals, sizes }
}

export function numberClusters(keys: readonly (string | null)[]): Int32Array {
  const numbers = new Map<string, number>()
  let next = 0
  return Int32Array.from(keys, (key) => {
    if (key === null) return next++
    const number = numbers.get(key) ?? next++
    numbers.set(key, number)
    return number
  })
}

/** Clusters of queries that share any of their ids, directly or through others. */
export function linkedClusters(ids: readonly (readonly string[])[]): Int32Array {
  const parents = [...ids.keys()]
  const rootOf = (query: number): number => {
    let root = query
    while (parents[root] !== root) root = parents[root]
    for (let at = query; parents[at] !== root; ) [at, parents[at]] = [parents[at], root]
    return root
  }
  const owners = new Map<string, number>()
  ids.forEach((queryIds, query) => {
    for (const id of queryIds) {
      const owner = owners.get(id)
      if (owner === undefined) owners.set(id, query)
      else {
        const [first, second] = [rootOf(owner), rootOf(query)]
        parents[Math.max(first, second)] = Math.min(first, second)
      }
    }
  })
  return Int32Array.from(ids.keys(), rootOf)
}

/**
 * Cohen's d of paired differences: mean / standard deviation (n - 1), over strata the macro mean by the root of their
 * mean variance; 0 where they do not vary.
 */
export function effectSize(differences: Strata): number {
  const variances = differences.map((values) => {
    const { sd } = momentsOf(values)
    return sd * sd
  })
  const sd = Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0) / variances.length)
  return sd === 0 ? 0 : macroMean(differences) / sd
}
