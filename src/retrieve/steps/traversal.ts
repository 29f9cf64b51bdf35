import { z } from 'zod'
import { findTitles, indexNames, longestSpans, type Titles } from '../../corpus/graph/titles.ts'
import { ANCHORS, type Anchor, type TraversalIndex, traversalIndex } from '../../corpus/graph/traversal.ts'
import { oncePer } from '../../maps.ts'
import { BadCompletion, listOf, Unasked } from '../../models/chat/json.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankPairs, rankScores } from '../../ranking/order.ts'
import { hashFile } from '../../store/input.ts'
import { readYaml } from '../../store/yaml-input.ts'
import { entityKey, spacedKey, writtenKey } from '../../text/entity-key.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query, Ranking } from '../../types.ts'
import { intentOf, type Policies, ruledTerms } from '../router/intents.ts'
import { defineStep } from '../step.ts'
import { type Asked, defineAsking } from './asking.ts'

/** The deterministic side of seed document 001: terms looked up in indexes, all at once. */
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
  /** All of these together. */
  readonly rows: Uint32Array
}

interface Matches extends Pick<Expansion, 'intent' | 'indexes'> {
  readonly found: readonly Found[]
  /** Number of chunks that any term hit. */
  readonly chunks: number
}

/** Matches of each term: tokens, pairs of neighbouring tokens, and whole terms as names. */
export const matchTerms = defineStep({
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
  const found = terms.map((term) => {
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
  return { intent, indexes, found, chunks: unionOf(found.map(({ rows }) => rows)).length }
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
export const scoreTerms = defineStep({
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

/** Number of chunks that each path found, and that both found. */
interface Paths {
  readonly byTerms: number
  readonly semantic: number
  readonly overlap: number
}

/** The fused list, counted by path; with `requireBoth` only what both paths found. */
export const countPaths = defineStep<
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
    const kept = [...rows.keys()].filter((i) => both.has(rows[i]))
    const ranking = rankPairs(
      kept.map((i) => rows[i]),
      kept.map((i) => scores[i]),
      kept.length,
    )
    return { ...ranking, paths }
  },
})

export const chooseWeight = defineStep<
  { readonly alphas: readonly number[]; readonly otherwise: number },
  [Expansion],
  { readonly index: number }
>({
  name: 'choose-weight',
  run: ([{ alpha }], { params: { alphas, otherwise } }) => ({ index: alphas.indexOf(alpha ?? otherwise) }),
})

export const takeWeighted = defineStep<null, [{ index: number }, ...Ranking[]], Ranking>({
  name: 'take-weighted',
  yields: 'ranking',
  pick: ({ index }) => index,
})

/** A question and the terms that one would search for, shown to a model before it is asked for others. */
const example = z.strictObject({
  question: z.string().min(1).max(1000),
  terms: z.array(z.string().min(1).max(200)).min(1).max(50),
})

const examplesSchema = z.array(example).min(1).max(100)

type ExpansionExample = z.output<typeof example>

/** Built-in examples, independent of the corpus: a name that is just described, a procedure, a comparison. */
const OWN: readonly ExpansionExample[] = [
  {
    question: 'Who wrote the novel about the whale that Gregory Peck hunts in the film?',
    terms: ['Moby-Dick', 'Herman Melville', 'Gregory Peck', 'Moby Dick (1956 film)', 'Captain Ahab'],
  },
  {
    question: 'How do I make a function run again when the network fails?',
    terms: ['retry', 'exponential backoff', 'timeout', 'error handling', 'network error'],
  },
  {
    question: 'Is the train or the bus faster from the airport to the old town?',
    terms: ['airport train', 'airport bus', 'travel time', 'old town station', 'timetable'],
  },
]

const WHAT = 'examples of expanded questions'

/** The examples in a YAML or JSON file; without one, those that come with Touchstone. */
export function readExamples(path: string | undefined): readonly ExpansionExample[] {
  return path === undefined ? OWN : readYaml(path, examplesSchema, WHAT).value
}

export function hashExamples(path: string | undefined): Readonly<Record<string, string>> {
  return path === undefined ? {} : { examples: hashFile(path, WHAT) }
}

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

const schema = (most: number) => z.strictObject({ terms: listOf(z.string(), most) })

export const askTerms = defineAsking({
  name: 'ask-terms',
  facts: ({ terms, unread }: AskedTerms) => ({ notes: { 'terms of the model': unread ?? terms.join(', ') } }),
  async ask(
    chat,
    [{ text }]: [Query],
    { params: { template, seed, terms: most, policies, examples } }: { readonly params: AskParams },
  ): Promise<AskedTerms> {
    const shown = examples.map(
      ({ question, terms }) => `Question: ${question}\n${JSON.stringify({ terms: terms.slice(0, most) })}`,
    )
    const values = {
      query: withoutMarks(text),
      intent: intentOf(text, policies).name,
      terms: String(most),
      examples: shown.join('\n\n'),
    }
    try {
      const { terms } = await chat.json({ template, values, seed }, schema(most))
      const named = terms.map((term) => term.trim().slice(0, LONGEST)).filter((term) => term !== '')
      return { terms: [...new Set(named)].slice(0, most), unread: null }
    } catch (error) {
      if (!(error instanceof BadCompletion) || error instanceof Unasked) throw error
      return { terms: [], unread: error.message }
    }
  },
})

const LONGEST = 200

export const EXPANDERS = ['rules', 'words'] as const

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
    [query, asked]: [Query, AskedTerms?],
    { params: { expander, terms: limit, policies }, artifacts: { index } },
  ) {
    const text = query.lexical ?? query.text
    const { name, indexes, alpha } = intentOf(query.text, policies)
    const named = expander === 'rules' ? [...listed(), ...namesIn(text, index), ...added(text, policies)] : []
    for (const term of asked?.terms ?? []) named.push({ text: term, runs: index.runs(term), from: 'model' })
    const words = index.runs(text).map((run): Term => ({ text: run.join(' '), runs: [run], from: 'words' }))
    const terms = [...distinct(named).slice(0, limit), ...distinct(words)]
    return { intent: name, indexes, alpha, terms, ...(asked && { unread: asked.unread }) }

    function listed(): Term[] {
      return namesOf(text, [listedNames(policies)], index)
    }

    function added(text: string, policies: Policies): Term[] {
      return ruledTerms(text, policies).map((term) => ({ text: term, runs: index.runs(term), from: 'rule' }))
    }
  },
})

/** Names of the corpus in a text, in their order, the longest of those that overlap. */
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
