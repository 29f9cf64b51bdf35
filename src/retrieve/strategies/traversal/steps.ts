import { ANCHORS, type Anchor, type TraversalIndex, traversalIndex } from '../../../corpus/graph/traversal.ts'
import type { Mask } from '../../../ranking/mask.ts'
import { rankPairs, rankScores } from '../../../ranking/order.ts'
import { entityKey } from '../../../text/entity-key.ts'
import type { Ranking } from '../../../types.ts'
import { defineStep } from '../../step.ts'

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
  artifacts: (recipe, _params: null) => ({ index: traversalIndex(recipe) }),
  counts: ({ found, chunks }: Matches) => {
    const termsWithHits = found.filter(({ rows }) => rows.length > 0).length
    return {
      expandedTerms: found.length,
      termsWithHits,
      chunksWithTerms: chunks,
      termHitRate: found.length > 0 ? termsWithHits / found.length : 0,
    }
  },
  notes: ({ intent, found }: Matches) => ({ intent, terms: found.map(({ term }) => term.text).join(', ') }),
  finds: ({ found }: Matches) => ({ termsWithGold: found.map(({ rows }) => rows) }),
  run: ([expansion]: readonly [Expansion], { artifacts: { index } }) => matchIn(expansion, index),
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
 * Score of each chunk over the terms that match it:
 *
 *     score  = sum over terms of  term * (sum of w(token) + phraseBonus * sum of w(pair)) + sum over its names of index * w(name)
 *              + anchorBonus if it is below a name that the question contains
 *              + coverageBonus * terms that hit it
 *     w(x)   = ln(N / df(x)), or 1 with `idf: none`
 *
 * A token counts once per chunk. `term` and `index` are the policy's.
 */
export const scoreTerms = defineStep({
  name: 'score-terms',
  version: 1,
  channel: 'lexical',
  yields: 'ranking',
  within: true,
  artifacts: (recipe, _params: Scoring) => ({ index: traversalIndex(recipe) }),
  run: ([matches, mask]: readonly [Matches, Mask?], { params, artifacts: { index } }) =>
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
  Record<never, never>,
  Ranking & { readonly paths: Paths }
>({
  name: 'count-paths',
  version: 1,
  yields: 'ranking',
  counts: ({ paths: { byTerms, semantic, overlap } }) => ({ byTerms, semantic, overlap }),
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

/** Index of the dense side's weight for a query's intent. */
export const chooseWeight = defineStep<
  { readonly alphas: readonly number[]; readonly otherwise: number },
  [Expansion],
  Record<never, never>,
  { readonly index: number }
>({
  name: 'choose-weight',
  version: 1,
  run: ([{ alpha }], { params: { alphas, otherwise } }) => ({ index: alphas.indexOf(alpha ?? otherwise) }),
})

/** The ranking with that weight; only that one is computed. */
export const takeWeighted = defineStep<
  null,
  [{ index: number }, ...Ranking[]],
  Record<never, never>,
  Ranking
>({ name: 'take-weighted', version: 1, yields: 'ranking', pick: ({ index }) => index })
