import type { Experiment, Race, Trial } from '../config/experiment.ts'
import type { Mistake } from '../errors.ts'
import { fieldsOfQuery } from '../prepare/filter.ts'
import { didYouMean } from '../text/nearest.ts'
import type { JudgedQuery } from '../types.ts'
import { blockOf } from './shards.ts'

/** What of an experiment does not fit its queries; of none at all nothing is said. */
export function queryMistakes({ trials, race }: Experiment, queries: readonly JudgedQuery[]): Mistake[] {
  if (queries.length === 0) return []
  return [...filterMistakes(trials, queries), ...raceMistakes(race, queries)]
}

/** Filters that read what no query's metadata have: they would leave every query nothing. */
function filterMistakes(trials: readonly Trial[], queries: readonly JudgedQuery[]): Mistake[] {
  const known = fieldsOf(queries)
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

/** What of a race does not fit the queries: a first round of more than there are, blocks that no query has. */
function raceMistakes(race: Race | null, queries: readonly JudgedQuery[]): Mistake[] {
  if (!race) return []
  const { firstTest, blocks, locations } = race
  const mistakes: Mistake[] = []
  if (firstTest > queries.length)
    mistakes.push({
      ...locations.firstTest,
      message: `\`firstTest\`: the first round is of ${firstTest} queries, and there are ${queries.length}`,
    })
  if (blocks !== null && queries.every((query) => blockOf(query, blocks) === null)) {
    const categories = queries.some(({ category }) => category !== null) ? ['category'] : []
    const known = [...categories, ...fieldsOf(queries)]
    mistakes.push({
      ...locations.blocks,
      message: `\`blocks\`: no query has \`${blocks}\`${didYouMean(blocks, known)}; ${known.length > 0 ? `there are ${known.join(', ')}` : 'they have neither a category nor metadata'}`,
    })
  }
  return mistakes
}

/** The fields of the queries' metadata. */
function fieldsOf(queries: readonly JudgedQuery[]): string[] {
  return [...new Set(queries.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
}
