import { UserError } from '../errors.ts'
import { readColumns, type Words } from './columns.ts'

/** Scores by measure: trial x query, row-major; NaN if a query is not judged. */
export async function readScores(
  path: string,
  measures: readonly string[],
  trials: number,
  queries: number,
): Promise<Map<string, Float64Array>> {
  const kinds = {
    trial: 'integer',
    query: 'integer',
    ...Object.fromEntries(measures.map((name) => [name, 'number'])),
  }
  const { rows, ...columns } = await readColumns(path, kinds as Record<string, 'integer' | 'number'>)
  const { trial, query } = columns as Record<string, Int32Array>
  matrixWithin(path, 'trial', trial, trials)
  matrixWithin(path, 'query', query, queries)
  const matrixOf = (name: string) => {
    const [matrix, values] = [new Float64Array(trials * queries).fill(Number.NaN), columns[name]]
    for (let row = 0; row < rows; row++) matrix[trial[row] * queries + query[row]] = values[row]
    return matrix
  }
  return new Map(measures.map((name) => [name, matrixOf(name)]))
}

/** Reads ranks and stages: trial x label, row-major. */
export async function readGold(
  path: string,
  trials: number,
  labels: number,
): Promise<{ rank: Int32Array; stage: Words }> {
  const { rows, rank, stage } = await readColumns(path, { rank: 'integer', stage: 'words' })
  if (rows !== trials * labels)
    throw new UserError({
      file: path,
      message: `has ${rows} rows, but ${trials} trials have ${labels} labels each`,
    })
  return { rank, stage }
}

/** Throws a UserError for a value outside `lowest` to `count`. */
export function matrixWithin(
  path: string,
  column: string,
  positions: Int32Array,
  count: number,
  lowest = 0,
): void {
  for (let row = 0; row < positions.length; row++)
    if (positions[row] < lowest || positions[row] >= count)
      throw new UserError({
        file: path,
        message: `column "${column}", row ${row + 1}: ${positions[row]} is not an index below ${count}`,
      })
}
