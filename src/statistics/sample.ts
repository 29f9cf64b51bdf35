import { type Clusters, clusterTotals } from './clusters.ts'

/** The fewest queries of a dataset that a verdict is given on. Fewer are not representative, however small p is. */
export const FEWEST_QUERIES = 15

/** Limits of the cluster bootstrap and of Student's t over few clusters. */
const BOOTSTRAP = { effective: 20, share: 0.1 }
const STUDENT = { clusters: 5, share: 0.25 }

/**
 * The units that were sampled, over the queries that count in every row: queries, or clusters of queries. Units are numbered
 * stratum after stratum.
 */
export interface Sample {
  /** Places of the counted queries by stratum. */
  readonly queries: readonly (readonly number[])[]
  /** Cluster of each counted query by stratum; absent if every query is a unit. */
  readonly clusters?: readonly (readonly number[])[]
  /** Units by stratum. */
  readonly strata: readonly (readonly number[])[]
  /** Number of queries of each unit. */
  readonly sizes: readonly number[]
  readonly method: Method
}

/** Test that the units allow: the bootstrap t, Student's t over few clusters, or none for a reason. */
export type Method =
  | { readonly kind: 'bootstrap' | 'student' }
  | { readonly kind: 'none'; readonly reason: string }

/** Rows by [row][query], NaN if a query does not count; `sizes` are the numbers of queries of the strata. */
export function sampleOf(
  matrix: readonly Float64Array[],
  sizes: readonly number[],
  clusters: Clusters | undefined,
): Sample {
  let end = 0
  const queries = sizes.map((size) => {
    end += size
    return Array.from({ length: size }, (_, place) => end - size + place).filter((query) =>
      matrix.every((row) => !Number.isNaN(row[query])),
    )
  })
  const byStratum = clusters && queries.map((places) => places.map((query) => clusters[query]))
  // Clusters of one query each are no clusters.
  const clustered = byStratum?.some((numbers) => new Set(numbers).size < numbers.length)
  const unitSizes = queries.map((places, stratum) =>
    clustered && byStratum ? clusterTotals(places, byStratum[stratum]).sizes : places.map(() => 1),
  )
  let next = 0
  return {
    queries,
    ...(clustered && { clusters: byStratum }),
    strata: unitSizes.map((members) => members.map(() => next++)),
    sizes: unitSizes.flat(),
    method: clustered ? clusterMethod(unitSizes) : queryMethod(unitSizes),
  }
}

function queryMethod(strata: readonly (readonly number[])[]): Method {
  const fewest = Math.min(...strata.map(({ length }) => length))
  if (fewest >= FEWEST_QUERIES) return { kind: 'bootstrap' }
  const where = strata.length > 1 ? 'a dataset has ' : ''
  return {
    kind: 'none',
    reason: `${where}${fewest} ${fewest === 1 ? 'query' : 'queries'}, and a verdict needs ${FEWEST_QUERIES}`,
  }
}

/** Effective number of clusters n^2 / sum m^2; the stratum with the worst sizes decides. */
function clusterMethod(strata: readonly (readonly number[])[]): Method {
  const shapes = strata.map((sizes) => {
    const n = sizes.reduce((sum, size) => sum + size, 0)
    const largest = Math.max(...sizes)
    const squares = sizes.reduce((sum, size) => sum + size ** 2, 0)
    return { n, largest, count: sizes.length, effective: n ** 2 / squares, share: largest / n }
  })
  if (shapes.every(({ effective, share }) => effective >= BOOTSTRAP.effective && share <= BOOTSTRAP.share))
    return { kind: 'bootstrap' }
  const few = shapes.find(({ count }) => count < STUDENT.clusters)
  if (few)
    return {
      kind: 'none',
      reason: `${few.count === 1 ? 'one cluster' : `${few.count} clusters`} of queries, and a verdict needs ${STUDENT.clusters}`,
    }
  const dominated = shapes.find(({ share }) => share > STUDENT.share)
  return dominated
    ? { kind: 'none', reason: `one cluster holds ${dominated.largest} of ${dominated.n} queries` }
    : { kind: 'student' }
}

export function unitTotals({ queries, clusters }: Sample, row: Float64Array): Float64Array {
  return Float64Array.from(
    queries.flatMap((places, stratum) => {
      const values = places.map((query) => row[query])
      return clusters ? clusterTotals(values, clusters[stratum]).totals : values
    }),
  )
}

export function valuesByStratum({ queries }: Sample, row: Float64Array): Float64Array[] {
  return queries.map((places) => Float64Array.from(places, (query) => row[query]))
}
