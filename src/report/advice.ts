import type { Latency } from '../results/latency.ts'
import type { Summary, TrialSummary } from '../results/summary.ts'
import { milliseconds, percent } from './numbers.ts'

/** What a condition says of the best trial, and what one would try then. */
export interface Advice {
  readonly observed: string
  readonly likely: string
  readonly next: string
}

/** One row of seed document 001's table "Interpreting results": null where its condition does not hold. */
type Rule = (
  trial: TrialSummary,
  seen: { readonly summary: Summary; readonly latency: Latency | null },
) => Advice | null

/** A gap between two cutoffs, a share of gold and a median time that count as large: conventions, not tests. */
const LARGE = 0.15
const LOW = 0.5
const SLOW = 1000
/** Of the gold that either channel finds: what one alone finds when it finds most, and the other when it adds little. */
const MAX = 0.3
const LITTLE = 0.05

const rankedLow: Rule = ({ measures }) => {
  const [first, ...deeper] = recalls(measures)
  const last = deeper.at(-1)
  if (!first || !last || first.mean >= 0.8 || last.mean - first.mean < LARGE || last.mean < LOW) return null
  return {
    observed: `recall@${first.k} is ${percent(first.mean)}, recall@${last.k} ${percent(last.mean)}`,
    likely: 'gold is found and ranked low',
    next: 'tune weights, or rerank the first ranks',
  }
}

const foundNowhere: Rule = ({ measures }) => {
  const last = recalls(measures).at(-1)
  if (!last || last.mean >= LOW) return null
  return {
    observed: `recall@${last.k}, the deepest that is measured, is ${percent(last.mean)}`,
    likely: 'questions and gold do not share terms, or gold is cut apart',
    next: 'look at lost gold below, then try expansion (with examples of your own), another embedder, or larger chunks',
  }
}

const oneSided =
  (own: string, other: string, advice: Omit<Advice, 'observed'>): Rule =>
  ({ channels }) => {
    const both = channels[[own, other].sort().join('+')] ?? 0
    const [alone, others] = [channels[own] ?? 0, channels[other] ?? 0]
    const all = alone + others + both
    if (all === 0 || (both === 0 && others === 0) || alone / all < MAX || others / all > LITTLE) return null
    const observed = `of the gold that is found, ${percent(alone / all)} % only by the ${own} side, ${percent(others / all)} % only by the ${other} side`
    return { observed, ...advice }
  }

const wordsFindMost = oneSided('lexical', 'dense', {
  likely: 'vectors add little',
  next: 'give words more weight (a lower `alpha`), or try another embedder',
})

const vectorsFindMost = oneSided('dense', 'lexical', {
  likely: 'questions are worded otherwise than the texts',
  next: 'expand the query (synonyms, terms of a model), or give vectors more weight',
})

const slow: Rule = ({ id }, { latency }) => {
  const p50 = latency?.trials.find((trial) => trial.id === id)?.p50.value
  if (p50 === undefined || p50 < SLOW) return null
  return {
    observed: `half of the queries take more than ${milliseconds(p50)}`,
    likely: 'a model is asked on the way, or too much is reranked',
    next: 'a smaller or a local model, or a smaller depth',
  }
}

const RULES: readonly Rule[] = [rankedLow, foundNowhere, wordsFindMost, vectorsFindMost, slow]

/** What holds of a trial, in the order of the table. */
export function adviceOn(trial: TrialSummary, summary: Summary, latency: Latency | null): Advice[] {
  return RULES.flatMap((rule) => rule(trial, { summary, latency }) ?? [])
}

/** Recall at every cutoff that is measured, the smallest first. */
function recalls(measures: TrialSummary['measures']): { readonly k: number; readonly mean: number }[] {
  return Object.entries(measures)
    .flatMap(([name, { mean, n }]) => {
      const k = /^recall@(\d+)$/.exec(name)?.[1]
      return k === undefined || n === 0 || mean === null ? [] : [{ k: Number(k), mean }]
    })
    .sort((a, b) => a.k - b.k)
}
