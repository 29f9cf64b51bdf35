import type { Race } from '../config/experiment.ts'
import type { Mistake } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import type { JudgedQuery } from '../types.ts'
import { blockOf } from './shards.ts'

/** What of a race does not fit the queries: a first round of more than there are, blocks that no query has. */
export function raceMistakes(race: Race | null, queries: readonly JudgedQuery[]): Mistake[] {
  if (!race || queries.length === 0) return []
  const { firstTest, blocks, locations } = race
  const mistakes: Mistake[] = []
  if (firstTest > queries.length)
    mistakes.push({
      ...locations.firstTest,
      message: `\`firstTest\`: the first round is of ${firstTest} queries, and there are ${queries.length}`,
    })
  if (blocks !== null && queries.every((query) => blockOf(query, blocks) === null)) {
    const fields = [...new Set(queries.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
    const known = [...(queries.some(({ category }) => category !== null) ? ['category'] : []), ...fields]
    mistakes.push({
      ...locations.blocks,
      message: `\`blocks\`: no query has \`${blocks}\`${didYouMean(blocks, known)}; ${known.length > 0 ? `there are ${known.join(', ')}` : 'they have neither a category nor metadata'}`,
    })
  }
  return mistakes
}
