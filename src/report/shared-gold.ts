import type { SharedGold } from '../types.ts'
import { plural, quantity } from './numbers.ts'

/** Queries that share gold, in words; `of` all queries. */
export function sharedGoldInWords({ by, queries, groups, largest }: SharedGold, of: number): string {
  const what =
    by === 'gold' ? 'share gold with another query' : 'have gold in the same document as another query'
  return `${quantity(queries)} of ${plural(of, 'query', 'queries')} ${what}, in ${plural(groups, 'group')} of up to ${quantity(largest)}, so they are not independent. \`compare.cluster: ${by}\` resamples groups instead of queries.`
}
