import { z } from 'zod'
import { findTitles, indexNames, longestSpans, type Titles } from '../../corpus/graph/titles.ts'
import { ANCHORS, type Anchor, type TraversalIndex, traversalIndex } from '../../corpus/graph/traversal.ts'
import { UserError } from '../../errors.ts'
import { oncePer } from '../../maps.ts'
import { BadCompletion, listOf } from '../../models/chat/json.ts'
import { promptFiles } from '../../models/prompts/prompt.ts'
import { FUSIONS } from '../../ranking/fuse.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankPairs, rankScores } from '../../ranking/order.ts'
import { entityKey, spacedKey, writtenKey } from '../../text/entity-key.ts'
import type { Query, Ranking } from '../../types.ts'
import {
  type ExpansionExample,
  hashExamples,
  hashPolicies,
  intentOf,
  POLICY_SETS,
  type Policies,
  readExamples,
  readPolicies,
  ruledTerms,
} from '../router/intents.ts'
import { defineStep } from '../step.ts'
import { type Asked, askedRole, defineAsking, readable, refuseIdleRole, roleParams } from '../steps/asking.ts'
import { fuseSides } from '../steps/combine.ts'
import { filePath, LIST_NORMS, pool, refuser, share, weight } from '../steps/params.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

export interface Term {
  readonly text: string
  /** Its tokens in runs: only within one are two of them neighbours. */
  readonly runs: readonly (readonly string[])[]
  /** A name of the corpus in the question, the question's own words, a rule, or a model. */
  readonly from: 'name' | 'words' | 'rule' | 'model'
}

export interface Expansion {
  readonly intent: string
  /** Weight of a match per index; 1 by default. */
  readonly indexes: Readonly<Partial<Record<'term' | Anchor, number>>>
  /** Weight of the dense side in the intent's policy. */
  readonly alpha?: number
  readonly terms: readonly Term[]
  /** Reason why a model's completion gave no terms; absent if no model was asked. */
  readonly unread?: string | null
}

/** Rows are chunks', ascending. */
interface Found {
  readonly term: Term
  readonly tokens: readonly Uint32Array[]
  readonly pairs: readonly Uint32Array[]
  readonly anchors: readonly { readonly anchor: Anchor; readonly rows: Uint32Array }[]
  readonly rows: Uint32Array
}

interface Matches extends Pick<Expansion, 'intent' | 'indexes'> {
  readonly found: readonly Found[]
  readonly chunks: number
}

/** Matches of each term: tokens, pairs of neighbouring tokens, and whole terms as names. */
const matchTerms = defineStep({
  name: 'match-terms',
  version: 2,
  artifacts: (recipe) => ({ index: traversalIndex(recipe) }),
  facts({ intent, found, chunks }: Matches) {
    const termsWithHits = found.filter(({ rows }) => rows.length > 0).length
    return {
      counts: {
        expandedTerms: found.length,
        termsWithHits,
        chunksWithTerms: chunks,
        termHitRate: found.length > 0 ? termsWithHits / found.length : 0,
      },
      notes: { intent, terms: found.map(({ term }) => term.text).join(', ') },
      finds: { termsWithGold: found.map(({ rows }) => rows) },
    }
  },
  run: ([expansion]: [Expansion], { artifacts: { index } }) => matchIn(expansion, index),
})

export function matchIn({ intent, indexes, terms }: Expansion, index: TraversalIndex): Matches {
  const matches = terms.map((term) => {
    const key = entityKey(term.text)
    const tokens = term.runs.flat().map(index.holding)
    const pairs = term.runs.flatMap((run) => run.slice(1).map((token, i) => index.holdingPair(run[i], token)))
    const anchors = ANCHORS.map((anchor) => ({
      anchor,
      rows: Uint32Array.from(index.anchors[anchor].rows.get(key) ?? []),
    }))
    const rows = unionOf([...tokens, ...anchors.map(({ rows }) => rows)])
    return { term, tokens, pairs, anchors, rows }
  })
  return { intent, indexes, found: matches, chunks: unionOf(matches.map(({ rows }) => rows)).length }
}

function unionOf(lists: readonly Uint32Array[]): Uint32Array {
  return Uint32Array.from(new Set(lists.flatMap((list) => [...list]))).sort()
}

type Scoring = {
  readonly idf: 'log' | 'none'
  readonly phraseBonus: number
  readonly anchorBonus: number
  readonly coverageBonus: number
  readonly depth: number
}

/**
 * Score of each chunk (docs/definitions.md); a token counts once per chunk.
 *
 *     sum over terms of  term * (sum of w(token) + phraseBonus * sum of w(pair)) + sum over its names of index * w(name)
 *     + anchorBonus if it is below a name in the question + coverageBonus * terms that hit it;  w(x) = ln(N / df(x)) or 1
 */
const scoreTerms = defineStep({
  name: 'score-terms',
  channel: 'lexical',
  within: true,
  artifacts: (recipe, _: Scoring) => ({ index: traversalIndex(recipe) }),
  run: ([matches, mask]: [Matches, Mask?], { params, artifacts: { index } }) =>
    rankScores(scoresOf(matches, index.chunks, params), params.depth, { above: 0, within: mask?.kept }),
})

export function scoresOf(
  { found, indexes }: Matches,
  chunks: number,
  { idf, phraseBonus, anchorBonus, coverageBonus }: Omit<Scoring, 'depth'>,
): Float64Array {
  const scores = new Float64Array(chunks)
  const anchored = new Set<number>()
  const add = (rows: Uint32Array, factor: number) => {
    if (rows.length === 0) return
    const weight = factor * (idf === 'log' ? Math.log(chunks / rows.length) : 1)
    for (const row of rows) scores[row] += weight
  }
  for (const { term, tokens, pairs, anchors, rows } of found) {
    for (const rows of tokens) add(rows, indexes.term ?? 1)
    for (const rows of pairs) add(rows, (indexes.term ?? 1) * phraseBonus)
    for (const { anchor, rows } of anchors) add(rows, indexes[anchor] ?? 1)
    for (const row of rows) scores[row] += coverageBonus
    if (term.from === 'name') for (const { rows } of anchors) for (const row of rows) anchored.add(row)
  }
  for (const row of anchored) scores[row] += anchorBonus
  return scores
}

interface Paths {
  readonly byTerms: number
  readonly semantic: number
  readonly overlap: number
}

/** The fused list, counted by path; with `requireBoth` only what both paths found. */
const countPaths = defineStep<
  { readonly requireBoth: boolean },
  [Ranking, Ranking, Ranking],
  Ranking & { readonly paths: Paths }
>({
  name: 'count-paths',
  yields: 'ranking',
  facts: ({ paths: { byTerms, semantic, overlap } }) => ({ counts: { byTerms, semantic, overlap } }),
  run([{ rows, scores }, byTerms, semantic], { params: { requireBoth } }) {
    const other = new Set(semantic.rows)
    const both = new Set(byTerms.rows.filter((row) => other.has(row)))
    const paths = { byTerms: byTerms.rows.length, semantic: semantic.rows.length, overlap: both.size }
    if (!requireBoth) return { rows, scores, paths }
    const inBoth = [...rows.keys()].filter((i) => both.has(rows[i]))
    const ranking = rankPairs(
      inBoth.map((i) => rows[i]),
      inBoth.map((i) => scores[i]),
      inBoth.length,
    )
    return { ...ranking, paths }
  },
})

const chooseWeight = defineStep<
  { readonly alphas: readonly number[]; readonly otherwise: number },
  [Expansion],
  { readonly index: number }
>({
  name: 'choose-weight',
  run: ([{ alpha }], { params: { alphas, otherwise } }) => ({ index: alphas.indexOf(alpha ?? otherwise) }),
})

const takeWeighted = defineStep<null, [{ index: number }, ...Ranking[]], Ranking>({
  name: 'take-weighted',
  yields: 'ranking',
  pick: ({ index }) => index,
})

type AskParams = Asked & {
  readonly terms: number
  readonly policies: Policies
  readonly examples: readonly ExpansionExample[]
}

/** Terms that a model would search for; none, and why, where its answer could not be read. */
interface AskedTerms {
  readonly terms: readonly string[]
  readonly unread: string | null
}

const askTerms = defineAsking<AskParams, [Query], AskedTerms>({
  name: 'ask-terms',
  facts: ({ terms, unread }) => ({ notes: { 'terms of the model': unread ?? terms.join(', ') } }),
  async ask(chat, [{ text }], { params: { terms: most, policies, examples } }) {
    const shown = examples.map(
      ({ question, terms }) => `Question: ${question}\n${JSON.stringify({ terms: terms.slice(0, most) })}`,
    )
    const form = z.strictObject({ terms: listOf(z.string(), most) })
    const said = await readable(
      chat.json(form, {
        intent: intentOf(text, policies).name,
        terms: String(most),
        examples: shown.join('\n\n'),
      }),
    )
    if (said instanceof BadCompletion) return { terms: [], unread: said.message }
    const named = said.terms.map((term) => term.trim().slice(0, LONGEST)).filter((term) => term !== '')
    return { terms: [...new Set(named)].slice(0, most), unread: null }
  },
})

const LONGEST = 200

const EXPANDERS = ['rules', 'words'] as const

type Params = {
  readonly expander: (typeof EXPANDERS)[number]
  readonly terms: number
  readonly policies: Policies
}

/**
 * Search terms: names of the policies and the corpus in the question, terms of rules or a model, and the question's
 * words in runs between stop words. A question with nothing but its words counts as `unexpanded`.
 */
export const expandTerms = defineStep({
  name: 'expand-terms',
  version: 2,
  artifacts: (recipe, _: Params) => ({ index: traversalIndex(recipe) }),
  facts: ({ terms, unread }: Expansion) => ({
    counts: { unexpanded: terms.every(({ from }) => from === 'words') ? 1 : 0 },
    fellBack: unread ? 'no terms of the model could be read' : null,
  }),
  run(
    [query, askedTermList]: [Query, AskedTerms?],
    { params: { expander, terms: limit, policies }, artifacts: { index } },
  ) {
    const text = query.lexical ?? query.text
    const { name, indexes, alpha } = intentOf(query.text, policies)
    const named = expander === 'rules' ? [...listed(), ...namesIn(text, index), ...added(text, policies)] : []
    for (const term of askedTermList?.terms ?? [])
      named.push({ text: term, runs: index.runs(term), from: 'model' })
    const words = index.runs(text).map((run): Term => ({ text: run.join(' '), runs: [run], from: 'words' }))
    const terms = [...distinct(named).slice(0, limit), ...distinct(words)]
    return { intent: name, indexes, alpha, terms, ...(askedTermList && { unread: askedTermList.unread }) }

    function listed(): Term[] {
      return namesOf(text, [listedNames(policies)], index)
    }

    function added(text: string, policies: Policies): Term[] {
      return ruledTerms(text, policies).map((term) => ({ text: term, runs: index.runs(term), from: 'rule' }))
    }
  },
})

function namesIn(text: string, index: TraversalIndex): Term[] {
  return namesOf(
    text,
    ANCHORS.map((anchor) => index.anchors[anchor]),
    index,
  )
}

const listedNames = oncePer(({ names = {} }: Policies): Titles => indexNames([Object.values(names).flat()]))

function namesOf(text: string, titles: readonly Titles[], { runs }: TraversalIndex): Term[] {
  const words = spacedKey(text).split(' ')
  const spans = longestSpans(titles.flatMap((index) => findTitles(text, index)))
  return spans
    .sort((a, b) => a.start - b.start)
    .map(({ start, words: count }) => writtenKey(words.slice(start, start + count).join(' ')))
    .filter((name) => runs(name).length > 0)
    .map((name) => ({ text: name, runs: runs(name), from: 'name' }))
}

function distinct(terms: readonly Term[]): Term[] {
  const keys = terms.map(({ text }) => entityKey(text))
  return terms.filter((_, place) => keys.indexOf(keys[place]) === place)
}

const HOLES = ['query']

const params = z
  .strictObject({
    policies: z
      .string()
      .min(1)
      .default(POLICY_SETS[0])
      .meta({ path: POLICY_SETS })
      .describe(
        `intents with their weights, and rules that add terms: ${POLICY_SETS.join(', ')} or a YAML file`,
      ),
    expander: z
      .enum(EXPANDERS)
      .default('rules')
      .describe("names of the corpus, rules and the question's words; or only the words"),
    terms: z
      .int()
      .min(0)
      .max(1000)
      .default(7)
      .describe("maximum number of terms added to the question's words"),
    idf: z
      .enum(['log', 'none'])
      .default('log')
      .describe(
        'weight of a token, pair or name: ln(N/n), or 1 as in the first version of the seed document',
      ),
    phraseBonus: weight(1, 'weight of two neighbouring tokens of a term that are neighbours in the chunk'),
    anchorBonus: weight(1, 'added to a chunk under a title, entity, tag or trait that is in the question'),
    coverageBonus: weight(0.1, 'added for each term that occurs in the chunk, at least in part'),
    alpha: share(0.5, "weight of dense search; an intent's policy may override it; weighted and rrf only"),
    fusion: z.enum(FUSIONS).default('weighted').describe('fusion of the two lists'),
    norm: z
      .enum(LIST_NORMS)
      .default('minmax')
      .describe('normalisation of scores to one scale; rrf ignores it'),
    rrfK: weight(60, 'constant added to ranks; rrf only', 10_000),
    ...roleParams('names further terms for a question', HOLES),
    examples: filePath(
      'a YAML file of questions with their terms, shown to the model; default: built-in examples',
    ),
    requireBothPaths: z.boolean().default(false).describe('keep only chunks that both paths found'),
    pool: pool(30),
  })
  .superRefine((params, context) => {
    const { requireBothPaths, alpha, fusion } = params
    const refuse = refuser(context)
    refuseIdleRole(params, context)
    if (params.examples !== undefined && params.model === undefined)
      refuse('examples', 'are for a `model`, and none is named')
    if (requireBothPaths && weighs(fusion) && isOnePath(alpha))
      refuse('requireBothPaths', `needs both paths, and \`alpha: ${alpha}\` leaves one out`)
  })

export default defineStrategy({
  name: 'traversal',
  summary: "the question's terms looked up at once in several indexes, fused with dense search",
  source: 'seed document 001, Hybrid Parallel Retrieval',
  params,
  files: (params) => ({
    ...promptFiles(HOLES)(params),
    ...hashPolicies(params.policies),
    ...hashExamples(params.examples),
  }),
  make: (params) => ({
    retrieve(query) {
      const { policies: path, expander, terms, fusion, norm, rrfK, pool: depth } = params
      const policies = readPolicies(path)
      const role = askedRole(params, 'expand-terms')
      const askedTerms =
        role && askTerms([query], { ...role, terms, policies, examples: readExamples(params.examples) })
      const sources = askedTerms ? ([query, askedTerms] as const) : ([query] as const)
      const expansion = expandTerms(sources, { expander, terms, policies })
      const { idf, phraseBonus, anchorBonus, coverageBonus } = params
      const scoring = { idf, phraseBonus, anchorBonus, coverageBonus, depth }
      const byTerms = scoreTerms([matchTerms([expansion])], scoring)
      const semantic = searchQuery(query, depth)
      const fused = (alpha: number) => {
        const sides = [
          { ranking: byTerms, weight: 1 - alpha },
          { ranking: semantic, weight: alpha },
        ]
        const ranking = fuseSides(sides, fusion === 'rrf' ? { fusion, rrfK } : { fusion, norm })
        if (isOnePath(alpha)) return ranking
        return countPaths([ranking, byTerms, semantic], { requireBoth: params.requireBothPaths })
      }
      if (params.requireBothPaths && weighs(fusion)) refuseOnePath(policies, path)
      const alphas = weighs(fusion) ? alphasOf(policies, params.alpha) : [0.5]
      if (alphas.length === 1) return { ranking: fused(alphas[0]) }
      const chosen = chooseWeight([expansion], { alphas, otherwise: params.alpha })
      return { ranking: takeWeighted([chosen, ...alphas.map(fused)]) }
    },
  }),
})

function weighs(fusion: (typeof FUSIONS)[number]): boolean {
  return fusion === 'weighted' || fusion === 'rrf'
}

function isOnePath(alpha: number): boolean {
  return alpha === 0 || alpha === 1
}

function refuseOnePath({ intents, otherwise }: Policies, path: string): void {
  for (const { name, alpha } of [...intents, otherwise])
    if (alpha !== undefined && isOnePath(alpha))
      throw new UserError(
        `traversal: \`requireBothPaths\` needs both paths, and \`alpha: ${alpha}\` of the intent \`${name}\` in ${path} leaves one out`,
      )
}

function alphasOf({ intents, otherwise }: Policies, alpha: number): number[] {
  return [...new Set([...intents, otherwise].map((policy) => policy.alpha ?? alpha))]
}
