import { join } from 'node:path'
import type { Column } from '../tables/column.ts'
import { writeTable } from '../tables/parquet.ts'
import { type CompiledTrial, describeChoice } from './compile.ts'
import type { Labels } from './labels.ts'
import type { Merged } from './merge.ts'
import { portableTrial } from './portable.ts'

/** `trials.parquet`: what was compared; `config` is the file that names them. */
export function writeTrials(folder: string, compiled: readonly CompiledTrial[], config: string): void {
  const trials = compiled.map((trial) => portableTrial(trial, config))
  const json = (make: (trial: CompiledTrial) => unknown) => trials.map((trial) => JSON.stringify(make(trial)))
  writeTable(join(folder, 'trials.parquet'), [
    { name: 'id', type: 'string', values: trials.map(({ id }) => id) },
    { name: 'name', type: 'string', values: trials.map(({ name }) => name) },
    { name: 'strategy', type: 'string', values: trials.map(({ strategy }) => strategy) },
    { name: 'params', type: 'string', values: json(({ params }) => params) },
    { name: 'before', type: 'string', values: json(({ before }) => before.map(describeChoice)) },
    { name: 'after', type: 'string', values: json(({ after }) => after.map(describeChoice)) },
    { name: 'recipe', type: 'int32', values: Int32Array.from(trials, ({ recipe }) => recipe) },
  ])
}

/** `scores.parquet`: one row a (trial, query) that any measure counts, in that order; a column a measure, NaN where it does not count. */
export function writeScores(folder: string, measures: readonly string[], merged: Merged): void {
  const { trials, queries, values } = merged
  const counted = new Int32Array(trials * queries)
  let rows = 0
  for (let cell = 0; cell < counted.length; cell++)
    if (values.some((column) => !Number.isNaN(column[cell]))) counted[rows++] = cell
  const cells = counted.subarray(0, rows)
  const column = (values: Float64Array) => {
    const own = new Float64Array(rows)
    for (let row = 0; row < rows; row++) own[row] = values[cells[row]]
    return own
  }
  writeTable(join(folder, 'scores.parquet'), [
    { name: 'trial', type: 'int32', values: cells.map((cell) => Math.floor(cell / queries)) },
    { name: 'query', type: 'int32', values: cells.map((cell) => cell % queries) },
    ...measures.map((name, measure): Column => ({ name, type: 'number', values: column(values[measure]) })),
  ])
}

/** `gold.parquet`: one row a (trial, label): where it was found, or which stage lost it. */
export function writeGold(
  folder: string,
  trials: readonly CompiledTrial[],
  labels: readonly (readonly Labels[])[],
  merged: Merged,
): void {
  const rows = merged.ranks.length
  const all = merged.labelOffsets[merged.queries]
  const [trialColumn, queryColumn, grades] = [
    new Int32Array(rows),
    new Int32Array(rows),
    new Int32Array(rows),
  ]
  const [judged, stages] = [new Array<string>(rows), new Array<string>(rows)]
  for (let trial = 0; trial < merged.trials; trial++) {
    for (let query = 0; query < merged.queries; query++) {
      const { ids, grades: given } = labels[trials[trial].recipe][query]
      for (let label = 0; label < ids.length; label++) {
        const row = trial * all + merged.labelOffsets[query] + label
        trialColumn[row] = trial
        queryColumn[row] = query
        judged[row] = ids[label]
        grades[row] = given[label]
        stages[row] = trials[trial].stages[merged.stages[row]]
      }
    }
  }
  writeTable(join(folder, 'gold.parquet'), [
    { name: 'trial', type: 'int32', values: trialColumn },
    { name: 'query', type: 'int32', values: queryColumn },
    { name: 'judged', type: 'string', values: judged },
    { name: 'grade', type: 'int32', values: grades },
    { name: 'rank', type: 'int32', values: merged.ranks },
    { name: 'score', type: 'number', values: merged.scores },
    { name: 'stage', type: 'string', values: stages },
  ])
}
