import { join } from 'node:path'
import { createWordCodes } from '../../maps.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'
import type { Session } from '../shard/session.ts'
import type { Merged } from './merge.ts'

export function writeRows(session: Session, merged: Merged): void {
  writeScores(session, merged)
  writeGold(session, merged)
}

/** Writes `scores.parquet`: one row per (trial, query) that any measure counts. */
function writeScores({ folder, measures, trials }: Session, { queries, values }: Merged): void {
  const counted = new Int32Array(trials.length * queries)
  let rows = 0
  for (let cell = 0; cell < counted.length; cell++)
    if (values.some((column) => !Number.isNaN(column[cell]))) counted[rows++] = cell
  const cells = counted.subarray(0, rows)
  const column = (values: Float64Array) => {
    const column = new Float64Array(rows)
    for (let row = 0; row < rows; row++) column[row] = values[cells[row]]
    return column
  }
  writeTable(join(folder, 'scores.parquet'), [
    { name: 'trial', type: 'int32', values: cells.map((cell) => Math.floor(cell / queries)) },
    { name: 'query', type: 'int32', values: cells.map((cell) => cell % queries) },
    ...measures.map(
      ({ name }, measure): ParquetColumn => ({ name, type: 'number', values: column(values[measure]) }),
    ),
  ])
}

/** Writes `gold.parquet`: one row per (trial, label) with its rank, or the stage that lost it. */
function writeGold({ folder, trials, corpora }: Session, merged: Merged): void {
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
  const byRecipe = corpora.map(({ labels }) => ({
    queries: labels.flatMap((label, query) => label.ids.map(() => query)),
    judged: labels.flatMap((label) => label.ids.map(ids.codeOf)),
    grades: labels.flatMap((label) => [...label.grades]),
  }))
  trials.forEach(({ recipe, stages: trialStages }, trial) => {
    const begin = trial * all
    trialColumn.fill(trial, begin, begin + all)
    queryColumn.set(byRecipe[recipe].queries, begin)
    judged.set(byRecipe[recipe].judged, begin)
    grades.set(byRecipe[recipe].grades, begin)
    const codes = trialStages.map(names.codeOf)
    for (let row = begin; row < begin + all; row++) stages[row] = codes[merged.stages[row]]
  })
  writeTable(join(folder, 'gold.parquet'), [
    { name: 'trial', type: 'int32', values: trialColumn },
    { name: 'query', type: 'int32', values: queryColumn },
    { name: 'judged', type: 'words', codes: judged, words: ids.words },
    { name: 'grade', type: 'int32', values: grades },
    { name: 'rank', type: 'int32', values: merged.ranks },
    { name: 'score', type: 'number', values: merged.scores, distinct: true },
    { name: 'stage', type: 'words', codes: stages, words: names.words },
  ])
}
