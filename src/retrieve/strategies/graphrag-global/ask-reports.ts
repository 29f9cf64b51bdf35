import { z } from 'zod'
import { askedLevel, communitiesTable, communityLevel } from '../../../corpus/graph/communities/assemble.ts'
import { batchReports, communityReports } from '../../../corpus/graph/reports/assemble.ts'
import { BadCompletion, listOf, Unasked } from '../../../models/chat/json.ts'
import { type Chat, together } from '../../../models/completions/chat.ts'
import { createRandom, shuffle } from '../../../random.ts'
import { cutToBudget } from '../../../ranking/cut.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import { countTokens } from '../../../text/tokens.ts'
import type { Query } from '../../../types.ts'
import { defineAsking } from '../../steps/asking.ts'
import { descend } from './read-reports.ts'
import { type AllParams, FREE, type Mapped, type MappedPoint, POINT_TOKENS, type ReportSet } from './steps.ts'

/** GraphRAG Global's calls, made: what src/retrieve/strategies/graphrag-global/steps.ts does with an extractive stand-in. */

type Asked = { readonly model: string; readonly template: string; readonly seed: number }
type Rating = Asked & AllParams & { readonly rating: number }

const ratingSchema = z.strictObject({ reason: z.string(), rating: z.number().min(0).max(5) })

/** Rating of a report whose completion cannot be read: the default `rating` keeps it, as in the original. */
const UNRATED = 1

/** One of many calls for a query: where its answer cannot be read, the others still count. */
async function readable<T>(said: Promise<T>): Promise<T | null> {
  try {
    return await said
  } catch (error) {
    if (!(error instanceof BadCompletion) || error instanceof Unasked) throw error
    return null
  }
}

/** Number of completions that could not be read, if any. */
const unreadNote =
  (what: string) =>
  ({ unread }: { readonly unread?: number }): Record<string, string> =>
    unread ? { [what]: String(unread) } : {}

/** The reports that dynamic selection keeps, in shuffled batches: each is rated by a call of its own, level by level. */
export const askRatings = defineAsking({
  name: 'ask-ratings',
  version: 1,
  artifacts: (recipe, _params: Rating) => ({
    reports: communityReports(recipe),
    communities: communitiesTable(recipe),
  }),
  requires: (recipe, { communityLevel }) => askedLevel(recipe, communityLevel),
  notes: unreadNote('ratings that could not be read'),
  async ask(
    chat,
    [{ text }]: readonly [Query],
    { params, artifacts: { reports, communities } },
  ): Promise<ReportSet> {
    const { template, rating: least, seed, tokens } = params
    let unread = 0
    const rate = async (report: number): Promise<number> => {
      const values = { query: withoutMarks(text), report: withoutMarks(reports.contents[report]) }
      const said = await readable(chat.json({ template, values, seed }, ratingSchema))
      if (said === null) unread++
      return said?.rating ?? UNRATED
    }
    const level = communityLevel(communities, params.communityLevel)
    const descent = descend(reports, communities, least, level)
    let step = descent.next()
    while (!step.done) step = descent.next(await together(step.value, rate))
    const kept = shuffle([...step.value.kept], createRandom(seed))
    return { batches: batchReports(kept, reports.tokens, tokens), ...FREE, unread }
  },
})

/** Points of a batch, far more than help. */
const POINTS = 50

const pointsSchema = z.strictObject({
  points: listOf(z.strictObject({ text: z.string(), report: z.int(), score: z.number() }), POINTS),
})

/**
 * The points of all batches, one map call each, best first (of equal ones those of the earlier batch), as many as have room.
 * One that names no report of its batch, or has no score above 0, is none.
 */
export const askPoints = defineAsking({
  name: 'ask-points',
  version: 1,
  artifacts: (recipe, _params: Asked) => ({ reports: communityReports(recipe) }),
  notes: unreadNote('batches of reports that could not be read'),
  async ask(
    chat: Chat,
    [{ text }, { batches }]: readonly [Query, ReportSet],
    { params: { template, seed }, artifacts: { reports } },
  ): Promise<Mapped> {
    let unread = 0
    const mapped = await together(batches, async (batch): Promise<MappedPoint[]> => {
      const texts = batch.map(
        (report, index) =>
          `<passage report="${index + 1}">\n${withoutMarks(reports.contents[report])}\n</passage>`,
      )
      const values = { query: withoutMarks(text), reports: texts.join('\n') }
      const said = await readable(chat.json({ template, values, seed }, pointsSchema))
      if (said === null) unread++
      return (said?.points ?? []).flatMap(({ text: point, report, score }) => {
        const row = batch[report - 1]
        const worth = Math.min(100, Math.round(score))
        return row === undefined || worth <= 0 ? [] : [{ report: row, text: point, score: worth }]
      })
    })
    const best = mapped.flat().sort((a, b) => b.score - a.score)
    return { points: cutToBudget(best, ({ text: point }) => countTokens(point), POINT_TOKENS).rows, unread }
  },
})
