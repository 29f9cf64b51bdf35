import { z } from 'zod'
import { EMPTY_RANKING } from '../../ranking/order.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { defineAsking } from './asking.ts'

type Params = {
  readonly model: string
  readonly template: string
  readonly repeat: number
  readonly count: number
}

const schema = z.strictObject({ queries: z.array(z.string()) })

/** Queries that a model makes of one: distinct, other than it, at most `count`. */
export const askQueries = defineAsking({
  name: 'ask-queries',
  version: 1,
  notes: (queries: readonly string[]) => ({ queries: queries.join(' | ') }),
  async ask(
    chat,
    [{ text }]: readonly [Query],
    { params: { template, repeat, count } }: { readonly params: Params },
  ): Promise<readonly string[]> {
    const values = { query: withoutMarks(text), count: String(count) }
    const { queries } = await chat.json({ template, values, repeat }, schema)
    const distinct = [...new Set(queries.map((query) => query.trim()))]
    return distinct.filter((query) => query !== '' && query !== text).slice(0, count)
  },
})

/** One of these queries; the question itself where there are fewer. */
export const queryAt = defineStep<
  { readonly index: number },
  [Query, readonly string[]],
  Record<never, never>,
  Query
>({
  name: 'query-at',
  version: 1,
  yields: 'query',
  run: ([query, queries], { params: { index } }) =>
    queries[index] === undefined ? query : { id: query.id, text: queries[index], metadata: query.metadata },
})

/** The ranking for one of these queries; the second input, an empty one, where there are fewer. */
export const rankingAt = defineStep<
  { readonly index: number },
  [readonly string[], Ranking, Ranking],
  Record<never, never>,
  Ranking
>({
  name: 'ranking-at',
  version: 1,
  yields: 'ranking',
  pick: (queries, { index }) => (queries[index] === undefined ? 1 : 0),
})

export const noRanking = defineStep<null, [unknown], Record<never, never>, Ranking>({
  name: 'no-ranking',
  version: 1,
  run: () => EMPTY_RANKING,
})
