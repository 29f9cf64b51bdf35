/**
 * Which rows could be among the best `depth`, judged by integer scores alone.
 *
 * Let x be a row, y the query, x' and y' their rounded forms; D the integer dot product. Then
 *
 *     x.y - x'.y' = x'.(y - y') + (x - x').y
 *     |score - scale * D| <= |x'| |y - y'| + |x - x'| |y| + rounding of float32
 *
 * so each score lies within its bound of `scale * D`. At least `depth` rows score no less than the `depth`-th highest
 * lower end; a row whose upper end lies below that cannot be among the best. The others are the candidates.
 */
export interface RowBounds {
  /** What a row's integers are multiplied with; 0 for a zero row, which is never a candidate. */
  readonly scale: Float64Array
  readonly size: Float64Array
  readonly error: Float64Array
}

/** The query's side: scale and size of its rounded form, and what is added to the bound per length of a row. */
export interface Bound {
  readonly scale: number
  readonly size: number
  readonly slack: number
}

/** `lower[row] <= cosine <= upper[row]`. */
export interface RowRanges {
  readonly lower: Float64Array
  readonly upper: Float64Array
}

export interface Candidates {
  /** Rows that could be among the best `depth`, ascending; `integers` are the rows' dot products with the query. */
  choose(integers: Int32Array, query: Bound, depth: number, within?: Uint8Array): Uint32Array
  /** Rows that could have the least score, ascending. */
  chooseLeast(integers: Int32Array, query: Bound): Uint32Array
  /** Between what the score of each row lies; 0 for zero rows. Overwritten by the next call. */
  ranges(integers: Int32Array, query: Bound): RowRanges
}

/** Covers what float64 rounds in computing the bounds themselves, and float32 products too small to be normal. */
const MARGIN = 1 + 1e-9
const TINY = 1e-30

export function createCandidates({ scale, size, error }: RowBounds): Candidates {
  const rows = scale.length
  const lower = new Float64Array(rows)
  const upper = new Float64Array(rows)
  const chosen = new Uint32Array(rows)

  function ranges(integers: Int32Array, query: Bound): RowRanges {
    for (let row = 0; row < rows; row++) {
      if (scale[row] === 0) {
        lower[row] = 0
        upper[row] = 0
        continue
      }
      const middle = scale[row] * query.scale * integers[row]
      const bound = (size[row] * query.slack + error[row] * query.size) * MARGIN + TINY
      lower[row] = middle - bound
      upper[row] = middle + bound
    }
    return { lower, upper }
  }

  return {
    ranges,
    choose(integers, query, depth, within) {
      ranges(integers, query)
      const floor = createFloor(Math.min(depth, rows))
      for (let row = 0; row < rows; row++)
        if (scale[row] !== 0 && within?.[row] !== 0) floor.offer(lower[row])
      const least = floor.value()
      let count = 0
      for (let row = 0; row < rows; row++)
        if (upper[row] >= least && scale[row] !== 0 && within?.[row] !== 0) chosen[count++] = row
      return chosen.slice(0, count)
    },
    chooseLeast(integers, query) {
      ranges(integers, query)
      let most = Number.POSITIVE_INFINITY
      for (let row = 0; row < rows; row++) if (scale[row] !== 0 && upper[row] < most) most = upper[row]
      let count = 0
      for (let row = 0; row < rows; row++) if (scale[row] !== 0 && lower[row] <= most) chosen[count++] = row
      return chosen.slice(0, count)
    },
  }
}

/** The `capacity`-th highest of the values offered so far; minus infinity while there are fewer. A heap, least on top. */
function createFloor(capacity: number): { offer(value: number): void; value(): number } {
  const heap = new Float64Array(capacity).fill(Number.NEGATIVE_INFINITY)
  return {
    offer(value) {
      if (!(value > heap[0])) return
      let place = 0
      for (;;) {
        let child = 2 * place + 1
        if (child >= capacity) break
        if (child + 1 < capacity && heap[child + 1] < heap[child]) child++
        if (heap[child] >= value) break
        heap[place] = heap[child]
        place = child
      }
      heap[place] = value
    },
    value: () => heap[0],
  }
}
