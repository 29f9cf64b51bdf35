/** Measures of retrieval and paired tests, without the rest of Touchstone: `import { scoreRun } from 'touchstone/measures'`. */

export { type Diagnostic, formatDiagnostic, UserError } from './errors.ts'
export {
  type ComparedRuns,
  type CompareOptions,
  type CompareRunsOptions,
  type CompareScoresOptions,
  compareRuns,
  compareScores,
} from './library/compare-runs.ts'
export type { QrelRecord, QrelsInput, RetrievedDocument, RetrievedRun } from './library/score-run.ts'
export { type ScoredRun, type ScoreRunOptions, scoreRun } from './library/score-run.ts'
export type { DialectName } from './metrics/dialects.ts'
export type { Range } from './metrics/range.ts'
export { readQrels, readRun } from './runs/formats.ts'
export type { QrelsFile, ReadOptions, ReadResult, Run, RunEntries, SkippedCounts } from './runs/types.ts'
export type { Comparison, Correction, Verdict } from './statistics/compare.ts'
export { type TTest, type TTestOptions, tTest } from './statistics/intervals.ts'
export type { Clusters } from './statistics/moments.ts'
export { countSigns, pairedDifferences } from './statistics/moments.ts'
export type { KnownIds } from './tables/roles.ts'
export type { Qrels } from './types.ts'
