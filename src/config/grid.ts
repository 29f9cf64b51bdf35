import { canonical, sha256 } from '../store/hash.ts'
import type { Json } from '../types.ts'
import { readAxis } from './axis.ts'
import { isMap, type Path, type Problem } from './problem.ts'

/**
 * Params with a grid, expanded into points:
 *
 *     {pool: 100, grid: {alpha: [0.3, 0.5], fusion: [rrf, weighted]}}    4 points, the first axis slowest
 *     {grid: [{fusion: [rrf], rrfK: [20, 60]}, {fusion: [weighted], alpha: [0.3, 0.5]}]}    grids one after another: 4 points
 *     {grid: {alpha: {from: 0, to: 1, step: 0.01}, pool: {from: 10, to: 1000, log: 5}}, random: {samples: 20, seed: 7}}
 */
export interface Point {
  readonly params: Readonly<Record<string, Json>>
  /** Where each param stands in the config. */
  readonly paths: Readonly<Record<string, Path>>
  /** The params that differ between the points. */
  readonly varied: readonly string[]
}

export interface GridOptions {
  /** More points than this are a problem, found before they are made. */
  readonly limit: number
  /** Whether a param takes whole numbers only: a range's values are then rounded. */
  readonly isWhole: (param: string) => boolean
  readonly problems: Problem[]
  /**
   * Called where the grid itself is wrong, so that this hides no other mistake: with points that hold every value there
   * is at least once. Params of `empty` axes are not among theirs.
   */
  readonly probe?: (point: Point, empty: readonly string[]) => void
}

interface Place {
  readonly value: Json
  readonly path: Path
}
type Grid = ReadonlyMap<string, readonly Place[]>

/** The points of what stands at `path`; one where there is no grid. Empty where something is wrong. */
export function expandGrid(
  raw: Readonly<Record<string, unknown>>,
  path: Path,
  options: GridOptions,
): Point[] {
  const { problems } = options
  const before = problems.length
  const { grid, random, ...fixed } = raw
  const base = new Map(
    Object.entries(fixed).map(([name, value]) => [name, { value: value as Json, path: [...path, name] }]),
  )
  if (grid === undefined) {
    if (random !== undefined)
      problems.push({
        path: [...path, 'random'],
        on: 'key',
        message: '`random` draws from a grid, and there is no `grid` beside it',
      })
    return problems.length > before ? [] : [pointOf(base, [])]
  }
  const grids = (Array.isArray(grid) ? grid : [grid]).map((one, place) => {
    const at = [...path, 'grid', ...(Array.isArray(grid) ? [place] : [])]
    return readGrid(one, at, new Set(base.keys()), options)
  })
  if (grids.length === 0) problems.push({ path: [...path, 'grid'], message: 'the grid is empty' })
  const sizes = grids.map((one) => [...one.values()].reduce((product, axis) => product * axis.length, 1))
  const ends = sizes.map((_, place) => sizes.slice(0, place + 1).reduce((sum, size) => sum + size, 0))
  const total = ends.at(-1) ?? 0
  const samples = random === undefined ? undefined : readRandom(random, [...path, 'random'], problems)
  const count = Math.min(total, samples?.samples ?? total)
  if (count > options.limit)
    problems.push({
      path: [...path, 'grid'],
      on: 'key',
      message: `the grid has ${count.toLocaleString('en')} points; maxTrials is ${options.limit.toLocaleString('en')}`,
    })
  if (problems.length > before) {
    for (const one of grids) probeAxes(base, one, options)
    return []
  }

  const chosen = samples
    ? draw(total, samples.samples, samples.seed)
    : Array.from({ length: total }, (_, index) => index)
  const points = chosen.map((index) => {
    const place = ends.findIndex((end) => index < end)
    return new Map([...base, ...nth(grids[place], index - (ends[place - 1] ?? 0))])
  })
  const names = [...new Set(grids.flatMap((one) => [...one.keys()]))]
  const varied = names.filter(
    (name) => new Set(points.map((point) => canonical(point.get(name)?.value))).size > 1,
  )
  return points.map((point) => pointOf(point, varied))
}

/** Values of an axis that are looked at where the grid is wrong: a range needs no more. */
const PROBED = 100

function probeAxes(base: ReadonlyMap<string, Place>, grid: Grid, { probe }: GridOptions): void {
  const axes = [...grid].filter(([, axis]) => axis.length > 0)
  const empty = [...grid.keys()].filter((name) => grid.get(name)?.length === 0)
  const first = new Map([...base, ...axes.map(([name, axis]): [string, Place] => [name, axis[0]])])
  probe?.(pointOf(first, []), empty)
  for (const [name, axis] of axes)
    for (const value of axis.slice(1, PROBED)) probe?.(pointOf(new Map([...first, [name, value]]), []), empty)
}

function pointOf(point: ReadonlyMap<string, Place>, varied: readonly string[]): Point {
  return {
    params: Object.fromEntries([...point].map(([name, { value }]) => [name, value])),
    paths: Object.fromEntries([...point].map(([name, { path }]) => [name, path])),
    varied: varied.filter((name) => point.has(name)),
  }
}

function readGrid(
  raw: unknown,
  path: Path,
  fixed: ReadonlySet<string>,
  { isWhole, problems }: GridOptions,
): Grid {
  const grid = new Map<string, Place[]>()
  if (!isMap(raw) || Object.keys(raw).length === 0) {
    problems.push({
      path,
      message:
        isMap(raw) || raw == null ? 'the grid is empty' : 'a grid is a map of params to lists of values',
    })
    return grid
  }
  for (const [name, axis] of Object.entries(raw)) {
    const at = [...path, name]
    if (name === 'random' && isMap(axis) && 'samples' in axis) {
      problems.push({ path: at, on: 'key', message: '`random` stands beside `grid`, not in it' })
      continue
    }
    if (fixed.has(name))
      problems.push({ path: at, on: 'key', message: `\`${name}\` stands in the grid and beside it` })
    grid.set(name, readAxis(axis, at, isWhole(name), problems))
  }
  return grid
}

function readRandom(
  raw: unknown,
  path: Path,
  problems: Problem[],
): { samples: number; seed: number } | undefined {
  const whole = (value: unknown, least: number) => Number.isSafeInteger(value) && (value as number) >= least
  if (
    isMap(raw) &&
    whole(raw.samples, 1) &&
    whole(raw.seed ?? 0, 0) &&
    Object.keys(raw).every((key) => key === 'samples' || key === 'seed')
  )
    return { samples: raw.samples as number, seed: (raw.seed as number | undefined) ?? 0 }
  problems.push({ path, message: '`random` is {samples: how many points, at least 1, seed: a whole number}' })
  return undefined
}

/** The combination at `index`, the first axis slowest. */
function nth(grid: Grid, index: number): [string, Place][] {
  const combination: [string, Place][] = []
  let left = index
  for (const [name, axis] of [...grid].reverse()) {
    combination.unshift([name, axis[left % axis.length]])
    left = Math.floor(left / axis.length)
  }
  return combination
}

/** `samples` distinct numbers below `total`, ascending: the first of a stream of hashes, the same on every machine. */
function draw(total: number, samples: number, seed: number): number[] {
  if (samples >= total) return Array.from({ length: total }, (_, index) => index)
  const chosen = new Set<number>()
  for (let place = 0; chosen.size < samples; place++)
    chosen.add(Number.parseInt(sha256(`grid ${seed} ${place}`).slice(0, 13), 16) % total)
  return [...chosen].sort((a, b) => a - b)
}
