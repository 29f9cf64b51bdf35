import { momentsOf } from './summarize.ts'

/**
 * Queries that share what they ask for (a gold passage, a document, a person who asked) are not independent: their errors
 * go together, and n of them tell less than n others. The cluster is then what was sampled. With T_g the sum of a
 * cluster's values, m_g its queries, G clusters and n queries,
 *
 *     u_g = mean + (T_g - m_g mean) G / n
 *
 * are G values with the mean of the queries, whose standard error is that of a mean over clusters (the ratio estimator:
 * Cochran, Sampling Techniques, 1977, 9A.1). Where every query is a cluster of its own, u are the values.
 */
export type Clusters = ArrayLike<number>

/** The values u_g, in the order in which clusters first occur. */
export function byCluster(values: ArrayLike<number>, clusters: Clusters): Float64Array {
  const { mean } = momentsOf(values)
  const deviations = Float64Array.from({ length: values.length }, (_, query) => values[query] - mean)
  const sums = clusterSums(deviations, clusters)
  if (sums.length === values.length) return Float64Array.from(values)
  return sums.map((sum) => mean + (sum * sums.length) / values.length)
}

/** The values that count (are not NaN): by cluster, or as they are without clusters. */
export function countedUnits(values: Float64Array, clusters: Clusters | undefined): Float64Array {
  if (!clusters) return values.filter((value) => !Number.isNaN(value))
  const counts = [...values.keys()].filter((query) => !Number.isNaN(values[query]))
  return byCluster(
    Float64Array.from(counts, (query) => values[query]),
    counts.map((query) => clusters[query]),
  )
}

/** The sums of the clusters' values, in the order in which clusters first occur. */
export function clusterSums(values: ArrayLike<number>, clusters: Clusters): Float64Array {
  const places = placesOf(clusters)
  const sums = new Float64Array(places.size)
  for (let query = 0; query < values.length; query++)
    sums[places.get(clusters[query]) as number] += values[query]
  return sums
}

/** The value of each cluster's first query, of values that are the same throughout a cluster. */
export function clusterFirsts(values: ArrayLike<number>, clusters: Clusters): number[] {
  const first = new Map<number, number>()
  for (let query = 0; query < values.length; query++)
    if (!first.has(clusters[query])) first.set(clusters[query], values[query])
  return [...first.values()]
}

function placesOf(clusters: Clusters): Map<number, number> {
  const places = new Map<number, number>()
  for (let query = 0; query < clusters.length; query++)
    if (!places.has(clusters[query])) places.set(clusters[query], places.size)
  return places
}

/** Numbers the clusters of keys; a null key is a cluster of its own. */
export function numberClusters(keys: readonly (string | null)[]): Int32Array {
  const known = new Map<string, number>()
  let next = 0
  return Int32Array.from(keys, (key) => {
    if (key === null) return next++
    const found = known.get(key) ?? next++
    known.set(key, found)
    return found
  })
}

/** Clusters of queries that share any of their ids, over others too: numbered in the order of the queries. */
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
        const [one, other] = [rootOf(owner), rootOf(query)]
        parents[Math.max(one, other)] = Math.min(one, other)
      }
    }
  })
  return Int32Array.from(ids.keys(), rootOf)
}
