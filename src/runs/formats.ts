import { beirRun } from './formats/beir.ts'
import { csv } from './formats/csv.ts'
import { parquet } from './formats/parquet.ts'
import { ranx } from './formats/ranx.ts'
import { trec } from './formats/trec.ts'
import type { RunFormat } from './types.ts'

/** The table of formats of runs and qrels; the first that detects a file reads it. */
export const RUN_FORMATS: readonly RunFormat[] = [parquet, ranx, beirRun, csv, trec]
