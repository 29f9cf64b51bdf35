import { createRandom, type Random } from '../random.ts'
import { type Sample, studentized } from './sample.ts'

/** Resamples that are drawn and summed at a time. */
const BLOCK = 2048

/** Units (queries, or clusters of queries) that are summed together: the units of one fold of one stratum. */
interface Part {
  readonly stratum: number
  /** Indexes of units, ascending. */
  readonly units: readonly number[]
}

/**
 * Multiplicities of units in a block of resamples. Each resample draws as many units as there are, with replacement, within
 * each stratum.
 */
interface Resamples {
  /** `counts[draw * units + unit]`. */
  readonly counts: Uint8Array
  /** Multiplicities up to 3 by part, four units to a byte: `codes[group * BLOCK + draw]`. */
  readonly codes: readonly Uint8Array[]
  /** Triples of draw, place in the part, and multiplicity above 3, by part. */
  readonly excess: readonly (readonly number[])[]
}

/** Draws `draws` resamples, at most BLOCK; `strata` are lists of unit indexes. */
function drawResamples(
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
function addWeightedSums(
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

function fillTable(table: Float64Array, values: Float64Array, first: number): void {
  for (let place = 0, size = 1; place < 4; place++, size *= 4) {
    const value = first + place < values.length ? values[first + place] : 0
    for (let code = 0; code < 3 * size; code++) table[size + code] = table[code] + value
  }
}

/**
 * Paired bootstrap t (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, 12.5; over a family: Romano and Wolf, JASA
 * 100, 2005). Units are resampled within each stratum. A contest is the difference of two rows; in a resample with weights w
 * it has
 *
 *     d_s = sum w D / sum w m,    error^2 = 1/S^2 sum_s G_s / (G_s - 1) sum w (D - m d_s)^2 / (sum w m)^2
 *     t* = (mean of the d_s - c) / error
 *
 * over S strata with G_s units each; D is a unit's sum of differences and m its number of queries (the ratio estimator:
 * Cochran, Sampling Techniques, 1977, 6.4). c is the observed difference. If a row is tuned in folds, each fold chooses its
 * trial again in every resample, and c is the mean over the resamples.
 */
export interface Bootstrap {
  readonly sample: Sample
  /** Unit totals by [row][trial]; a row of several trials is tuned in folds. */
  readonly rows: readonly (readonly Float64Array[])[]
  /** Fold of each unit in its stratum, for tuned rows. */
  readonly folds?: ArrayLike<number> | undefined
  /** Rows that are compared, `a` minus `b`. */
  readonly contests: readonly Contest[]
  /** Indexes of contests: a group's highest t* is over `above`, its lowest over `below`. */
  readonly groups: readonly Group[]
  readonly draws: number
  readonly seed: number
}

export interface Contest {
  readonly a: number
  readonly b: number
}

export interface Group {
  readonly above: readonly number[]
  readonly below: readonly number[]
}

/** Highest and lowest t* of a group by resample. */
export interface Extremes {
  readonly highest: Float32Array
  readonly lowest: Float32Array
}

/** Extremes of each group over all resamples. */
export function bootstrapExtremes(input: Bootstrap): Extremes[] {
  const { sample, rows, contests, groups, draws, seed } = input
  const parts = partsOf(input)
  const random = createRandom(seed)
  const isTuned = contests.map(({ a, b }) => rows[a].length > 1 || rows[b].length > 1)
  const observed = contests.map(({ a, b }) => studentized(sample, rows[a][0], rows[b][0]).difference)
  /** Resampled differences and errors of contests of tuned rows; their centre is known at the end. */
  const resampled = isTuned.map((tuned) => (tuned ? [new Float64Array(draws), new Float64Array(draws)] : []))
  const extremes = groups.map(() => ({
    highest: new Float32Array(draws).fill(Number.NEGATIVE_INFINITY),
    lowest: new Float32Array(draws).fill(Number.POSITIVE_INFINITY),
  }))
  if (contests.length === 0) return extremes
  const groupsOf = contests.map(() => ({ above: [] as Extremes[], below: [] as Extremes[] }))
  for (const [group, { above, below }] of groups.entries()) {
    for (const contest of above) groupsOf[contest].above.push(extremes[group])
    for (const contest of below) groupsOf[contest].below.push(extremes[group])
  }
  const note = (contest: number, t: Float64Array, begin: number, count: number) => {
    for (const { highest } of groupsOf[contest].above)
      for (let draw = 0; draw < count; draw++)
        if (t[draw] > highest[begin + draw]) highest[begin + draw] = t[draw]
    for (const { lowest } of groupsOf[contest].below)
      for (let draw = 0; draw < count; draw++)
        if (t[draw] < lowest[begin + draw]) lowest[begin + draw] = t[draw]
  }
  const summed = createSums(input, parts)
  const [differences, errors] = [new Float64Array(BLOCK), new Float64Array(BLOCK)]
  for (let begin = 0; begin < draws; begin += BLOCK) {
    const count = Math.min(BLOCK, draws - begin)
    const resamples = drawResamples(sample.strata, parts, count, random)
    const read = summed(resamples, count)
    for (const [contest, pair] of contests.entries()) {
      read(pair, differences, errors)
      if (isTuned[contest]) {
        resampled[contest][0].set(differences.subarray(0, count), begin)
        resampled[contest][1].set(errors.subarray(0, count), begin)
      } else {
        for (let draw = 0; draw < count; draw++)
          differences[draw] = (differences[draw] - observed[contest]) / errors[draw]
        note(contest, differences, begin, count)
      }
    }
  }
  for (const [contest, [means, deviations]] of resampled.entries()) {
    if (!means) continue
    const centre = means.reduce((sum, mean) => sum + mean, 0) / draws
    note(
      contest,
      means.map((mean, draw) => (mean - centre) / deviations[draw]),
      0,
      draws,
    )
  }
  return extremes
}

function partsOf({ sample, folds }: Bootstrap): Part[] {
  return sample.strata.flatMap((units, stratum) => {
    if (!folds) return [{ stratum, units }]
    const numbers = [...new Set(units.map((unit) => folds[unit]))].sort((a, b) => a - b)
    return numbers.map((fold) => ({ stratum, units: units.filter((unit) => folds[unit] === fold) }))
  })
}

/**
 * Sums of all rows in a block of resamples. The function that is returned writes a contest's differences and errors in the
 * block.
 */
function createSums({ sample, rows, contests }: Bootstrap, parts: readonly Part[]) {
  const { strata, sizes, clusters } = sample
  const used = [...new Set(contests.flatMap(({ a, b }) => [a, b]))]
  const inParts = (values: ArrayLike<number>) =>
    parts.map(({ units }) => Float64Array.from(units, (unit) => values[unit]))
  const squared = (values: ArrayLike<number>) => Float64Array.from(values, (value) => value ** 2)
  const sizeParts = inParts(sizes)
  const sizeSquares = inParts(squared(sizes))
  const trialParts = rows.map((trials) => trials.map(inParts))
  const blocks = () => strata.map(() => new Float64Array(BLOCK))
  const [queries, squaredSizes, squares, crosses] = [blocks(), blocks(), blocks(), blocks()]
  /** Sums of rows by [row][stratum]; `sizeSums` are sums of totals times sizes. */
  const sums = rows.map((_, row) => (used.includes(row) ? blocks() : []))
  const sizeSums = rows.map((trials, row) =>
    clusters && used.includes(row) && trials.length === 1 ? blocks() : [],
  )
  const chosen = rows.map((trials) => (trials.length > 1 ? parts.map(() => new Uint16Array(BLOCK)) : []))

  return (resamples: Resamples, count: number) => {
    const addTo = (targets: readonly Float64Array[], values: readonly Float64Array[]) => {
      for (const target of targets) target.fill(0)
      for (const [part, { stratum }] of parts.entries())
        addWeightedSums(values[part], resamples, part, count, targets[stratum])
    }
    addTo(queries, sizeParts)
    if (clusters) addTo(squaredSizes, sizeSquares)
    for (const row of used) {
      const trials = trialParts[row]
      if (trials.length > 1) chooseAgain(trials, parts, resamples, count, chosen[row], sums[row])
      else {
        addTo(sums[row], trials[0])
        if (clusters)
          addTo(
            sizeSums[row],
            trials[0].map((values, part) => values.map((value, place) => value * sizeParts[part][place])),
          )
      }
    }
    return ({ a, b }: Contest, differences: Float64Array, errors: Float64Array) => {
      if (rows[a].length > 1 || rows[b].length > 1) addChosen(a, b, resamples, count)
      else
        addTo(
          squares,
          trialParts[a][0].map((values, part) =>
            values.map((value, place) => (value - trialParts[b][0][part][place]) ** 2),
          ),
        )
      differences.fill(0)
      errors.fill(0)
      const tuned = rows[a].length > 1 || rows[b].length > 1
      for (const [stratum, units] of strata.entries()) {
        const scale = units.length / (units.length - 1) / strata.length ** 2
        for (let draw = 0; draw < count; draw++) {
          const n = queries[stratum][draw]
          const sum = sums[a][stratum][draw] - sums[b][stratum][draw]
          const mean = sum / n
          // Without clusters all sizes are 1.
          const cross = !clusters
            ? sum
            : tuned
              ? crosses[stratum][draw]
              : sizeSums[a][stratum][draw] - sizeSums[b][stratum][draw]
          const sizeSquare = clusters ? squaredSizes[stratum][draw] : n
          const spread = squares[stratum][draw] - 2 * mean * cross + mean ** 2 * sizeSquare
          differences[draw] += mean / strata.length
          errors[draw] += (scale * Math.max(0, spread)) / n ** 2
        }
      }
      for (let draw = 0; draw < count; draw++) errors[draw] = Math.sqrt(errors[draw])
    }
  }

  function addChosen(a: number, b: number, { counts }: Resamples, count: number): void {
    for (const block of [...squares, ...crosses]) block.fill(0)
    const width = sizes.length
    for (const [part, { stratum, units }] of parts.entries())
      for (let draw = 0; draw < count; draw++) {
        const left = trialParts[a][chosen[a][part]?.[draw] ?? 0][part]
        const right = trialParts[b][chosen[b][part]?.[draw] ?? 0][part]
        let [square, cross] = [0, 0]
        for (let place = 0; place < units.length; place++) {
          const weight = counts[draw * width + units[place]]
          const difference = left[place] - right[place]
          square += weight * difference * difference
          cross += weight * difference * sizes[units[place]]
        }
        squares[stratum][draw] += square
        crosses[stratum][draw] += cross
      }
  }
}

/** Chooses the best trial on the other folds of the stratum in each resample. */
function chooseAgain(
  trials: readonly (readonly Float64Array[])[],
  parts: readonly Part[],
  resamples: Resamples,
  count: number,
  chosen: readonly Uint16Array[],
  sums: readonly Float64Array[],
): void {
  const partSums = trials.map((values) =>
    values.map((partValues, part) => {
      const block = new Float64Array(BLOCK)
      addWeightedSums(partValues, resamples, part, count, block)
      return block
    }),
  )
  for (const block of sums) block.fill(0)
  for (const [part, { stratum }] of parts.entries()) {
    const others = [...parts.keys()].filter((other) => other !== part && parts[other].stratum === stratum)
    for (let draw = 0; draw < count; draw++) {
      let [best, most] = [0, Number.NEGATIVE_INFINITY]
      for (let trial = 0; trial < trials.length; trial++) {
        let sum = 0
        for (const other of others) sum += partSums[trial][other][draw]
        if (sum > most) [best, most] = [trial, sum]
      }
      chosen[part][draw] = best
      sums[stratum][draw] += partSums[best][part][draw]
    }
  }
}
