import type { Trial } from '../config/experiment.ts'
import type { Mistake } from '../errors.ts'
import { fieldsOfQuery } from '../prepare/filter.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Query } from '../types.ts'

/** Filters that read what no query's metadata have: they would leave every query nothing. */
export function unknownQueryFields(trials: readonly Trial[], queries: readonly Query[]): Mistake[] {
  if (queries.length === 0) return []
  const known = [...new Set(queries.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
  const mistakes = trials.flatMap(({ filter, location }) =>
    (filter ? fieldsOfQuery(filter.where) : [])
      .filter((field) => !known.includes(field))
      .map((field) => ({
        ...location,
        message: `\`filter\`: no query has \`${field}\` in its metadata${didYouMean(field, known)}; ${known.length > 0 ? `there are ${known.join(', ')}` : 'they have none'}`,
      })),
  )
  return [...new Map(mistakes.map((mistake) => [JSON.stringify(mistake), mistake])).values()]
}
