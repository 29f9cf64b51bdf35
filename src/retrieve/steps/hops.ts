import { z } from 'zod'
import { chunkColumns, chunkTexts } from '../../corpus/corpus.ts'
import { findTitles, longestSpans, type Titles, titleLinks } from '../../corpus/graph/titles.ts'
import { analyzer, termCounts, termsOf } from '../../corpus/lexical/term-counts.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { addTo } from '../../maps.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, head, rankPairs } from '../../ranking/order.ts'
import { append, rankList } from '../../ranking/rank-list.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { entityKey, writtenKey } from '../../text/entity-key.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { ratioFrom } from '../../text/similarity.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { type Asked, defineAsking } from './asking.ts'
import { type Groups, type ToldGroups, tellGroups } from './groups.ts'
import { noRanking } from './queries.ts'
import { passagesText } from './roles.ts'

/** Letters that are compared of a heading or title; comparing costs the product of the two lengths. */
const LONGEST = 200

/** Looks up chunks by the approximate name of their heading, or of their title if they have no heading. */
interface HeaderIndex {
  /** Heading most similar to `title`, at least `threshold`, with the chunk rows below it; the first on a tie. */
  lookUp(
    title: string,
    threshold: number,
  ): { readonly rows: readonly number[]; readonly match: number } | undefined
}

function headerIndex(recipe: Recipe): Artifact<HeaderIndex> {
  return derived('header_index', { chunks: chunkColumns(recipe, 'title', 'section') }, ({ chunks }) =>
    headersOf(chunks.map(({ title, section }) => section.at(-1) ?? title)),
  )
}

export function headersOf(headings: readonly string[]): HeaderIndex {
  const rows = new Map<string, number[]>()
  headings.forEach((heading, row) => {
    const key = entityKey(heading).slice(0, LONGEST)
    if (key !== '') addTo(rows, key, row)
  })
  return {
    lookUp(title, threshold) {
      const wanted = entityKey(title).slice(0, LONGEST)
      const exact = rows.get(wanted)
      if (exact) return { rows: exact, match: 1 }
      let best: { rows: readonly number[]; match: number } | undefined
      for (const [key, chunks] of wanted === '' ? [] : rows) {
        const match = ratioFrom(Math.max(threshold, Number.MIN_VALUE), wanted, key)
        if (match > (best?.match ?? 0)) best = { rows: chunks, match }
      }
      return best
    },
  }
}

/** Multi-hop retrieval of seed document 002: a judge says what is missing, which is looked up by heading, or searched. */

/** A judge's decision about the chunks so far; `missing`: names to look for, separated by commas. */
interface HopDecision {
  /** The hop that would follow, from 1. */
  readonly hop: number
  readonly canAnswer: boolean
  readonly reasoning: string
  readonly missing: string
}

export const JUDGES = ['rules', 'links'] as const

type Judging = { readonly hop: number; readonly judge: (typeof JUDGES)[number] }

/** Linked headings that one verdict asks for at most. */
const LINKED = 3

function judgesBy(recipe: Recipe) {
  const terms = termsOf(termCounts(recipe))
  return {
    analyze: analyzer(recipe),
    known: derived('known_terms', { terms }, ({ terms }) => new Set(terms)),
    links: titleLinks(recipe),
    texts: chunkTexts(recipe),
    titles: derived('titles', { chunks: chunkColumns(recipe, 'title') }, ({ chunks }) =>
      chunks.map(({ title }) => title),
    ),
  }
}

const decisionNotes = ({ hop, canAnswer, reasoning, missing }: HopDecision) => ({
  [`hop ${hop} can_answer`]: canAnswer ? 'yes' : 'no',
  [`hop ${hop} reasoning`]: reasoning,
  [`hop ${hop} missing_query`]: missing,
})

/**
 * A judge by rules. Missing are titles in the question that no chunk so far has, its words that no chunk so far
 * contains, and with `links` the three titles with the rarest links to the chunks so far.
 */
export const judgeHop = defineStep({
  name: 'judge-hop',
  artifacts: (recipe, _: Judging) => judgesBy(recipe),
  facts: (decision: HopDecision) => ({ notes: decisionNotes(decision) }),
  run([{ text }, { rows }]: [Query, Ranking], { params: { hop, judge }, artifacts }): HopDecision {
    const { analyze, known, links, texts, titles } = artifacts
    const held = new Set(Array.from(rows, (row) => texts[row]).flatMap(analyze))
    const named = missingNames(text, links.titles, new Set(rows))
    const words = [...new Set(text.split(/\s+/).filter((word) => lacks(analyze(word), held, known)))]
    const linked = judge === 'links' ? linkedRows(rows, links.csr).map((row) => titles[row]) : []
    const reasons = [
      named.length > 0 && `named, and no chunk of it: ${named.join('; ')}`,
      words.length > 0 && `in no chunk: ${words.join(' ')}`,
      linked.length > 0 && `linked: ${linked.join('; ')}`,
    ].filter((reason) => reason !== false)
    return {
      hop,
      canAnswer: reasons.length === 0,
      reasoning: reasons.join('. ') || 'a chunk of every title that is named, and every word, is there',
      missing: [...named, ...linked.map(withoutCommas), withoutCommas(words.join(' '))]
        .filter((part) => part !== '')
        .join(', '),
    }
  },
})

const withoutCommas = (text: string) => text.replace(/[,\s]+/g, ' ').trim()

function missingNames(text: string, titles: Titles, titled: ReadonlySet<number>): string[] {
  const spans = longestSpans(findTitles(text, titles))
  const keys = [...new Set(spans.map(({ key }) => key))]
  const missing = keys.filter((key) => !titles.rows.get(key)?.some((row) => titled.has(row)))
  return missing.map(writtenKey)
}

function lacks(terms: readonly string[], held: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  return terms.some((term) => known.has(term) && !held.has(term))
}

interface Links {
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
}

function linkedRows(rows: Uint32Array, { offsets, targets, weights }: Links): number[] {
  const best = new Map<number, number>()
  rows.forEach((row, index) => {
    for (let at = offsets[row]; at < offsets[row + 1]; at++) {
      const weight = weights[at] / (1 + index)
      best.set(targets[at], Math.max(best.get(targets[at]) ?? 0, weight))
    }
  })
  for (const row of rows) best.delete(row)
  return [...rankPairs([...best.keys()], [...best.values()], LINKED).rows]
}

/** Names in `missing`: split at commas, without the apostrophes and quotes that judges put around titles. */
export function hopParts(missing: string): string[] {
  const parts = missing.split(',').map((part) => part.replace(/['’‘"“”`]/gu, '').trim())
  return [...new Set(parts.filter((part) => part !== ''))]
}

type LookUp = { readonly threshold: number; readonly limit: number }
type LookedUp = Ranking & { readonly unmatched: readonly string[] }

/** The chunks under the headings that a verdict names, nearly right will do: score = match - 0.01. */
export const lookUpHeaders = defineStep({
  name: 'look-up-headers',
  channel: 'graph',
  within: true,
  artifacts: (recipe, _: LookUp) => ({ headers: headerIndex(recipe) }),
  facts: ({ rows }: LookedUp) => ({ counts: { byHeading: rows.length } }),
  run([{ missing }, mask]: [HopDecision, Mask?], { params, artifacts: { headers } }): LookedUp {
    const scores = new Map<number, number>()
    const unmatched: string[] = []
    for (const part of hopParts(missing)) {
      const match = headers.lookUp(part, params.threshold)
      const kept = match?.rows.filter((row) => mask?.kept[row] !== 0) ?? []
      if (!match || kept.length === 0) unmatched.push(part)
      else for (const row of kept) scores.set(row, Math.max(scores.get(row) ?? 0, match.match - 0.01))
    }
    const ranking = rankPairs([...scores.keys()], [...scores.values()], params.limit)
    return { ...ranking, unmatched }
  },
})

export const lookUpNothing = defineStep<null, [HopDecision], LookedUp>({
  name: 'look-up-nothing',
  run: ([{ missing }]) => ({ ...EMPTY_RANKING, unmatched: missing === '' ? [] : [missing] }),
})

export const askUnmatched = defineStep<null, [Query, LookedUp], Query>({
  name: 'ask-unmatched',
  yields: 'query',
  run: ([query, { unmatched }]) => ({ id: query.id, text: unmatched.join(', '), metadata: query.metadata }),
})

const searchUnmatched = defineStep<null, [LookedUp, Ranking, Ranking], Ranking>({
  name: 'search-unmatched',
  yields: 'ranking',
  pick: ({ unmatched }) => (unmatched.length > 0 ? 0 : 1),
})

export function restOf(lookedUp: Expression<LookedUp>, search: Expression<Ranking>): Expression<Ranking> {
  return searchUnmatched([lookedUp, search, noRanking([lookedUp])])
}

type Hopped = Ranking & { readonly marks: readonly (readonly [row: number, words: string])[] }

export const firstHop = defineStep<{ readonly limit: number }, [Ranking], Hopped>({
  name: 'first-hop',
  yields: 'ranking',
  facts: ({ marks }) => ({ marks }),
  run: ([ranking], { params: { limit } }) => {
    const { rows } = head(ranking, limit)
    return { ...rankList(rows), marks: Array.from(rows, (row) => [row, 'hop 0'] as const) }
  },
})

type Adding = { readonly hop: number; readonly limit: number }

/** The chunks so far, then those of this hop that are new: by heading first, then by search, `limit` in all. */
export const addHop = defineStep<Adding, [Ranking, Ranking, Ranking], Hopped>({
  name: 'add-hop',
  yields: 'ranking',
  facts: ({ marks }) => ({ marks, counts: { hops: 1, hopChunks: marks.length } }),
  run: ([sofar, byHeading, searched], { params: { hop, limit } }) => {
    const earlier = new Set(sofar.rows)
    const matches = new Map(Array.from(byHeading.rows, (row, i) => [row, byHeading.scores[i]]))
    const candidates = [...new Set([...byHeading.rows, ...searched.rows])].slice(0, limit)
    const added = candidates.filter((row) => !earlier.has(row))
    const marks = added.map((row) => {
      const score = matches.get(row)
      return [row, score === undefined ? `hop ${hop}` : `hop ${hop}, heading ${score.toFixed(2)}`] as const
    })
    return { ...rankList([...sofar.rows, ...added]), marks }
  },
})

export const stopOrHop = defineStep<null, [HopDecision, Ranking, Ranking], Ranking>({
  name: 'stop-or-hop',
  yields: 'ranking',
  pick: ({ canAnswer }) => (canAnswer ? 0 : 1),
})

export const afterHops = defineStep<{ readonly depth: number }, [Ranking, Ranking], Ranking>({
  name: 'after-hops',
  yields: 'ranking',
  run: ([hopped, first], { params: { depth } }) => append(hopped, first, depth),
})

type HopParams = Asked & { readonly hop: number }
type JudgeParams = HopParams & { readonly groups?: Groups; readonly filter?: boolean }

const schema = z.strictObject({ can_answer: z.boolean(), reasoning: z.string(), missing_query: z.string() })

type HopReply = HopDecision & { readonly told?: ToldGroups }

/** Seed document 002's judge: a model says if the chunks so far answer the question, and what is missing. */
export const askHopJudge = defineAsking({
  name: 'ask-hop-judge',
  artifacts: (recipe, _: JudgeParams) => ({ texts: chunkTexts(recipe) }),
  facts: (judged: HopReply) => ({
    notes: { ...decisionNotes(judged), ...groupNotes(judged) },
    counts: groupCounts(judged),
  }),
  async ask(chat, [{ text }, { rows }]: [Query, Ranking], { params, artifacts }): Promise<HopReply> {
    const { template, seed, hop, groups, filter = true } = params
    const told = groups && tellGroups(text, groups, filter)
    const passages = passagesText(rows, artifacts.texts)
    const values = { query: withoutMarks(text), passages, ...(told && { groups: told.text }) }
    const said = await chat.json({ template, values, seed }, schema)
    const missing = said.missing_query.trim()
    // A judge that misses nothing has nothing more to search for.
    const canAnswer = said.can_answer || missing === ''
    return { hop, canAnswer, reasoning: said.reasoning, missing, ...(told && { told }) }
  },
})

function groupCounts({ told }: HopReply): Record<string, number> {
  return told ? { groupTokens: told.tokens, groupTokensOfAll: told.allTokens } : {}
}

function groupNotes({ hop, told }: HopReply): Record<string, string> {
  return told ? { [`hop ${hop} groups`]: told.named.join(', ') || 'none named: all' } : {}
}

const ANSWERED = /\bthe answer is\b/i

/** IRCoT (Trivedi et al., ACL 2023): the model reads the chunks of all hops, not its chain of thought. */
export const askNextThought = defineAsking({
  name: 'ask-next-thought',
  artifacts: (recipe, _: HopParams) => ({ texts: chunkTexts(recipe) }),
  facts: (decision: HopDecision) => ({ notes: decisionNotes(decision) }),
  async ask(chat, [{ text }, { rows }]: [Query, Ranking], { params, artifacts }): Promise<HopDecision> {
    const { template, seed, hop } = params
    const passages = passagesText(rows, artifacts.texts)
    const thought = await chat.text({ template, values: { query: withoutMarks(text), passages }, seed })
    return { hop, canAnswer: ANSWERED.test(thought), reasoning: thought, missing: thought }
  },
})
