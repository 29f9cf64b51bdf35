/** Touchstone as a library: run experiments, score runs, and write strategies of one's own. */

export type { Experiment } from './config/experiment.ts'
export { loadConfig } from './config/load.ts'
export { type DatasetExperiment, splitDatasets } from './config/split-datasets.ts'
export { loadDataset } from './dataset/load.ts'
export type { Dataset } from './dataset/types.ts'
export { formatMistake, type Mistake, UserError } from './errors.ts'
export { defineExtractor, type Extraction, type Extractor } from './graph/extractors/define.ts'
export { defineMetric, type Judged, type Measure, type Metric } from './metrics/define.ts'
export { evaluate as score, meanOf } from './metrics/evaluate.ts'
export { parseMeasure, parseMeasures } from './metrics/parse.ts'
export { type OpenExperiment, openExperiment, prepareAll } from './plan/open.ts'
export { type Chunker, defineChunker, type Piece } from './prepare/chunkers/define.ts'
export { renderReport } from './report/page.ts'
export { type MacroSummary, readMacro } from './results/macro.ts'
export { type Results, readResults } from './results/read.ts'
export type { Manifest, Summary } from './results/summary.ts'
export { defineEmbedder, type OwnEmbedder } from './retrieve/own/embedder.ts'
export { indexes } from './retrieve/own/indexes.ts'
export { steps, type Toolkit } from './retrieve/own/toolkit.ts'
export type { Expression } from './retrieve/step.ts'
export { defineStrategy, type Strategy } from './retrieve/strategies/define.ts'
export {
  defineQueryTransform,
  defineRankingTransform,
  type QueryTransform,
  type RankingTransform,
} from './retrieve/transforms/define.ts'
export { type Asked, ask } from './run/ask.ts'
export type { Executor } from './run/executors/executor.ts'
export { inProcess } from './run/executors/in-process.ts'
export { threads } from './run/executors/threads.ts'
export { type RunOptions, type RunOutcome, run } from './run/run.ts'
export { type DatasetsOutcome, runDatasets } from './run/run-datasets.ts'
export { compareTrials } from './statistics/compare.ts'
export { openStore, type Store } from './store/store.ts'
export type * from './types.ts'
