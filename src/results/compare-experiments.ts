import { isAbsolute, join, relative, resolve } from 'node:path'
import { allOrDiagnostics, UserError } from '../errors.ts'
import type { Correction } from '../statistics/compare.ts'
import { canonical } from '../store/hash.ts'
import { isMap } from '../text/json.ts'
import { parseYaml } from '../text/yaml.ts'
import type { Json } from '../types.ts'
import { describeFlipped, type FlippedQuery } from './flipped.ts'
import {
  comparePaired,
  type MeasureScale,
  type OpenRows,
  openRows,
  type PairedMeans,
  type PairedRows,
  type PairedTest,
  type PairedTestOptions,
  pairedMeans,
  pairedRows,
  type RowPair,
  rowNamed,
  TEST,
} from './paired.ts'
import { type Results, readResults } from './read.ts'
import type { Summary } from './summary.ts'

/** Comparison of two finished experiments, or of two rows of one. */
export interface ComparedExperiments {
  readonly before: ComparedSide
  readonly now: ComparedSide
  /** Null for two rows of one experiment. */
  readonly config: readonly ChangedKey[] | null
  readonly measure: string
  readonly level: number
  readonly correction: Correction
  readonly scales: NonNullable<Summary['scales']>
  readonly sameData: boolean
  readonly rows: readonly (PairedMeans & { readonly test: PairedTest | null })[]
  /** Means in the other common measures. */
  readonly others: readonly PairedMeans[]
  readonly alone: PairedRows['alone']
  readonly flipped: Flipped
}

export interface ComparedSide {
  readonly folder: string
  readonly experiment: string
  readonly version: string
  readonly dataset: string
  readonly counts: Readonly<Record<string, number>>
}

/** Queries of one row whose value changed. */
export interface Flipped {
  readonly name: string
  readonly gained: number
  readonly lost: number
  readonly equal: number
  readonly queries: readonly (FlippedQuery & {
    readonly values: { readonly before: number; readonly now: number }
  })[]
}

interface ExperimentsToCompare {
  /** One folder, whose `rows` are compared, or two. */
  readonly folders: readonly string[]
  /** Empty for all common rows. */
  readonly rows: readonly RowPair[]
  /** Default: the primary measure of the last folder. */
  readonly measure: string | undefined
  /** Maximum number of flipped queries. */
  readonly limit: number
  readonly scaleOf: (summary: Summary, measure: string) => MeasureScale
  readonly test?: PairedTestOptions
}

/** Compares two finished experiments, or two rows of one. Throws a UserError with every error. */
export async function compareExperiments({
  folders,
  rows: pairs,
  measure,
  limit,
  scaleOf,
  test: { level = 0.05, margin } = {},
}: ExperimentsToCompare): Promise<ComparedExperiments> {
  const opened = await allOrDiagnostics(folders.map(openRows))
  const [before, now] = [opened[0], opened[opened.length - 1]]
  const rows = pairs.map((row) => ({ before: rowNamed(before, row.before), now: rowNamed(now, row.now) }))
  const { summary } = now
  const primary = measure ?? summary.primary
  const paired = pairedRows(now, before, primary, rows)
  const scale = scaleOf(summary, primary)
  const compared = comparePaired(paired, scale, untestedRows(opened, paired, rows), { level, margin })
  const most = compared.reduce((best, row) => (changeOf(row) > changeOf(best) ? row : best), compared[0])
  const others = summary.measures.filter(
    (measure) => measure !== primary && before.summary.measures.includes(measure),
  )
  const results = await allOrDiagnostics(folders.map((folder) => readResults(folder, () => [])))
  const [old, current] = [results[0], results[results.length - 1]]
  const pair = rows[0] ?? { before: most.name, now: most.name }
  const shown = { before: before.names.get(pair.before) ?? '', now: now.names.get(pair.now) ?? '' }
  const { queries, ...counts } = flippedOf(paired, most.name, scale.better, limit)
  const described = describeFlipped(
    old,
    current,
    shown,
    queries.map(({ id }) => id),
  )
  return {
    before: sideOf(before),
    now: sideOf(now),
    config: before === now ? null : await changedConfig(old, current),
    measure: primary,
    level,
    correction: TEST.correction,
    scales: summary.scales ?? {},
    sameData: paired.sameData,
    rows: compared,
    others: others.flatMap((measure) => pairedMeans(pairedRows(now, before, measure, rows))),
    alone: paired.alone,
    flipped: {
      name: most.name,
      ...counts,
      queries: described.map((query, index) => ({ ...query, values: queries[index].values })),
    },
  }
}

function sideOf({ folder, summary, manifest }: OpenRows): ComparedSide {
  const { documents, queries, judged, unanswerable, gold, missing } = summary.datasets[0]
  return {
    folder,
    experiment: summary.experiment,
    version: manifest.version,
    dataset: manifest.dataset,
    counts: { documents, queries, judged, unanswerable, gold, missing },
  }
}

/** Changed keys. Paths that moved with the config's folder are unchanged. */
async function changedConfig(before: Results, now: Results): Promise<ChangedKey[]> {
  const [old, current] = await allOrDiagnostics([before, now].map(readConfig))
  const paths = new Set<Json>()
  mapLeaves(current, (leaf) => {
    paths.add(leaf)
    return leaf
  })
  const moved = mapLeaves(old, (leaf) => {
    if (typeof leaf !== 'string' || !isAbsolute(leaf) || paths.has(leaf)) return leaf
    const path = resolve(now.manifest.folder, relative(before.manifest.folder, leaf))
    return paths.has(path) ? path : leaf
  })
  return changedKeys(moved, current)
}

/** The value with `change` applied to each scalar. */
function mapLeaves(value: Json, change: (leaf: Json) => Json): Json {
  return JSON.parse(
    JSON.stringify(value, (_, part) => (typeof part === 'object' && part !== null ? part : change(part))),
  )
}

async function readConfig({ folder, config }: Results): Promise<Json> {
  const { value, diagnostics, readable } = parseYaml(config, join(folder, 'experiment.yaml'))
  if (!readable) throw new UserError(diagnostics)
  return value as Json
}

/** Routers fitted in folds, in either experiment. */
function untestedRows(
  opened: readonly OpenRows[],
  paired: PairedRows,
  rows: readonly RowPair[],
): Set<string> {
  const [before, now] = [opened[0], opened[opened.length - 1]]
  const isUntested = ({ names, summary }: OpenRows, name: string) =>
    summary.tuning.kind === 'folds' &&
    summary.tuned.some(({ id, chosen }) => id === names.get(name) && chosen.length === 0)
  return new Set(
    paired.rows
      .filter(({ name }, index) => {
        const pair = rows[index] ?? { before: name, now: name }
        return isUntested(before, pair.before) || isUntested(now, pair.now)
      })
      .map(({ name }) => name),
  )
}

function changeOf({ before, now }: PairedMeans): number {
  const change = Math.abs(now - before)
  return Number.isNaN(change) ? -1 : change
}

function flippedOf({ queries, rows }: PairedRows, name: string, better: 'higher' | 'lower', limit: number) {
  const row = rows.find((row) => row.name === name) ?? rows[0]
  const counted = queries
    .map((id, index) => ({ id, values: { before: row.before[index], now: row.now[index] } }))
    .filter(({ values }) => !Number.isNaN(values.before) && !Number.isNaN(values.now))
  const change = ({ values }: (typeof counted)[number]) =>
    better === 'higher' ? values.now - values.before : values.before - values.now
  const flipped = counted.filter((query) => change(query) !== 0)
  const gained = flipped.filter((query) => change(query) > 0).length
  return {
    gained,
    lost: flipped.length - gained,
    equal: counted.length - flipped.length,
    queries: flipped.sort((a, b) => Math.abs(change(b)) - Math.abs(change(a))).slice(0, limit),
  }
}

/** Key that differs between two configs; an absent value is undefined. */
export interface ChangedKey {
  /** `trials[2].bm25.k1`: places in the list of `now`, or of `before` for removed items. */
  readonly key: string
  readonly before?: Json | undefined
  readonly now?: Json | undefined
}

/**
 * Keys in which two values differ, recursively. Equal list items are no change at any position. The other items are
 * paired in order if both lists have as many, otherwise they are removed or added.
 */
export function changedKeys(before: Json | undefined, now: Json | undefined, key = ''): ChangedKey[] {
  if (canonical(before) === canonical(now)) return []
  if (Array.isArray(before) && Array.isArray(now)) return changedItems(before, now, key)
  if (isMap(before) && isMap(now))
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) => {
      const segment = /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
      const below = key === '' ? segment : `${key}.${segment}`
      if (!Object.hasOwn(before, name)) return [{ key: below, now: now[name] }]
      if (!Object.hasOwn(now, name)) return [{ key: below, before: before[name] }]
      return changedKeys(before[name], now[name], below)
    })
  return [{ key, before, now }]
}

function changedItems(before: readonly Json[], now: readonly Json[], key: string): ChangedKey[] {
  const gone = without(before, now)
  const added = without(now, before)
  // The same items in another order.
  if (gone.length === 0 && added.length === 0) return [{ key, before, now }]
  if (gone.length === added.length)
    return added.flatMap(({ item, place }, index) => changedKeys(gone[index].item, item, `${key}[${place}]`))
  return [
    ...gone.map(({ item, place }) => ({ key: `${key}[${place}]`, before: item })),
    ...added.map(({ item, place }) => ({ key: `${key}[${place}]`, now: item })),
  ]
}

/** Items that `other` has fewer of, with their places. */
function without(list: readonly Json[], other: readonly Json[]): { item: Json; place: number }[] {
  const left = new Map<string, number>()
  for (const item of other) left.set(canonical(item), (left.get(canonical(item)) ?? 0) + 1)
  return list.flatMap((item, place) => {
    const text = canonical(item)
    const count = left.get(text) ?? 0
    left.set(text, count - 1)
    return count > 0 ? [] : [{ item, place }]
  })
}
