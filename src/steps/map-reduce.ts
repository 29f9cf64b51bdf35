import { extractPoints, type Point } from '../graph/report-points.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { reportSentences } from '../indexes/report-sentences.ts'
import { communityReports } from '../indexes/reports.ts'
import { EMPTY, rankPairs } from '../ranking/order.ts'
import { countTokens } from '../text/tokens.ts'
import type { Evidence, Query, Ranking } from '../types.ts'
import { MAP_PROMPT, REDUCE_PROMPT } from './global-prompts.ts'
import type { ReportSet } from './select-reports.ts'
import { defineStep } from './step.ts'

/** The points that reach the reduce call, best first, and what map and reduce cost in calls and o200k tokens. */
export interface Mapped {
  readonly points: readonly Point[]
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The most that a reduce call writes. */
const ANSWER_TOKENS = 1000

type Params = { readonly reader: 'extractive'; readonly tokens: number }

/**
 * GraphRAG Global's map and reduce: one map call a batch of reports, points sorted by score, cut at `tokens`, one reduce
 * call where any point is left. The reader is the extractive stand-in: it takes sentences, and its calls and tokens are
 * counted as a model's with the same input would be.
 */
export const mapReduce = defineStep<Params, [Query, ReportSet], ReturnType<typeof needs>, Mapped>({
  name: 'map-reduce',
  version: 1,
  artifacts: needs,
  counts: ({ modelCalls, inputTokens, outputTokens }) => ({ modelCalls, inputTokens, outputTokens }),
  run([{ text }, { batches }], { params, artifacts: { sentences, reports } }) {
    const rows = batches.flat()
    const points = extractPoints(sentences, sentences.matches(text), sentences.terms(text), new Set(rows))
    const question = countTokens(text)
    const tokensOf = ({ sentence }: Point) => sentences.tokens(sentence)
    const mapInput =
      batches.length * (countTokens(MAP_PROMPT) + question) + sum(rows, (row) => reports.tokens[row])
    const mapOutput = sum(points, tokensOf)
    const kept = cut(points, tokensOf, params.tokens)
    const read = sum(kept, tokensOf)
    if (kept.length === 0)
      return { points: kept, modelCalls: batches.length, inputTokens: mapInput, outputTokens: mapOutput }
    return {
      points: kept,
      modelCalls: batches.length + 1,
      inputTokens: mapInput + countTokens(REDUCE_PROMPT) + question + read,
      outputTokens: mapOutput + Math.min(read, ANSWER_TOKENS),
    }
  },
})

/** The reports behind the points: rows are reports, scores that of their best point, 0 to 1. */
export const rankReports = defineStep<null, [Mapped], Record<never, never>, Ranking>({
  name: 'rank-reports',
  version: 1,
  run([{ points }]) {
    if (points.length === 0) return EMPTY
    const best = new Map<number, number>()
    for (const { report, score } of points) if (!best.has(report)) best.set(report, score / 100)
    return rankPairs([...best.keys()], [...best.values()], best.size)
  },
})

/** The points as evidence, those of one report together, reports in order of their best point. */
export const citePoints = defineStep<null, [Mapped], ReturnType<typeof needs>, readonly Evidence[]>({
  name: 'cite-points',
  version: 1,
  artifacts: needs,
  run([{ points }], { artifacts: { sentences, reports } }) {
    const byReport = new Map<number, string[]>()
    for (const { report, sentence } of points) {
      const texts = byReport.get(report) ?? []
      texts.push(sentences.text(sentence))
      byReport.set(report, texts)
    }
    return [...byReport].map(([report, texts]) => {
      const text = texts.join('\n')
      return { kind: 'report', id: reports.ids[report], text, tokens: countTokens(text) }
    })
  },
})

function cut(points: readonly Point[], tokensOf: (point: Point) => number, budget: number): Point[] {
  let left = budget
  const kept: Point[] = []
  for (const point of points) {
    left -= tokensOf(point)
    if (left < 0) break
    kept.push(point)
  }
  return kept
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((total, item) => total + amount(item), 0)
}

function needs(recipe: Recipe) {
  return { sentences: reportSentences(recipe), reports: communityReports(recipe) }
}
