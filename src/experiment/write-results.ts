import { join } from 'node:path'
import type { Column } from '../tables/column.ts'
import { writeTable } from '../tables/parquet.ts'
import { createWordCodes } from '../text/word-codes.ts'
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
  const all = merged.labelOffsets[merged.queries]
  const column = () => new Int32Array(merged.ranks.length)
  const [trialColumn, queryColumn, judged, grades, stages] = [
    column(),
    column(),
    column(),
    column(),
    column(),
  ]
  const [ids, names] = [createWordCodes(), createWordCodes()]
  // The same for every trial over a recipe's chunks.
  const byRecipe = labels.map((own) => ({
    queries: own.flatMap((one, query) => one.ids.map(() => query)),
    judged: own.flatMap((one) => one.ids.map(ids.codeOf)),
    grades: own.flatMap((one) => [...one.grades]),
  }))
  trials.forEach(({ recipe, stages: own }, trial) => {
    const begin = trial * all
    trialColumn.fill(trial, begin, begin + all)
    queryColumn.set(byRecipe[recipe].queries, begin)
    judged.set(byRecipe[recipe].judged, begin)
    grades.set(byRecipe[recipe].grades, begin)
    const codes = own.map(names.codeOf)
    for (let row = begin; row < begin + all; row++) stages[row] = codes[merged.stages[row]]
  })
  writeTable(join(folder, 'gold.parquet'), [
    { name: 'trial', type: 'int32', values: trialColumn },
    { name: 'query', type: 'int32', values: queryColumn },
    { name: 'judged', type: 'words', codes: judged, words: ids.words },
    { name: 'grade', type: 'int32', values: grades },
    { name: 'rank', type: 'int32', values: merged.ranks },
    { name: 'score', type: 'number', values: merged.scores },
    { name: 'stage', type: 'words', codes: stages, words: names.words },
  ])
}
