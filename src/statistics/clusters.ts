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

/** Clusters of queries that share any of their ids, directly or through others: numbered in the order of the queries. */
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
