import { join } from 'node:path'
import { communityReports } from '../../corpus/graph/reports/assemble.ts'
import { analyzer, readTerms, writeTerms } from '../../corpus/lexical/term-counts.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { sentences } from '../../text/sentences.ts'
import { countTerms } from '../../text/term-counts.ts'
import type { Analyzer } from '../../text/tokenize.ts'
import { countTokens } from '../../text/tokens.ts'

interface ReportSentences {
  /** Sentence -> report row, ascending. */
  readonly reports: Uint32Array
  /** Sentences that contain each distinct known term of a text, ascending. */
  matches(text: string): readonly Uint32Array[]
  /** Number of distinct terms of a text, known or not. */
  terms(text: string): number
  text(sentence: number): string
  /** o200k tokens of a sentence, counted at the first call. */
  tokens(sentence: number): number
}

const FILE = 'sentences.safetensors'

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
      const arrays = readArrays<Columns>(join(folder, FILE)).arrays
      const { contents } = await inputs.reports()
      return createReportSentences(readTerms(folder), arrays, contents, await inputs.analyze())
    },
  })
}

interface Columns {
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
  readonly reports: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

function createReportSentences(
  terms: readonly string[],
  { offsets, rows, reports, starts, ends }: Columns,
  contents: readonly string[],
  analyze: Analyzer,
): ReportSentences {
  const numbers = new Map(terms.map((term, number) => [term, number]))
  const counted = new Map<number, number>()
  const text = (sentence: number) => contents[reports[sentence]].slice(starts[sentence], ends[sentence])
  return {
    reports,
    text,
    terms: (of) => new Set(analyze(of)).size,
    matches(of) {
      const terms = [...new Set(analyze(of))].flatMap((term) => numbers.get(term) ?? [])
      return terms.map((term) => rows.subarray(offsets[term], offsets[term + 1]))
    },
    tokens(sentence) {
      let tokens = counted.get(sentence)
      if (tokens === undefined) {
        tokens = countTokens(text(sentence))
        counted.set(sentence, tokens)
      }
      return tokens
    },
  }
}
