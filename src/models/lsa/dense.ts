/** Columns of a panel: their share of a matrix mostly stays in the processor's cache while a sparse matrix is multiplied. */
export const LANES = 16

/**
 * A matrix in float64 whose columns are a multiple of 16 (zero columns fill up): panels of 16 columns one after the other,
 * each row after row.
 */
export interface Dense {
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
}

export function entryAt(rows: number, row: number, column: number): number {
  const lane = column % LANES
  return (column - lane) * rows + LANES * row + lane
}

export function readRows(
  { rows, columns, values }: Dense,
  from: number,
  count: number,
  to: Float64Array,
): void {
  for (let first = 0; first < columns; first += LANES) {
    let at = first * rows + LANES * from
    for (let row = 0; row < count; row++)
      for (let lane = 0; lane < LANES; lane++) to[row * columns + first + lane] = values[at++]
  }
}

export function writeRows(
  { rows, columns, values }: Dense,
  to: number,
  count: number,
  from: Float64Array,
): void {
  for (let first = 0; first < columns; first += LANES) {
    let at = first * rows + LANES * to
    for (let row = 0; row < count; row++)
      for (let lane = 0; lane < LANES; lane++) values[at++] = from[row * columns + first + lane]
  }
}
