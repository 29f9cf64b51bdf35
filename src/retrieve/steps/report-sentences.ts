import { join } from 'node:path'
import { communityReports } from '../../corpus/graph/reports/assemble.ts'
import { analyzer, readTerms, writeTerms } from '../../corpus/lexical/term-counts.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { sentences } from '../../text/sentences.ts'
import { countTerms } from '../../text/term-counts.ts'
import { countTokens } from '../../text/tokens.ts'

/**
 * Reads reports without a model: in place of GraphRAG's map call (points, 0 to 100) and rating call (0 to 5).
 *
 *     score of a sentence  round(100 * distinct query terms in it / distinct query terms)
 *     rating of a report   round(5 * distinct query terms in it / distinct query terms)
 */
interface ReportSentences {
  /** Sentence -> report row, ascending. */
  readonly reports: Uint32Array
  /** Sentences that contain each distinct known term of a text, ascending. */
  matches(text: string): readonly Uint32Array[]
  /** Number of distinct terms of a text, known or not. */
  terms(text: string): number
  text(sentence: number): string
  /** o200k tokens of a sentence. */
  tokens(sentence: number): number
}

const FILE = 'sentences.safetensors'

type Columns = Readonly<Record<'offsets' | 'rows' | 'reports' | 'starts' | 'ends', Uint32Array>>

export function reportSentences(recipe: Recipe): Artifact<ReportSentences> {
  return defineArtifact({
    name: 'report_sentences',
    version: 1,
    params: null,
    inputs: { reports: communityReports(recipe), analyze: analyzer(recipe) },
    async build(folder, inputs) {
      const { contents } = await inputs.reports()
      const spans = contents.flatMap((content, report) =>
        sentences(content).map((span) => ({ report, ...span })),
      )
      const texts = spans.map(({ report, start, end }) => contents[report].slice(start, end))
      const { terms, offsets, rows } = countTerms(texts, await inputs.analyze())
      writeTerms(folder, terms)
      writeArrays(join(folder, FILE), {
        offsets,
        rows,
        reports: Uint32Array.from(spans, ({ report }) => report),
        starts: Uint32Array.from(spans, ({ start }) => start),
        ends: Uint32Array.from(spans, ({ end }) => end),
      })
    },
    async open(folder, inputs) {
      const { offsets, rows, reports, starts, ends } = readArrays<Columns>(join(folder, FILE)).arrays
      const { contents } = await inputs.reports()
      const analyze = await inputs.analyze()
      const numbers = new Map(readTerms(folder).map((term, number) => [term, number]))
      const counted = new Map<number, number>()
      const textOf = (sentence: number) => contents[reports[sentence]].slice(starts[sentence], ends[sentence])
      return {
        reports,
        text: textOf,
        terms: (text) => new Set(analyze(text)).size,
        matches: (text) =>
          [...new Set(analyze(text))]
            .flatMap((term) => numbers.get(term) ?? [])
            .map((term) => rows.subarray(offsets[term], offsets[term + 1])),
        tokens(sentence) {
          const tokens = counted.get(sentence) ?? countTokens(textOf(sentence))
          counted.set(sentence, tokens)
          return tokens
        },
      }
    },
  })
}

/** Maximum points of a report. */
const POINTS = 5

export interface ReportPoint {
  readonly report: number
  readonly sentence: number
  /** 1 to 100. */
  readonly score: number
}

/** Points of the reports in `rows` for a query, best first; ties in sentence order. */
export function extractPoints(
  { reports, matches, terms }: ReportSentences,
  query: string,
  rows: Iterable<number>,
): ReportPoint[] {
  const read = new Set(rows)
  const all = terms(query)
  const hits = new Map<number, number>()
  for (const sentences of matches(query))
    for (const sentence of sentences)
      if (read.has(reports[sentence])) hits.set(sentence, (hits.get(sentence) ?? 0) + 1)
  const points = [...hits].map(([sentence, count]) => ({
    report: reports[sentence],
    sentence,
    score: Math.round((100 * count) / all),
  }))
  points.sort((a, b) => b.score - a.score || a.sentence - b.sentence)
  const counts = new Map<number, number>()
  return points.filter(({ report, score }) => {
    const count = (counts.get(report) ?? 0) + 1
    counts.set(report, count)
    return score > 0 && count <= POINTS
  })
}

/** Rating of each of `size` reports for a query. */
export function rateReports(
  { reports, matches, terms }: ReportSentences,
  query: string,
  size: number,
): Uint8Array {
  const hits = new Uint32Array(size)
  for (const sentences of matches(query))
    for (const report of new Set(Array.from(sentences, (sentence) => reports[sentence]))) hits[report]++
  const all = terms(query)
  return Uint8Array.from(hits, (count) => (all === 0 ? 0 : Math.round((5 * count) / all)))
}
