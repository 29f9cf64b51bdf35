import { natural } from '../numbers.ts'
import { countOf, labels, meta, numbers, queries, routes, scoresOf, texts, trials } from './data.ts'
import type { Routed } from './types.d.ts'

export type Exploration = Awaited<ReturnType<typeof explore>>

/** Maximum columns next to the compared trials. */
const COLUMNS = 10

/** Data of the query explorer for two compared trials. */
export async function explore(a: number, b: number) {
  const [all, tried, judged, passages, ranks] = await Promise.all([
    queries(),
    trials(),
    labels(),
    texts(),
    numbers('ranks'),
  ])
  const places = meta.shape.trials
  const others = meta.chosen.filter((trial) => places.includes(trial) && trial !== a && trial !== b)
  const columns = [...new Set([a, b, ...others.slice(0, COLUMNS)])]
  // Best rank of gold by column and query; 0 if not within depth, -1 without gold.
  const best = columns.map(() => new Int32Array(all.id.length).fill(-1))
  const searched = all.text.map((text, query) => `${all.id[query]} ${text}`)
  judged.query.forEach((query, label) => {
    if (judged.grade[label] < 1) return
    const text = judged.text[label]
    if (text >= 0) searched[query] += ` ${passages.title[text]} ${passages.text[text]}`
    columns.forEach((trial, column) => {
      const rank = ranks[label * places.length + places.indexOf(trial)]
      const bestRank = best[column][query]
      best[column][query] = bestRank > 0 && rank > 0 ? Math.min(bestRank, rank) : Math.max(bestRank, rank)
    })
  })
  return {
    queries: all,
    trials: tried,
    best,
    columns,
    scores: [await scoresOf(a, meta.primary), await scoresOf(b, meta.primary)] as const,
    fallbacks: await countOf(a, 'fallbacks'),
    hops: await countOf(a, 'hops'),
    routed: await routes(),
    searched: searched.map((text) => text.toLowerCase()),
  }
}

export const choiceOf = ({ router, arm }: Routed) => `${router}: ${arm}`

/** First query on which the trials differ, or the first of all; -1 for none. */
export function firstFlipped({ scores: [x, y] }: Exploration, rows: readonly number[]): number {
  const isFlipped = (query: number) => Math.abs(x[query] - y[query]) > 0
  return rows.find(isFlipped) ?? rows[0] ?? -1
}

export const OUTCOMES = {
  '': 'all',
  failed: 'first trial fails',
  differs: 'trials differ',
  better: 'first is better',
  worse: 'first is worse',
  tied: 'trials tie',
  fallback: 'first fell back',
} as const

/** Filtered queries, by id or by the widest difference. */
export function filtered(
  { queries: all, trials: tried, scores: [x, y], fallbacks, routed, searched, columns }: Exploration,
  wanted: Readonly<Record<'text' | 'category' | 'outcome' | 'arm' | 'order', string>>,
): number[] {
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean)
  const broken = new Set(tried[columns[0]].failures.map(({ query }) => query))
  const chosen = routed.find((choice) => choiceOf(choice) === wanted.arm)
  const isMatch = (query: number) => {
    if (wanted.category !== '' && all.category[query] !== wanted.category) return false
    if (wanted.arm !== '' && !chosen?.queries.includes(query)) return false
    if (!words.every((word) => searched[query].includes(word))) return false
    switch (wanted.outcome) {
      case 'failed':
        return x[query] === 0 || broken.has(all.id[query])
      case 'differs':
        return x[query] !== y[query] && !(Number.isNaN(x[query]) && Number.isNaN(y[query]))
      case 'better':
        return x[query] > y[query]
      case 'worse':
        return x[query] < y[query]
      case 'tied':
        return x[query] === y[query]
      case 'fallback':
        return (fallbacks(query) ?? 0) > 0
      default:
        return true
    }
  }
  const matches = all.id.flatMap((_, query) => (isMatch(query) ? [query] : []))
  const gap = (query: number) => Math.abs(x[query] - y[query]) || 0
  const byId = (a: number, b: number) => natural(all.id[a], all.id[b]) || a - b
  return matches.sort((a, b) => (wanted.order === 'difference' ? gap(b) - gap(a) : 0) || byId(a, b))
}
