import { z } from 'zod'
import { chunkTexts } from '../../corpus/corpus.ts'
import { communityReports } from '../../corpus/graph/reports/assemble.ts'
import { listOf } from '../../models/chat/json.ts'
import { together } from '../../models/completions/chat.ts'
import { promptFiles, stepPromptParams } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Evidence, Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import {
  type Asked,
  askedRole,
  defineAsking,
  type PromptChat,
  passagesText,
  refuseIdleRole,
  roleParams,
} from '../steps/asking.ts'
import { fallbackUnlinked, fuseRanks, noRanking, queryAt, rankingAt } from '../steps/combine.ts'
import { linkEntities, linkReports } from '../steps/link.ts'
import { citeLocal, type LocalContext, rankLocal, selectLocal } from '../steps/local-search.ts'
import { count, pool, refuser } from '../steps/params.ts'
import { extractPoints, reportSentences } from '../steps/report-sentences.ts'
import { embedGraphQuery, searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

interface Queries {
  readonly queries: readonly string[]
}

/** Follow-up queries of a reply, as the prompts say. */
const FOLLOW_UPS = 5

/** The original's replies: an answer, its score from 0 to 100, and follow-up queries. */
const REPLY = z.strictObject({
  answer: z.string(),
  score: z.number(),
  follow_up_queries: listOf(z.string(), FOLLOW_UPS),
})

async function followUps(chat: PromptChat, values: Readonly<Record<string, string>>): Promise<string[]> {
  const said = await chat.jsonOrNull(REPLY, values)
  return (said?.follow_up_queries ?? []).map((query) => query.trim()).filter(Boolean)
}

/** DRIFT's primer: the nearest reports in `folds` parts, each read by a call that asks follow-up queries. */
const askPrimer = defineAsking({
  name: 'ask-primer',
  artifacts: (recipe, _: Asked & { readonly folds: number }) => ({ reports: communityReports(recipe) }),
  unread: 'parts of the reports that could not be read',
  async ask(
    chat,
    [, { rows }]: [Query, Ranking],
    { params: { folds }, artifacts: { reports } },
  ): Promise<Queries> {
    const parts = Array.from({ length: folds }, (_, fold) =>
      rows.subarray(Math.floor((fold * rows.length) / folds), Math.floor(((fold + 1) * rows.length) / folds)),
    ).filter(({ length }) => length > 0)
    const replies = await together(parts, (part) => {
      const contents = Array.from(part, (row) => reports.contents[row])
      return followUps(chat, { reports: passagesText(contents, () => ' kind="report"') })
    })
    return { queries: replies.flat() }
  },
})

/** The primer without a model quotes the sentences of the nearest reports that share most words with the question. */
export const quotePrimer = defineStep({
  name: 'quote-primer',
  artifacts: (recipe) => ({ sentences: reportSentences(recipe) }),
  run([{ text }, { rows }]: [Query, Ranking], { artifacts: { sentences } }): Queries {
    const points = extractPoints(sentences, text, rows)
    return { queries: points.map(({ sentence }) => sentences.text(sentence)) }
  },
})

type Action = Asked & { readonly index: number }

/** DRIFT's action: a follow-up query, answered from the context of its local search, asks further ones. */
const askFollowUps = defineAsking({
  name: 'ask-follow-ups',
  artifacts: (recipe, _: Action) => ({ texts: chunkTexts(recipe) }),
  unread: 'follow-ups that could not be read',
  async ask(
    chat,
    [{ text }, { taken }, { sources }, evidence]: [Query, Agenda, LocalContext, readonly Evidence[]],
    { params: { index }, artifacts: { texts } },
  ): Promise<Queries> {
    if (taken[index] === undefined) return { queries: [] }
    const passages = [...evidence.map(({ text }) => text), ...sources.map((row) => texts[row])]
    const queries = await followUps(chat, {
      query: withoutMarks(taken[index]),
      question: withoutMarks(text),
      passages: passagesText(passages),
    })
    return { queries }
  },
})

export interface Agenda {
  readonly taken: readonly string[]
  readonly left: readonly string[]
  /** All queries so far, with the question. */
  readonly known: readonly string[]
}

/** Queries that the last round left, then new ones in order (the original shuffles them), each asked once. */
export const nextQueries = defineStep<
  { readonly count: number },
  [Query, Agenda | null, ...Queries[]],
  Agenda
>({
  name: 'next-queries',
  facts: ({ taken, known }) => ({
    counts: { followUps: taken.length },
    notes: taken.length > 0 ? { [`follow-ups from ${known.length - taken.length}`]: taken.join(' | ') } : {},
  }),
  run([{ text }, before, ...replies], { params: { count } }) {
    const searched = new Set(before?.known ?? [text])
    const open = [...(before?.left ?? []), ...replies.flatMap(({ queries }) => queries)]
    const left = [...new Set(open)].filter((query) => !searched.has(query))
    const next = left.slice(0, count)
    return { taken: next, left: left.slice(count), known: [...searched, ...next] }
  },
})

const noAgenda = defineStep<null, [Query], null>({ name: 'no-agenda', run: () => null })

const takenQueries = defineStep<null, [Agenda], readonly string[]>({
  name: 'taken-queries',
  run: ([{ taken }]) => taken,
})

const PRIMER_HOLES = ['query', 'reports']
const ACTION_HOLES = ['query', 'question', 'passages']

/** GraphRAG asks for twice as many entities as its setting says. */
const ENTITIES = 2 * 10

/** GraphRAG's settings of the local search that follows each query. */
const LOCAL = { relationshipsPerEntity: 10, contextTokens: 12_000, sourceShare: 0.9, reportShare: 0.1 }

const params = z
  .strictObject({
    reports: count(20, 'number of nearest reports that the primer reads'),
    folds: count(5, 'number of calls in which the primer reads the reports; with `model`', 100),
    followUps: count(20, 'maximum number of follow-up queries per round', 100),
    rounds: z
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe('rounds of follow-up queries; default: 3 with `model`, else 1'),
    pool: pool(),
    ...roleParams('reads reports and contexts, and asks follow-up queries', PRIMER_HOLES),
    ...stepPromptParams('followUp', ACTION_HOLES),
  })
  .superRefine((params, context) => {
    const refuse = refuser(context)
    refuseIdleRole(params, context)
    for (const param of ['rounds', 'followUpPrompt'] as const)
      if (params.model === undefined && params[param] !== undefined) refuse(param, 'is for a `model`')
  })

export default defineStrategy({
  name: 'drift',
  summary:
    'derives follow-up queries from community reports, searches the graph for each as graphrag-local does, and fuses the rankings',
  source:
    'microsoft/graphrag v3, DRIFT search; Whiting et al., Introducing DRIFT Search, Microsoft Research, 2024',
  params,
  files: promptFiles(PRIMER_HOLES, { followUp: ACTION_HOLES }),
  make: (params) => ({
    retrieve(query) {
      const { reports, folds, followUps: count, rounds = 3, pool: depth } = params
      const linked = linkReports([embedGraphQuery(query)], { communities: reports })
      const primerRole = askedRole(params, 'drift-primer')
      const acted = askedRole({ ...params, prompt: params.followUpPrompt }, 'drift-follow-up')
      const primed = primerRole
        ? askPrimer([query, linked], { ...primerRole, folds })
        : quotePrimer([query, linked])
      const first = searchLocally(query, depth)
      const nothing = noRanking([query])
      const rankings = [first.ranking]
      let agenda: Expression<Agenda> = nextQueries([query, noAgenda([query]), primed], { count })
      for (let round = 1; ; round++) {
        const queries = takenQueries([agenda])
        const actions = Array.from({ length: count }, (_, index) => {
          const local = searchLocally(queryAt([query, queries], { index }), depth)
          rankings.push(rankingAt([queries, local.ranking, nothing], { index }))
          return { index, ...local }
        })
        if (!acted || round === rounds) break
        const replies = actions.map(({ index, context, evidence }) =>
          askFollowUps([query, agenda, context, evidence], { ...acted, index }),
        )
        agenda = nextQueries([query, agenda, ...replies], { count })
      }
      const dense = searchQuery(query, depth)
      return {
        ranking: fallbackUnlinked(first.linked, fuseRanks(rankings), dense, 'no entity is linked'),
        evidence: first.evidence,
      }
    },
  }),
})

function searchLocally(query: Expression<Query>, depth: number) {
  const linked: Expression<Ranking> = linkEntities([embedGraphQuery(query)], { entities: ENTITIES })
  const context = selectLocal([linked], LOCAL)
  return { linked, context, ranking: rankLocal([context], { depth }), evidence: citeLocal([context]) }
}
