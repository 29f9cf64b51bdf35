import type { Random } from '../random.ts'

/** Resamples that are drawn and summed at a time. */
export const BLOCK = 2048

/** Units (queries, or clusters of queries) that are summed together: the units of one fold of one stratum. */
export interface Part {
  readonly stratum: number
  /** Indexes of units, ascending. */
  readonly units: readonly number[]
}

/**
 * Multiplicities of units in a block of resamples. Each resample draws as many units as there are, with replacement, within
 * each stratum.
 */
export interface Resamples {
  /** `counts[draw * units + unit]`. */
  readonly counts: Uint8Array
  /** Multiplicities up to 3 by part, four units to a byte: `codes[group * BLOCK + draw]`. */
  readonly codes: readonly Uint8Array[]
  /** Triples of draw, place in the part, and multiplicity above 3, by part. */
  readonly excess: readonly (readonly number[])[]
}

/** Draws `draws` resamples, at most BLOCK; `strata` are lists of unit indexes. */
export function drawResamples(
  strata: readonly (readonly number[])[],
  parts: readonly Part[],
  draws: number,
  random: Random,
): Resamples {
  const units = strata.reduce((sum, { length }) => sum + length, 0)
  const counts = new Uint8Array(draws * units)
  for (let draw = 0; draw < draws; draw++)
    for (const stratum of strata)
      for (let turn = 0; turn < stratum.length; turn++)
        counts[draw * units + stratum[random.below(stratum.length)]]++
  const excess = parts.map(() => [] as number[])
  const codes = parts.map(({ units: members }, part) => {
    const bytes = new Uint8Array(4 * Math.ceil(members.length / 16) * BLOCK)
    for (const [place, unit] of members.entries())
      for (let draw = 0; draw < draws; draw++) {
        const count = counts[draw * units + unit]
        bytes[(place >> 2) * BLOCK + draw] |= Math.min(3, count) << (2 * (place & 3))
        if (count > 3) excess[part].push(draw, place, count - 3)
      }
    return bytes
  })
  return { counts, codes, excess }
}

/** Adds the weighted sum of a part's values in each of `draws` resamples to `sums`: a look-up for every four units. */
export function addWeightedSums(
  values: Float64Array,
  resamples: Resamples,
  part: number,
  draws: number,
  sums: Float64Array,
): void {
  const [codes, excess] = [resamples.codes[part], resamples.excess[part]]
  const tables = Array.from({ length: 4 }, () => new Float64Array(256))
  const [a, b, c, d] = tables
  const end = codes.length
  for (let first = 0, at = 0; at < end; first += 16, at += 4 * BLOCK) {
    for (const [group, table] of tables.entries()) fillTable(table, values, first + 4 * group)
    const [second, third, fourth] = [at + BLOCK, at + 2 * BLOCK, at + 3 * BLOCK]
    for (let draw = 0; draw < draws; draw++)
      sums[draw] +=
        a[codes[at + draw]] + b[codes[second + draw]] + c[codes[third + draw]] + d[codes[fourth + draw]]
  }
  for (let at = 0; at < excess.length; at += 3) sums[excess[at]] += excess[at + 2] * values[excess[at + 1]]
}

/** Weighted sums of four values from `first` on, by code; values behind the last are 0. */
function fillTable(table: Float64Array, values: Float64Array, first: number): void {
  for (let place = 0, size = 1; place < 4; place++, size *= 4) {
    const value = first + place < values.length ? values[first + place] : 0
    for (let code = 0; code < 3 * size; code++) table[size + code] = table[code] + value
  }
}
