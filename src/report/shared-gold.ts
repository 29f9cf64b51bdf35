import type { SharedGold } from '../types.ts'
import type { Leaderboard } from './leaderboard-rows.ts'
import { plural, quantity } from './numbers.ts'

/** Queries that share gold, in words; `of` all queries. */
export function sharedGoldInWords({ by, queries, groups, largest }: SharedGold, of: number): string {
  const what =
    by === 'gold' ? 'share gold with another query' : 'have gold in the same document as another query'
  return `${quantity(queries)} of ${plural(of, 'query', 'queries')} ${what}, in ${plural(groups, 'group')} of up to ${quantity(largest)}, so they are not independent. \`compare.cluster: ${by}\` resamples groups instead of queries.`
}

/** Warning that queries share gold while each is resampled alone; empty otherwise. */
export function sharedGoldNote({ comparison, one }: Pick<Leaderboard, 'comparison' | 'one'>): string {
  if (comparison?.cluster !== undefined || !one?.dataset.shared) return ''
  return `${sharedGoldInWords(one.dataset.shared, one.dataset.queries)} Without it, intervals are too narrow and too many differences count as significant.`
}
