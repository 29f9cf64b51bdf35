import { defineMetric, type Measure, REL, type Reads, type View } from './define.ts'

/**
 * Measures of a trajectory, which is all that an agent read for a question, call by call. A strategy that searches once is a
 * trajectory of one call. A label counts if the tokens read up to and including its passage are within a budget.
 */

/** Calls that first read the relevant labels within the measure's budget, an OR-group by its first member. */
function firstReads({ judged, rel }: View, { budget }: Measure): number[] {
  const { grades, groups } = judged
  const { calls, tokens } = readsOf(judged)
  const first = new Map<number, number>()
  for (let label = 0; label < grades.length; label++) {
    if (grades[label] < rel || calls[label] === 0 || tokens[label] > Number(budget)) continue
    const group = groups ? groups[label] : label
    const earlier = first.get(group)
    if (earlier === undefined || tokens[label] < tokens[earlier]) first.set(group, label)
  }
  return [...first.values()].map((label) => calls[label])
}

/** Reads of a query; a ranking is read as one call, its evidence first. */
function readsOf({ reads, tokens, evidenceTokens = 0 }: View['judged']): Reads {
  if (reads) return reads
  if (!tokens) throw new Error('a measure of calls needs the tokens of the ranking')
  return {
    calls: Int32Array.from(tokens, (sum) => (sum === Number.POSITIVE_INFINITY ? 0 : 1)),
    tokens: tokens.map((sum) => sum + evidenceTokens),
    starts: Float64Array.of(0),
  }
}

const CALLS = {
  cutoff: 'optional',
  cutoffIn: 'tokens',
  needs: 'tokens',
  bounded: false,
  better: 'lower',
} as const
const MAX = { summary: 'calls that are counted', default: 10, min: 1, max: 10_000, integer: true } as const

/** Measure of the call, up to `max`, by which gold is read; one more than `max` if it is not. */
function callsTo(name: string, gold: string, callOf: (calls: readonly number[], relevant: number) => number) {
  return {
    ...CALLS,
    name,
    least: 1,
    summary: `calls until ${gold} within a token budget (4,000 by default); \`max\` + 1 if not`,
    args: { rel: REL, max: MAX },
    score(view: View, measure: Measure) {
      const max = Number(measure.args.max)
      const calls = firstReads(view, measure)
      const call = calls.length > 0 ? callOf(calls, view.relevant) : max + 1
      return Math.min(call, max + 1)
    },
  }
}

export const CALL_METRICS = [
  /** recall_by_token@n = relevant read within n tokens / all relevant. A passage read twice counts once and costs twice. */
  defineMetric({
    name: 'recall_by_token',
    summary:
      'share of the relevant results among all that was read within a token budget, repeated passages included',
    cutoffIn: 'tokens',
    needs: 'tokens',
    score: (view, measure) => (view.relevant === 0 ? 0 : firstReads(view, measure).length / view.relevant),
  }),
  defineMetric(callsTo('calls_to_first_gold', 'a relevant result is read', (calls) => Math.min(...calls))),
  defineMetric(
    callsTo('calls_to_all_gold', 'every relevant result is read', (calls, relevant) =>
      calls.length === relevant ? Math.max(...calls) : Number.POSITIVE_INFINITY,
    ),
  ),
  defineMetric({
    ...CALLS,
    name: 'wasted_calls',
    least: 0,
    summary: 'calls within a token budget (4,000 by default) that read no new relevant result',
    score(view, measure) {
      const useful = new Set(firstReads(view, measure))
      const { starts } = readsOf(view.judged)
      return starts.filter((start, at) => start < Number(measure.budget) && !useful.has(at + 1)).length
    },
  }),
]
