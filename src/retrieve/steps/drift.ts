import { z } from 'zod'
import { chunkTexts } from '../../corpus/corpus.ts'
import { communityReports } from '../../corpus/graph/reports/assemble.ts'
import { listOf } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Evidence, Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { type Asked, defineAsking, readable, unreadNote } from './asking.ts'
import type { LocalContext } from './local-search.ts'
import { extractPoints } from './report-points.ts'
import { reportSentences } from './report-sentences.ts'

interface Queries {
  readonly queries: readonly string[]
}

interface FollowUps extends Queries {
  readonly unread: number
}

/** Follow-up queries of a reply, as the prompts say. */
const FOLLOW_UPS = 5

/** Both replies of the original: an answer so far, its score from 0 to 100, and what to ask next. */
const schema = z.strictObject({
  answer: z.string(),
  score: z.number(),
  follow_up_queries: listOf(z.string(), FOLLOW_UPS),
})

async function followUps(
  chat: Chat,
  request: Omit<Asked, 'model'>,
  values: Readonly<Record<string, string>>,
): Promise<FollowUps> {
  const said = await readable(chat.json({ ...request, values }, schema))
  const queries = (said?.follow_up_queries ?? []).map((query) => query.trim()).filter(Boolean)
  return { queries, unread: said ? 0 : 1 }
}

/** DRIFT's primer: the nearest reports in `folds` parts, each read by a call that asks follow-up queries. */
export const askPrimer = defineAsking({
  name: 'ask-primer',
  artifacts: (recipe, _: Asked & { readonly folds: number }) => ({ reports: communityReports(recipe) }),
  facts: unreadNote('parts of the reports that could not be read'),
  async ask(
    chat,
    [{ text }, { rows }]: [Query, Ranking],
    { params: { template, seed, folds }, artifacts: { reports } },
  ): Promise<FollowUps> {
    const parts = foldsOf([...rows], folds)
    const replies = await together(parts, (part) => {
      const texts = part.map(
        (row) => `<passage kind="report">\n${withoutMarks(reports.contents[row])}\n</passage>`,
      )
      return followUps(chat, { template, seed }, { query: withoutMarks(text), reports: texts.join('\n') })
    })
    return {
      queries: replies.flatMap(({ queries }) => queries),
      unread: replies.reduce((sum, { unread }) => sum + unread, 0),
    }
  },
})

/** Items in at most `folds` parts of nearly equal size, none empty. */
export function foldsOf<T>(items: readonly T[], folds: number): T[][] {
  const parts = Array.from({ length: folds }, (_, i) =>
    items.slice(Math.floor((i * items.length) / folds), Math.floor(((i + 1) * items.length) / folds)),
  )
  return parts.filter(({ length }) => length > 0)
}

/** The primer without a model quotes the sentences of the nearest reports that share most words with the question. */
export const quotePrimer = defineStep({
  name: 'quote-primer',
  artifacts: (recipe) => ({ sentences: reportSentences(recipe) }),
  run([{ text }, { rows }]: [Query, Ranking], { artifacts: { sentences } }): Queries {
    const points = extractPoints(sentences, sentences.matches(text), sentences.terms(text), new Set(rows))
    return { queries: points.map(({ sentence }) => sentences.text(sentence)) }
  },
})

type Action = Asked & { readonly index: number }

/** DRIFT's action: a follow-up query, answered from the context of its local search, asks further ones. */
export const askFollowUps = defineAsking({
  name: 'ask-follow-ups',
  artifacts: (recipe, _: Action) => ({ texts: chunkTexts(recipe) }),
  facts: unreadNote('follow-ups that could not be read'),
  async ask(
    chat,
    [{ text }, { taken }, { sources }, evidence]: [Query, Agenda, LocalContext, readonly Evidence[]],
    { params: { template, seed, index }, artifacts: { texts } },
  ): Promise<FollowUps> {
    if (taken[index] === undefined) return { queries: [], unread: 0 }
    const passages = [...evidence.map(({ text }) => text), ...sources.map((row) => texts[row])]
    const values = {
      query: withoutMarks(taken[index]),
      question: withoutMarks(text),
      passages: passages.map((passage) => `<passage>\n${withoutMarks(passage)}\n</passage>`).join('\n'),
    }
    return followUps(chat, { template, seed }, values)
  },
})

/** Queries that a round searches for, and those that it leaves. */
export interface Agenda {
  readonly taken: readonly string[]
  readonly left: readonly string[]
  /** All queries so far, the question among them. */
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
    const asked = new Set(before?.known ?? [text])
    const open = [...(before?.left ?? []), ...replies.flatMap(({ queries }) => queries)]
    const left = [...new Set(open)].filter((query) => !asked.has(query))
    const taken = left.slice(0, count)
    return { taken, left: left.slice(count), known: [...asked, ...taken] }
  },
})

export const noAgenda = defineStep<null, [Query], null>({ name: 'no-agenda', run: () => null })

export const takenQueries = defineStep<null, [Agenda], readonly string[]>({
  name: 'taken-queries',
  run: ([{ taken }]) => taken,
})
