import { join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import { readColumns } from './columns.ts'
import { namedRows } from './expected.ts'
import { readManifest, readSummary } from './read.ts'
import { readRowValues } from './row-values.ts'
import type { Summary } from './summary.ts'

/** Two experiments' rows of one name, in one measure, over the queries that both have. */
export interface PairedRow {
  readonly name: string
  /** By query, in the order of `PairedRows.queries`; NaN where it does not count. */
  readonly before: Float64Array
  readonly now: Float64Array
}

export interface PairedRows {
  readonly measure: string
  readonly summary: Summary
  /** Whether both read the same dataset, to the byte. */
  readonly sameData: boolean
  readonly rows: readonly PairedRow[]
  /** Ids of the queries that both have, in the first one's order. */
  readonly queries: readonly string[]
  /** Names of rows, and numbers of queries, that only one of them has. */
  readonly alone: {
    readonly now: { readonly rows: readonly string[]; readonly queries: number }
    readonly before: { readonly rows: readonly string[]; readonly queries: number }
  }
}

/**
 * Pairs the rows (all, or `wanted`) of two finished experiments by their names and queries: a trial's name, or
 * `tuned:<strategy>`. By the primary measure if none is asked for. Throws a UserError with every mistake.
 */
export async function readPairedRows(
  folder: string,
  baselineFolder: string,
  asked: string | undefined,
  wanted: readonly string[],
): Promise<PairedRows> {
  const measure = asked ?? readSummary(folder).primary
  const [now, before] = await Promise.all([open(folder, measure), open(baselineFolder, measure)])
  const mistakes = [...now.mistakes, ...before.mistakes]
  for (const name of wanted)
    for (const { folder: file, names } of [now, before])
      if (!names.has(name))
        mistakes.push({ file, message: `has no row \`${name}\`${didYouMean(name, [...names.keys()])}` })
  const shared = [...now.names.keys()].filter((name) => before.names.has(name))
  if (mistakes.length === 0 && shared.length === 0)
    mistakes.push({ file: folder, message: `has no row that ${baselineFolder} has: names are compared` })
  const places = new Map(before.ids.map((id, place) => [id, place]))
  const both = now.ids.flatMap((id, place) => {
    const other = places.get(id)
    return other === undefined ? [] : [{ id, place, other }]
  })
  if (mistakes.length === 0 && both.length === 0)
    mistakes.push({ file: folder, message: `has no query that ${baselineFolder} has` })
  if (mistakes.length > 0) throw new UserError(mistakes)
  const names = wanted.length > 0 ? wanted : shared
  const only = (one: Opened, other: Opened) => ({
    rows: [...one.names.keys()].filter((name) => !other.names.has(name)),
    queries: one.ids.length - both.length,
  })
  return {
    measure,
    summary: now.summary,
    sameData: now.data === before.data,
    queries: both.map(({ id }) => id),
    rows: names.map((name) => {
      const [own, old] = [now.values(name), before.values(name)]
      return {
        name,
        now: Float64Array.from(both, ({ place }) => own[place]),
        before: Float64Array.from(both, ({ other }) => old[other]),
      }
    }),
    alone: { now: only(now, before), before: only(before, now) },
  }
}

type Opened = Awaited<ReturnType<typeof open>>

async function open(folder: string, measure: string) {
  const summary = readSummary(folder)
  const at = resolve(folder)
  const { id: ids } = await readColumns(join(at, 'queries.parquet'), { id: 'texts' })
  const rowValues = await readRowValues(at, summary)
  const names = new Map(namedRows(summary).map(({ name, id }) => [name, id]))
  const mistakes = summary.measures.includes(measure)
    ? []
    : [
        {
          file: folder,
          message: `has no measure \`${measure}\`${didYouMean(measure, summary.measures)}; there are ${summary.measures.join(', ')}`,
        },
      ]
  const values = (name: string) => rowValues(names.get(name) ?? '', measure) ?? new Float64Array(0)
  return { folder, summary, data: readManifest(at).dataset, ids, names, mistakes, values }
}
