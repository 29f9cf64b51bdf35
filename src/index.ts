/** Touchstone as a library: run experiments, score and compare runs, retrieve, and write custom strategies. */

export { type Chunker, defineChunker, type Piece } from './corpus/chunks/chunkers/index.ts'
export {
  defineExtractor,
  type Extraction,
  type Extractor,
  type Link,
  type Mention,
} from './corpus/graph/extractors/index.ts'
export { type Diagnostic, formatDiagnostic, UserError } from './errors.ts'
export type { AnswerEvent, AnswerToQuestion as OneAnswer } from './experiment/answer-one.ts'
export type { DatasetRun } from './experiment/run-datasets.ts'
export {
  type ComparedRuns,
  type CompareOptions,
  type CompareRunsOptions,
  compareRuns,
} from './library/compare-runs.ts'
export {
  type AnswerOptions,
  type CacheOptions,
  type CreateRetrieverOptions,
  createRetriever,
  type RetrievedChunk,
  type RetrieveOptions,
  type Retriever,
} from './library/create-retriever.ts'
export { type RecommendedTrial, recommend } from './library/recommend.ts'
export { type WrittenReport, writeReport } from './library/report-file.ts'
export type { RanExperiment } from './library/run-config.ts'
export { type RunExperimentOptions, runExperiment } from './library/run-config.ts'
export type {
  QrelRecord as Judgement,
  QrelsInput as Judgements,
  RetrievedDocument,
  RetrievedRun,
} from './library/score-run.ts'
export { type ScoredRun, type ScoreRunOptions, scoreRun } from './library/score-run.ts'
export { chart, type Shown, type ShownCell as Cell, showTable as table } from './library/show.tsx'
export {
  defineMetric,
  type GradedRanking as Judged,
  type Measure,
  type Metric,
  type Reads,
} from './metrics/define.ts'
export type { DialectName } from './metrics/dialects.ts'
export type { ColumnsOf, Kind as ColumnKind, Words } from './results/columns.ts'
export type { Format } from './results/format.ts'
export type { GraphCost, GraphDescription } from './results/graphs.ts'
export type { Latency, Load, TrialLatency } from './results/latency.ts'
export {
  type AnswerCitations,
  type Breakdown,
  type Diagnostics,
  type GoldRanks as Gold,
  type JudgeReasons,
  type OfAnswers,
  type Rankings,
  type ResultAnswers as Answers,
  type ResultLabels as Labels,
  type ResultQueries as Queries,
  type Results,
  type ResultTexts as Texts,
  type Routes,
  readResults,
  type Walks,
} from './results/read.ts'
export type { Costs, Limits, Reason } from './results/recommend.ts'
export type * from './results/summary.ts'
export { indexes } from './retrieve/custom/indexes.ts'
export { type CustomEmbedder, defineEmbedder, type Vectors } from './retrieve/custom/returned.ts'
export { steps, type Toolkit } from './retrieve/custom/toolkit.ts'
export type { Expression } from './retrieve/step.ts'
export { defineStrategy, type Strategy } from './retrieve/strategies/index.ts'
export {
  defineQueryTransform,
  defineRankingTransform,
  type QueryTransform,
  type RankingTransform,
} from './retrieve/transforms/index.ts'
export type { Comparison, Correction, Verdict } from './statistics/compare.ts'
export type { Percentile } from './statistics/intervals.ts'
export type * from './types.ts'
