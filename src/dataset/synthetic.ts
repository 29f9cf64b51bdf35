import { originOfDrafted } from '../text/drafted-origin.ts'
import type { JudgedQuery } from '../types.ts'

/** Queries that were drafted from the corpus (`metadata.synthetic`), and those among them that people reviewed. */
export interface Drafted {
  readonly synthetic: number
  readonly reviewed: number
}

export function countDrafted(queries: readonly JudgedQuery[]): Drafted {
  const drafted = queries.filter(
    ({ metadata: { synthetic } }) => synthetic !== undefined && synthetic !== false,
  )
  return {
    synthetic: drafted.length,
    reviewed: drafted.filter(({ metadata: { reviewed } }) => reviewed !== undefined).length,
  }
}

/** Notice of a dataset with drafted questions; none without. */
export function syntheticNotices(queries: readonly JudgedQuery[]): string[] {
  const { synthetic, reviewed } = countDrafted(queries)
  return synthetic === 0
    ? []
    : [`${synthetic} of ${queries.length} questions are synthetic: ${originOfDrafted(synthetic, reviewed)}`]
}
