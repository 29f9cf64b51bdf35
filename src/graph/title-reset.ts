import { normalize } from '../ranking/normalize.ts'
import type { Ranking } from '../types.ts'
import type { Csr } from './csr.ts'
import type { SparseReset } from './pagerank/walk.ts'
import { findTitles, type Span, type Titles } from './titles.ts'

/**
 * Where Title PPR's walk starts:
 *
 *     minmax over the prior's `top` best, to the power `power`; plus `titleWeight` for each passage whose title stands
 *     in the query
 *
 * A title in the query counts where its key has over 3 characters and lies within no longer one that was found.
 */
export type TitleResetOptions = {
  readonly top: number
  readonly power: number
  readonly titleWeight: number
}

/** The passages whose titles stand in `query`, ascending. */
export function titledIn(query: string, titles: Titles): number[] {
  const spans = findTitles(query, titles).filter(({ key }) => key.length > 3)
  const holds = (outer: Span, inner: Span) =>
    outer.words > inner.words &&
    outer.start <= inner.start &&
    outer.start + outer.words >= inner.start + inner.words
  const longest = spans.filter((span) => !spans.some((other) => holds(other, span)))
  const rows = new Set(longest.flatMap(({ key }) => titles.rows.get(key) ?? []))
  return [...rows].sort((a, b) => a - b)
}

/** The reset over passages; passages without weight are left out, so it may be empty. */
export function titleReset(
  prior: Ranking,
  titled: readonly number[],
  { top, power, titleWeight }: TitleResetOptions,
): SparseReset {
  const weights = new Map<number, number>()
  const scores = normalize({ scores: prior.scores.slice(0, top) }, 'minmax')
  scores.forEach((score, i) => {
    if (score > 0) weights.set(prior.rows[i], score ** power)
  })
  if (titleWeight > 0) for (const row of titled) weights.set(row, (weights.get(row) ?? 0) + titleWeight)
  return { nodes: Uint32Array.from(weights.keys()), weights: Float64Array.from(weights.values()) }
}

/**
 * Whether a walk from a reset gets anywhere: a passage of it is titled in the query, or a link leads on from one.
 * Otherwise all weight would stay where it began.
 */
export function leadsOn(
  { nodes }: SparseReset,
  titled: readonly number[],
  { titleWeight }: TitleResetOptions,
  { offsets }: Csr,
): boolean {
  if (titleWeight > 0 && titled.length > 0) return true
  for (let i = 0; i < nodes.length; i++) if (offsets[nodes[i]] < offsets[nodes[i] + 1]) return true
  return false
}
