import { defineMetric, type Measure, REL, type Reads, type View } from './define.ts'

/**
 * Measures of a trajectory, which is all that an agent read for a question, call by call. A strategy that searches once is a
 * trajectory of one call. A label counts if the tokens read up to and including its passage are within a budget.
 */

/** First readings of the relevant labels, an OR-group by its first member, within the measure's budget. */
function firstReads({ judged, rel }: View, { budget }: Measure): { readonly call: number }[] {
  const { grades, groups } = judged
  const { calls, tokens } = readsOf(judged)
  const first = new Map<number, { readonly call: number; readonly tokens: number }>()
  for (let label = 0; label < grades.length; label++) {
    if (grades[label] < rel || calls[label] === 0 || tokens[label] > Number(budget)) continue
    const group = groups ? groups[label] : label
    const earlier = first.get(group)
    if (!earlier || tokens[label] < earlier.tokens)
      first.set(group, { call: calls[label], tokens: tokens[label] })
  }
  return [...first.values()]
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

const MAX = { summary: 'calls that are counted', default: 10, min: 1, max: 10_000, integer: true } as const
const CALLS = {
  cutoff: 'optional',
  cutoffIn: 'tokens',
  needs: 'tokens',
  bounded: false,
  least: 1,
  better: 'lower',
} as const

/** A call up to `max`, else one more than `max`. */
function callWithin(call: number | undefined, { args }: Measure): number {
  const max = Number(args.max)
  return call !== undefined && call <= max ? call : max + 1
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

  defineMetric({
    ...CALLS,
    name: 'calls_to_first_gold',
    summary:
      'calls until a relevant result is read within a token budget (4,000 by default); `max` + 1 if none is',
    args: { rel: REL, max: MAX },
    score(view, measure) {
      const calls = firstReads(view, measure).map(({ call }) => call)
      return callWithin(calls.length > 0 ? Math.min(...calls) : undefined, measure)
    },
  }),

  defineMetric({
    ...CALLS,
    name: 'calls_to_all_gold',
    summary:
      'calls until every relevant result is read within a token budget (4,000 by default); `max` + 1 if one is missing',
    args: { rel: REL, max: MAX },
    score(view, measure) {
      const calls = firstReads(view, measure).map(({ call }) => call)
      const isWhole = calls.length > 0 && calls.length === view.relevant
      return callWithin(isWhole ? Math.max(...calls) : undefined, measure)
    },
  }),

  defineMetric({
    ...CALLS,
    least: 0,
    name: 'wasted_calls',
    summary: 'calls within a token budget (4,000 by default) that read no new relevant result',
    score(view, measure) {
      const useful = new Set(firstReads(view, measure).map(({ call }) => call))
      const { starts } = readsOf(view.judged)
      return starts.filter((start, at) => start < Number(measure.budget) && !useful.has(at + 1)).length
    },
  }),
]
