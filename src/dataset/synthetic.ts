import type { JudgedQuery } from '../types.ts'

/** Number of queries that say of themselves, in `metadata.synthetic`, that nobody asked them. */
export function countSynthetic(queries: readonly JudgedQuery[]): number {
  return queries.filter(({ metadata: { synthetic } }) => synthetic !== undefined && synthetic !== false)
    .length
}

/** Notice of a dataset with drafted questions; none without. */
export function syntheticNotices(queries: readonly JudgedQuery[]): string[] {
  const count = countSynthetic(queries)
  return count === 0
    ? []
    : [`${count} of ${queries.length} questions are synthetic: drafted from the corpus, asked by nobody`]
}
