import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Processes } from '../experiment/lock.ts'
import { readAssets } from '../report/assets.ts'
import { renderDatasets } from '../report/datasets-page.ts'
import { detailMeasures } from '../report/detail/pack.ts'
import { pairedScale } from '../report/measured.ts'
import { renderReport } from '../report/page.ts'
import { policyOf } from '../report/shell.ts'
import { diffResults } from '../results/diff.ts'
import { readMacro } from '../results/macro.ts'
import { readResults, readSummary } from '../results/read.ts'
import { type Entry, openList, reasonOf } from './describe.ts'
import { openLive } from './live.ts'
import { type CompareState, comparePage, compareState, type Pair } from './pages/compare.ts'
import { addressOf, type ViewPage } from './pages/frame.ts'
import { homePage, homeState } from './pages/home.ts'
import { livePage } from './pages/live.ts'

/** Answer to a request. */
export type Answer =
  | { readonly kind: 'page'; readonly page: ViewPage; readonly status?: number; readonly isHome?: boolean }
  | { readonly kind: 'report'; readonly html: string; readonly policy: string }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'asset'; readonly text: string; readonly type: string }

/** Rendered reports, and comparisons, that are kept in memory. */
const KEPT = 8

/** Experiments that are compared at once. */
const MOST = 6

/** Flipped queries that are shown. */
const FLIPPED = 20

/**
 * Pages of a folder by address; null for an unknown one. Names in an address are looked up in the list of experiments, never
 * joined to a path.
 */
export function openRoutes(
  root: string,
  shown: string,
  processes: Processes,
): (url: URL) => Promise<Answer | null> {
  const list = openList(root, processes)
  const reports = keep<string>(KEPT)
  const pairs = keep<Pair['compared']>(KEPT * MOST)
  const lives = keep<ReturnType<typeof openLive>>(KEPT * MOST)
  const policy = `${policyOf(readAssets())}; frame-ancestors 'none'`

  return async ({ pathname, searchParams }) => {
    if (pathname === '/')
      return { kind: 'page', page: homePage(list(), homeState(searchParams), shown), isHome: true }
    if (pathname === '/compare') return compare(compareState(searchParams))
    const [, page, path] = /^\/(report|live)\/(.*)$/.exec(pathname) ?? []
    const name = path === undefined ? undefined : nameIn(path)
    const entry = name === undefined ? undefined : list().find((one) => one.name === name)
    if (!entry) return null
    if (page === 'live') return { kind: 'page', page: await live(entry) }
    if (entry.state !== 'finished') return { kind: 'redirect', to: addressOf('live', entry.name) }
    return { kind: 'report', html: await report(entry), policy }
  }

  async function live(entry: Entry): Promise<ViewPage> {
    // Before a run has its lock, the folder's plan may be an earlier experiment's.
    const hasPlan = entry.state === 'stopped' || entry.runner !== null || entry.part !== null
    const one = entry.children.length === 0 && hasPlan && entry.primary !== ''
    const read = one ? await lives(entry.folder, async () => openLive(entry.folder)) : null
    return livePage(entry, (await read?.()) ?? null, join(shown, entry.name))
  }

  function report(entry: Entry): Promise<string> {
    const { folder, result, children, name } = entry
    // Latencies are shown and are no part of the result.
    const latency = statSync(join(folder, 'timings', 'latency.json'), { throwIfNoEntry: false })?.mtimeMs
    return reports([name, result, latency].join('\n'), async () => {
      if (children.length === 0) return renderReport(await readResults(folder, detailMeasures), '/')
      const macro = readMacro(folder)
      const below = (child: string) => addressOf('report', name === '.' ? child : `${name}/${child}`)
      return renderDatasets(
        macro,
        macro.datasets.map((dataset) => below(dataset.folder)),
        '/',
      )
    })
  }

  async function compare(state: CompareState): Promise<Answer> {
    const all = list()
    const chosen = state.names.map((name) => {
      const entry = all.find((one) => one.name === name)
      if (!entry) throw new UserError(`there is no experiment ${name}`)
      if (entry.state !== 'finished')
        throw new UserError(`${name} cannot be compared: it is no finished experiment`)
      return entry
    })
    if (chosen.length < 2 || chosen.length > MOST)
      throw new UserError(
        `choose two to ${MOST} experiments in the list, then "Compare the selected experiments"`,
      )
    const [first, ...others] = chosen
    const [own, ...further] = chosen.map(measuresOf)
    const measures = own.filter((measure) => further.every((list) => list.includes(measure)))
    const measure = state.measure !== null && measures.includes(state.measure) ? state.measure : null
    const asked = {
      ...state,
      measure: measure ?? (measures.includes(first.primary) ? first.primary : (measures[0] ?? null)),
    }
    const compared: Pair[] = []
    for (const now of others)
      for (const [before, same] of sameDatasets(partsOf(first, all), partsOf(now, all))) {
        const pair = same ? await pairOf(before, same, asked) : { error: `${now.name} lacks this dataset` }
        compared.push({ before, now: same ?? now, compared: pair })
      }
    const macros = chosen.map(({ folder, children }) => (children.length > 0 ? readMacro(folder) : null))
    return { kind: 'page', page: comparePage(chosen, compared, macros, measures, asked) }
  }

  function pairOf(first: Entry, now: Entry, { measure, row }: CompareState): Promise<Pair['compared']> {
    return pairs(
      [first, now]
        .map(({ name, result }) => `${name} ${result}`)
        .concat(measure ?? '', row ?? '')
        .join('\n'),
      async () => {
        const question = {
          folders: [first.folder, now.folder],
          measure: measure ?? undefined,
          ...{ limit: FLIPPED, scaleOf: pairedScale },
        }
        try {
          const diff = await diffResults({ ...question, rows: [] })
          const isRow = row !== null && diff.rows.some(({ name }) => name === row)
          if (!isRow || row === diff.flipped.name) return { diff }
          const own = await diffResults({ ...question, rows: [{ before: row, now: row }] })
          return { diff: { ...diff, flipped: own.flipped } }
        } catch (error) {
          return { error: reasonOf(error, root) }
        }
      },
    )
  }
}

/** Measures of a finished experiment. */
const measuresOf = ({ folder, children }: Entry) =>
  (children.length > 0 ? readMacro(folder) : readSummary(folder)).measures

/** Experiments of an entry's datasets; itself if it has one dataset. */
function partsOf(entry: Entry, all: readonly Entry[]): readonly Entry[] {
  const names = entry.children.map((child) => (entry.name === '.' ? child : `${entry.name}/${child}`))
  return names.length === 0 ? [entry] : all.filter(({ name }) => names.includes(name))
}

/**
 * Pairs of experiments over the same dataset, by its name; the second is undefined if there is none. Two experiments over
 * one dataset each are always a pair.
 */
function sameDatasets(
  before: readonly Entry[],
  now: readonly Entry[],
): (readonly [Entry, Entry | undefined])[] {
  if (before.length === 1 && now.length === 1) return [[before[0], now[0]]]
  const named = ({ datasets }: Entry) => now.find((other) => other.datasets[0] === datasets[0])
  const pairs = before.map((one) => [one, named(one)] as const)
  return before.length === 1 || now.length === 1 ? pairs.filter(([, same]) => same) : pairs
}

/** Name of an experiment in a path; undefined if it is not well encoded. */
function nameIn(path: string): string | undefined {
  try {
    return path === '' ? '.' : path.split('/').map(decodeURIComponent).join('/')
  } catch {
    return undefined
  }
}

/** Keeps the results of the last `most` keys. A failed one is not kept. */
function keep<T>(most: number): (key: string, make: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, Promise<T>>()
  return (key, make) => {
    const value = kept.get(key) ?? make()
    kept.delete(key)
    kept.set(key, value)
    if (kept.size > most) kept.delete([...kept.keys()][0])
    value.catch(() => kept.delete(key))
    return value
  }
}
