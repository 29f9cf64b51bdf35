import { canonical, sha256 } from '../store/hash.ts'
import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'
import { type Params, type Path, type Problem, refuse } from './reading.ts'

export const MAX_TRIALS = 100_000

export const productOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1)

/** Index of each part's alternative in combination `index` of parts with these sizes, the first part slowest. */
function nthOf(sizes: readonly number[], index: number): number[] {
  const chosen = sizes.map(() => 0)
  let left = index
  for (let part = sizes.length - 1; part >= 0; part--) {
    chosen[part] = left % sizes[part]
    left = Math.floor(left / sizes[part])
  }
  return chosen
}

function ofatCount(sizes: readonly number[]): number {
  return sizes.includes(0) ? 0 : sizes.reduce((sum, size) => sum + size - 1, 1)
}

/** Combination `index` of one factor at a time: the first alternative of every part, then each part's others. */
function ofatAt(sizes: readonly number[], index: number): number[] {
  const chosen = sizes.map(() => 0)
  let left = index
  for (let part = 0; part < sizes.length && left > 0; part++) {
    chosen[part] = left < sizes[part] ? left : 0
    left -= sizes[part] - 1
  }
  return chosen
}

export function combine<T>(parts: readonly (readonly T[])[]): T[][] {
  const count = productOf(parts.map((list) => list.length))
  return Array.from({ length: count }, (_, index) => combinationAt(parts, index) as T[])
}

/** Combination `index` of parts, the first part slowest. */
export function combinationAt<P extends readonly (readonly unknown[])[]>(
  parts: P,
  index: number,
): { -readonly [K in keyof P]: P[K][number] } {
  const sizes = parts.map((part) => part.length)
  return nthOf(sizes, index).map((at, part) => parts[part][at]) as { -readonly [K in keyof P]: P[K][number] }
}

/**
 * Params with a grid, expanded into points:
 *
 *     {pool: 100, grid: {alpha: [0.3, 0.5], fusion: [rrf, weighted]}}    4 points, the first axis slowest
 *     {grid: [{fusion: [rrf], rrfK: [20, 60]}, {fusion: [weighted], alpha: [0.3, 0.5]}]}    grids one after another: 4 points
 *     {grid: {alpha: {from: 0, to: 1, step: 0.01}, pool: [10, 100, 1000]}, random: {samples: 20, seed: 7}}
 */
export interface GridPoint {
  readonly params: Params
  readonly paths: Readonly<Record<string, Path>>
  readonly varied: readonly string[]
}

interface Value {
  readonly value: Json
  readonly path: Path
}
type Grid = ReadonlyMap<string, readonly Value[]>

/**
 * Points of the value at `path`: one without a grid, none after a problem. `probe` checks the values of a wrong grid, so
 * that all errors are reported at once.
 */
export function expandGrid(
  raw: Readonly<Record<string, unknown>>,
  path: Path,
  problems: Problem[],
  probe: (point: GridPoint, empty: readonly string[]) => void = () => {},
): readonly GridPoint[] {
  const before = problems.length
  const { grid: product, ofat, random, ...fixed } = raw
  const base = new Map(
    Object.entries(fixed).map(([name, value]) => [name, { value: value as Json, path: [...path, name] }]),
  )
  if (product !== undefined && ofat !== undefined)
    refuse(problems, [...path, 'ofat'], 'is another form of `grid`; name one of the two', 'key')
  const grid = product === undefined ? ofat : product
  const at = [...path, product === undefined ? 'ofat' : 'grid']
  const [countOf, nth] = product === undefined ? [ofatCount, ofatAt] : [productOf, nthOf]
  if (grid === undefined) {
    if (random === undefined) return [pointOf(base, [])]
    const message = '`random` draws from a grid, and there is no `grid` next to it'
    refuse(problems, [...path, 'random'], message, 'key')
    return []
  }
  const grids = Array.isArray(grid)
    ? grid.map((item, index) => readGrid(item, [...at, index], base, problems))
    : [readGrid(grid, at, base, problems)]
  if (grids.length === 0) refuse(problems, at, 'the grid is empty')
  const ends: number[] = []
  for (const lists of grids) ends.push(countOf(sizesOf(lists)) + (ends.at(-1) ?? 0))
  const total = ends.at(-1) ?? 0
  const { samples, seed } = readRandom(random, total, [...path, 'random'], problems)
  if (Math.min(total, samples) > MAX_TRIALS) {
    const message = `the grid has ${Math.min(total, samples).toLocaleString('en')} points; at most ${MAX_TRIALS.toLocaleString('en')} are allowed`
    refuse(problems, at, message, 'key')
  }
  if (problems.length > before) {
    for (const lists of grids) probeAxes(base, lists, probe)
    return []
  }
  const points = draw(total, samples, seed).map((index) => {
    const which = ends.findIndex((end) => index < end)
    const chosen = nth(sizesOf(grids[which]), index - (ends[which - 1] ?? 0))
    const values = [...grids[which]].map(([name, axis], part): [string, Value] => [name, axis[chosen[part]]])
    return new Map([...base, ...values])
  })
  const names = [...new Set(grids.flatMap((lists) => [...lists.keys()]))]
  const varied = names.filter(
    (name) => new Set(points.map((point) => canonical(point.get(name)?.value))).size > 1,
  )
  return points.map((point) => pointOf(point, varied))
}

const sizesOf = (grid: Grid) => [...grid.values()].map((axis) => axis.length)

/** Values of an axis that are checked if the grid is wrong. */
const PROBED = 100

/** Gives every value at least once; points lack the params of `empty` axes. */
function probeAxes(
  base: ReadonlyMap<string, Value>,
  grid: Grid,
  probe: (point: GridPoint, empty: readonly string[]) => void,
): void {
  const axes = [...grid].filter(([, axis]) => axis.length > 0)
  const empty = [...grid.keys()].filter((name) => grid.get(name)?.length === 0)
  const first = new Map([...base, ...axes.map(([name, axis]): [string, Value] => [name, axis[0]])])
  probe(pointOf(first, []), empty)
  for (const [name, axis] of axes)
    for (const value of axis.slice(1, PROBED)) probe(pointOf(new Map([...first, [name, value]]), []), empty)
}

function pointOf(point: ReadonlyMap<string, Value>, varied: readonly string[]): GridPoint {
  return {
    params: Object.fromEntries([...point].map(([name, { value }]) => [name, value])),
    paths: Object.fromEntries([...point].map(([name, { path }]) => [name, path])),
    varied: varied.filter((name) => point.has(name)),
  }
}

function readGrid(raw: unknown, path: Path, fixed: ReadonlyMap<string, Value>, problems: Problem[]): Grid {
  const grid = new Map<string, readonly Value[]>()
  const axes = Object.entries(isMap(raw) ? raw : {})
  if (axes.length === 0) {
    const isEmpty = isMap(raw) || raw == null
    refuse(problems, path, isEmpty ? 'the grid is empty' : 'a grid is a map of params to lists of values')
  }
  for (const [name, axis] of axes) {
    const at = [...path, name]
    if (name === 'random' && isMap(axis) && 'samples' in axis) {
      refuse(problems, at, '`random` belongs next to `grid`, not in it', 'key')
      continue
    }
    if (fixed.has(name)) refuse(problems, at, `\`${name}\` is both in the grid and next to it`, 'key')
    grid.set(name, readAxis(axis, at, problems))
  }
  return grid
}

function readRandom(raw: unknown, total: number, path: Path, problems: Problem[]) {
  const { samples = total, seed = 0, ...rest }: Record<string, unknown> = isMap(raw) ? raw : {}
  const whole = (value: unknown, min: number): value is number =>
    Number.isSafeInteger(value) && (value as number) >= min
  if (raw === undefined) return { samples: total, seed: 0 }
  if (isMap(raw) && 'samples' in raw && whole(samples, 1) && whole(seed, 0) && Object.keys(rest).length === 0)
    return { samples, seed }
  refuse(problems, path, '`random` is {samples: how many points, at least 1, seed: a whole number}')
  return { samples: total, seed: 0 }
}

/** `samples` distinct numbers below `total`, ascending, from a stream of hashes: the same on every machine. */
function draw(total: number, samples: number, seed: number): number[] {
  if (samples >= total) return Array.from({ length: total }, (_, index) => index)
  const chosen = new Set<number>()
  for (let count = 0; chosen.size < samples; count++)
    chosen.add(Number.parseInt(sha256(`grid ${seed} ${count}`).slice(0, 13), 16) % total)
  return [...chosen].sort((a, b) => a - b)
}

const MAX_VALUES = 1_000_000

/**
 * Values of an axis: a list, or `{from, to, step}` with both ends. Values of a range have 12 significant digits, as a
 * person would write them.
 */
export function readAxis(raw: unknown, path: Path, problems: Problem[]): Value[] {
  if (Array.isArray(raw)) {
    if (raw.length === 0) refuse(problems, path, `the grid has no value for \`${path.at(-1)}\``)
    const seen = new Set<string>()
    return raw.map((value, index) => {
      const text = canonical(value)
      if (seen.has(text)) refuse(problems, [...path, index], `\`${text}\` occurs twice in the grid`)
      seen.add(text)
      return { value, path: [...path, index] }
    })
  }
  const range = isMap(raw) ? rangeOf(raw) : 'a grid gives each param a list of values or a range'
  if (typeof range === 'string') {
    refuse(problems, path, `${range}: [1, 2] or {from: 0, to: 1, step: 0.1}`)
    return []
  }
  return range.map((value) => ({ value, path }))
}

function rangeOf({ from, to, step, ...rest }: Record<string, unknown>): number[] | string {
  const isRange = [from, to, step].every((value) => typeof value === 'number')
  if (!isRange || Object.keys(rest).length > 0) return 'a range has the numbers `from`, `to` and `step`'
  const [low, high, by] = [from, to, step] as [number, number, number]
  if (!(low <= high)) return '`from` of a range is at most its `to`'
  if (!(by > 0)) return '`step` of a range is above 0'
  const last = Math.floor((high - low) / by + 1e-9)
  if (!(last < MAX_VALUES)) return '`step` of a range makes more than a million values'
  return Array.from({ length: last + 1 }, (_, index) => Number((low + index * by).toPrecision(12)))
}
