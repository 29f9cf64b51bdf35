import type { Latency } from '../../results/latency.ts'
import type { Summary, TrialSummary } from '../../results/summary.ts'
import { milliseconds, percent } from '../numbers.ts'
import type { PageSection } from './section.tsx'

export function adviceView(
  summary: Summary,
  latency: Latency | null,
  chosen: readonly number[],
): PageSection | null {
  const best = summary.trials[chosen[0] ?? -1]
  const advice = best ? adviceOn(best, summary, latency) : []
  if (advice.length === 0) return null
  const body = (
    <>
      <p>
        Heuristic suggestions for <bdi>{best.name}</bdi>; verify them with another run.
      </p>
      <ul class="findings">
        {advice.map(({ observed, likely, next }) => (
          <li>
            {observed}. Likely: {likely}. Try: {next}.
          </li>
        ))}
      </ul>
    </>
  )
  return { id: 'advice', title: 'What to try next', body, charts: [] }
}

export interface Advice {
  readonly observed: string
  readonly likely: string
  readonly next: string
}

/** Row of seed document 001's table "Interpreting results"; null if its condition does not hold. */
type Rule = (
  trial: TrialSummary,
  seen: { readonly summary: Summary; readonly latency: Latency | null },
) => Advice | null

/** Thresholds: gap between cutoffs, recall, median in milliseconds. */
const LARGE = 0.15
const LOW = 0.5
const SLOW = 1000
/** Shares of gold found by one search alone: minimum, and maximum of the other. */
const MAX = 0.3
const LITTLE = 0.05

const rankedLow: Rule = ({ measures }) => {
  const [first, ...deeper] = recalls(measures)
  const last = deeper.at(-1)
  if (!first || !last || first.mean >= 0.8 || last.mean - first.mean < LARGE || last.mean < LOW) return null
  return {
    observed: `recall@${first.k} is ${percent(first.mean)}, recall@${last.k} ${percent(last.mean)}`,
    likely: 'relevant passages are found but ranked low',
    next: 'tune weights, or rerank the first ranks',
  }
}

const foundNowhere: Rule = ({ measures }) => {
  const last = recalls(measures).at(-1)
  if (!last || last.mean >= LOW) return null
  return {
    observed: `recall@${last.k}, the deepest cutoff measured, is ${percent(last.mean)}`,
    likely: 'questions and relevant passages share few terms, or chunking splits the passages',
    next: 'look at lost gold below, then try query expansion, another embedder, or larger chunks',
  }
}

const oneSided =
  (side: string, other: string, advice: Omit<Advice, 'observed'>): Rule =>
  ({ channels }) => {
    const both = channels[[side, other].sort().join('+')] ?? 0
    const [alone, others] = [channels[side] ?? 0, channels[other] ?? 0]
    const all = alone + others + both
    if (all === 0 || (both === 0 && others === 0) || alone / all < MAX || others / all > LITTLE) return null
    const observed = `${percent(alone / all)} % of the retrieved gold is found only by ${side} search, ${percent(others / all)} % only by ${other} search`
    return { observed, ...advice }
  }

const wordsFindMost = oneSided('lexical', 'dense', {
  likely: 'dense search adds little',
  next: 'give lexical search more weight (a lower `alpha`), or try another embedder',
})

const vectorsFindMost = oneSided('dense', 'lexical', {
  likely: 'questions use other words than the texts',
  next: 'expand the query (synonyms, terms from a model), or give dense search more weight',
})

const slow: Rule = ({ id }, { latency }) => {
  const p50 = latency?.trials.find((trial) => trial.id === id)?.p50.value
  if (p50 === undefined || p50 < SLOW) return null
  return {
    observed: `the median query takes ${milliseconds(p50)} ms`,
    likely: 'a model is called per query, or too many chunks are reranked',
    next: 'use a smaller or local model, or rerank fewer chunks',
  }
}

const RULES: readonly Rule[] = [rankedLow, foundNowhere, wordsFindMost, vectorsFindMost, slow]

export function adviceOn(trial: TrialSummary, summary: Summary, latency: Latency | null): Advice[] {
  return RULES.flatMap((rule) => rule(trial, { summary, latency }) ?? [])
}

/** Recall by cutoff. */
function recalls(measures: TrialSummary['measures']): { readonly k: number; readonly mean: number }[] {
  return Object.entries(measures)
    .flatMap(([name, { mean, n }]) => {
      const k = /^recall@(\d+)$/.exec(name)?.[1]
      return k === undefined || n === 0 || mean === null ? [] : [{ k: Number(k), mean }]
    })
    .sort((a, b) => a.k - b.k)
}
