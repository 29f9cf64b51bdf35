import { createLayout, openKernel } from '../../kernel.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Weighting } from './impacts.ts'

/**
 * Candidates of a query with so many terms that MaxScore drops almost no chunk. A search adds the impact of every
 * posting of its lists, a float32, to the sum of its row. The `depth`-th highest of the maxima of blocks of rows is a
 * bound that the best rows and few others reach. Impacts take 8 bytes a posting with their rows. They are of one weighting,
 * and computed anew for another: a grid over k1 and b keeps them once.
 */
export interface DenseSums {
  /**
   * Writes the rows with the `depth` highest sums of weight times impact to `found`, ascending, with all that rounding may
   * have put below them; returns their number. `weights` by list, each fit for float32 (`fitsFloat32`). `within`: only rows
   * whose byte is not 0.
   */
  candidates(
    weighting: Weighting,
    lists: readonly number[],
    weights: readonly number[],
    depth: number,
    found: Uint32Array,
    within?: Uint8Array,
  ): number
}

type Counts = Pick<TermCounts, 'offsets' | 'rows' | 'lengths'> & { readonly counts: ArrayLike<number> }

interface SumsKernel {
  add(sums: number, rows: number, impacts: number, count: number, weight: number): void
  maxima(sums: number, size: number, maxima: number, blocks: number): void
}

/** Postings that fit in a kernel's memory. */
export const MAX_POSTINGS = 2 ** 28
/** Rounding of float32. */
const ROUNDING = 2 ** -23
/** Blocks for each row that is asked for, and the fewest and the most rows of a block. */
const BLOCKS = 8
const SMALLEST = 4
const LARGEST = 64
/** Steps of the histogram in which the `depth`-th highest maximum is looked up. */
const STEPS = 1024

/** True for weights above 0 whose products with impacts neither vanish nor overflow in float32. */
export function fitsFloat32(weight: number): boolean {
  return weight > 2 ** -40 && weight < 2 ** 40
}

/** Sums over postings whose frequencies are whole numbers, or fractions if fields are weighted. */
export function createDenseSums(counts: Counts): DenseSums {
  const { offsets, rows, counts: frequencies } = counts
  const chunks = counts.lengths.length
  const layout = createLayout()
  // A block may end behind the last row.
  const sumsAt = layout.reserve(4 * (chunks + LARGEST))
  const maximaAt = layout.reserve(4 * Math.ceil(chunks / SMALLEST))
  const rowsAt = layout.reserve(4 * rows.length)
  const impactsAt = layout.reserve(4 * rows.length)
  const { functions, memory } = openKernel<SumsKernel>(
    new URL('./sums.wasm', import.meta.url),
    layout.bytes(),
  )
  const sums = new Float32Array(memory, sumsAt, chunks)
  new Uint32Array(memory, rowsAt, rows.length).set(rows)
  const impacts = new Float32Array(memory, impactsAt, rows.length)
  const histogram = new Uint32Array(STEPS)
  let computed: Weighting | undefined

  function computeImpacts(weighting: Weighting): void {
    const { norms, gain } = weighting
    for (let at = 0; at < rows.length; at++)
      impacts[at] = (frequencies[at] * gain) / (frequencies[at] + norms[rows[at]])
    computed = weighting
  }

  /** Lower bound, and nearly the value, of the `depth`-th highest value; 0 if there are fewer. */
  function reached(values: Float32Array, depth: number, top: number): number {
    histogram.fill(0)
    const scale = STEPS / top
    for (let i = 0; i < values.length; i++) histogram[Math.min(STEPS - 1, Math.floor(values[i] * scale))]++
    let step = STEPS
    for (let seen = 0; seen < depth && step > 0; ) seen += histogram[--step]
    return step / scale
  }

  return {
    candidates(weighting, lists, weights, depth, found, within) {
      if (computed !== weighting) computeImpacts(weighting)
      lists.forEach((term, place) => {
        const at = 4 * offsets[term]
        const length = offsets[term + 1] - offsets[term]
        functions.add(sumsAt, rowsAt + at, impactsAt + at, length, weights[place])
      })
      if (within) for (let row = 0; row < chunks; row++) if (within[row] === 0) sums[row] = 0
      const fours = Math.floor(chunks / (BLOCKS * depth * SMALLEST))
      const size = Math.max(SMALLEST, Math.min(LARGEST, fours * SMALLEST))
      const maxima = new Float32Array(memory, maximaAt, Math.ceil(chunks / size))
      functions.maxima(sumsAt, size, maximaAt, maxima.length)
      let top = 0
      for (let at = 0; at < maxima.length; at++) top = Math.max(top, maxima[at])
      // Each of the two sums that are compared is off by half of it.
      const slack = 2 * (lists.length + 4) * ROUNDING * top
      const least = top === 0 ? 0 : reached(maxima, depth, top) - slack
      let count = 0
      for (let at = 0; at < maxima.length; at++) {
        if (maxima[at] < least || maxima[at] === 0) continue
        const end = Math.min((at + 1) * size, chunks)
        for (let row = at * size; row < end; row++)
          if (sums[row] >= least && sums[row] > 0) found[count++] = row
      }
      sums.fill(0)
      return count
    },
  }
}
