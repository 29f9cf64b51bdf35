import { z } from 'zod'
import { askedLevel, communitiesTable, communityLevel } from '../../corpus/graph/communities/assemble.ts'
import { batchReports, communityReports } from '../../corpus/graph/reports/assemble.ts'
import { listOf } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import { createRandom, shuffle } from '../../random.ts'
import { cutToBudget } from '../../ranking/cut.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Query } from '../../types.ts'
import { type Asked, defineAsking, readable, unreadNote } from './asking.ts'
import {
  type AllParams,
  descend,
  FREE,
  type Mapped,
  type MappedPoint,
  POINT_TOKENS,
  type ReportSet,
} from './read-reports.ts'

type Rating = Asked & AllParams & { readonly rating: number }

const ratingSchema = z.strictObject({ reason: z.string(), rating: z.number().min(0).max(5) })

/** Rating of a report whose completion cannot be read: the default `rating` keeps it, as in the original. */
const UNRATED = 1

export const askRatings = defineAsking({
  name: 'ask-ratings',
  artifacts: (recipe, _: Rating) => ({
    reports: communityReports(recipe),
    communities: communitiesTable(recipe),
  }),
  requires: (recipe, { communityLevel }) => askedLevel(recipe, communityLevel),
  facts: unreadNote('ratings that could not be read'),
  async ask(chat, [{ text }]: [Query], { params, artifacts: { reports, communities } }): Promise<ReportSet> {
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

/** A point that names no report of its batch, or has no score above 0, is none. */
export const askPoints = defineAsking({
  name: 'ask-points',
  artifacts: (recipe, _: Asked) => ({ reports: communityReports(recipe) }),
  facts: unreadNote('batches of reports that could not be read'),
  async ask(
    chat: Chat,
    [{ text }, { batches }]: [Query, ReportSet],
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
