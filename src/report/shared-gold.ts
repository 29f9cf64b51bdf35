import type { SharedGold } from '../types.ts'
import { plural, quantity } from './numbers.ts'

/** Queries that share gold, in words; `of` all queries. */
export function sharedGoldInWords({ by, queries, groups, largest }: SharedGold, of: number): string {
  const what = by === 'gold' ? 'share gold with another' : 'have gold in the same document as another'
  return `${quantity(queries)} of ${plural(of, 'query', 'queries')} ${what} (${plural(groups, 'group')}, up to ${quantity(largest)} queries each), so they are not independent. \`compare.cluster: ${by}\` samples the groups instead of the queries.`
}
