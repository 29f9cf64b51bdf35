import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { type Processes, type Runner, runnerIn } from '../experiment/lock.ts'
import { readPlan } from '../experiment/plan/plan.ts'
import { type ProgressRecord, readProgress } from '../experiment/progress-file.ts'
import { boardOf } from '../report/make-board.ts'
import { isCount, measured } from '../report/measured.ts'
import { interval } from '../report/numbers.ts'
import { datasetFolders } from '../results/finished.ts'
import { FORMAT } from '../results/format.ts'
import { readManifest, readSummary } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { type Found, findExperiments, formatOf, linkIn, signatureOf } from './find.ts'

export type State = 'running' | 'stopped' | 'finished' | 'older format' | 'newer format' | 'damaged'

export interface Entry extends Found {
  readonly state: State
  /** Reason why it cannot be shown, with a remedy; or ''. */
  readonly reason: string
  /** Milliseconds since 1970: end, or last change. */
  readonly date: number
  readonly datasets: readonly string[]
  /** Findings on its queries. */
  readonly tags: readonly string[]
  /** Folders of several datasets. */
  readonly children: readonly string[]
  /** Null before the end. */
  readonly winner: Winner | null
  /** '' if unknown. */
  readonly primary: string
  /** Null before the end. */
  readonly result: string | null
  readonly runner: Runner | null
  readonly progress: ProgressRecord | null
}

interface Winner {
  readonly name: string
  readonly mean: number
  readonly shown: string
  readonly interval: string
}

/** Part of an entry that its files decide. */
type Described = Pick<
  Entry,
  'state' | 'reason' | 'date' | 'datasets' | 'children' | 'tags' | 'winner' | 'primary' | 'result'
>

/** Lists experiments; unchanged ones are not read again. */
export function openList(root: string, processes: Processes): () => Entry[] {
  const cache = new Map<string, { readonly signature: string; readonly described: Described }>()
  return () => {
    const all = findExperiments(root)
    const names = new Set(all.map(({ name }) => name))
    for (const name of cache.keys()) if (!names.has(name)) cache.delete(name)
    return all.map((experiment) => {
      const children = childrenOf(experiment.folder)
      const signature = [experiment.folder, ...children.map((child) => join(experiment.folder, child))]
        .map(signatureOf)
        .join('\n\n')
      const before = cache.get(experiment.name)
      const described =
        before?.signature === signature ? before.described : describe(experiment, children, names)
      cache.set(experiment.name, { signature, described })
      return withProcess({ ...experiment, ...described }, processes)
    })
  }
}

/** A living process makes it a running experiment. */
function withProcess(entry: Found & Described, processes: Processes): Entry {
  const runner = runnerIn(entry.folder, processes)
  const progress = unlessGone(() => readProgress(entry.folder, processes)) ?? null
  if (!runner && !progress) return { ...entry, runner, progress }
  const datasets = entry.datasets.length > 0 ? entry.datasets : (progress?.datasets ?? [])
  return { ...entry, state: 'running', reason: '', datasets, runner, progress }
}

/** Folders of datasets within the experiment; none if the list was changed, which `describe` reports. */
function childrenOf(folder: string): string[] {
  let folders: readonly string[] | null
  try {
    folders = datasetFolders(folder)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return []
  }
  return (folders ?? []).filter((name) => /^[^/\\]+$/.test(name) && name !== '..' && name !== '.')
}

function describe(
  { name, folder }: Found,
  children: readonly string[],
  names: ReadonlySet<string>,
): Described {
  const nothing = { reason: '', children, winner: null, primary: '', result: null, datasets: [], tags: [] }
  const date = dateOf(folder)
  try {
    const links = [folder, ...children.map((child) => join(folder, child))].flatMap((at) => linkIn(at) ?? [])
    if (links.length > 0)
      throw new UserError(`holds a link (${links[0]}), which could lead out of the served folder`)
    const format = formatOf(folder)
    if (format !== undefined && format !== FORMAT)
      return { ...nothing, date, ...ofOtherFormat(folder, format) }
    const several = datasetFolders(folder)
    const below = (child: string) => (name === '.' ? child : `${name}/${child}`)
    const isFinished = (child: string) =>
      names.has(below(child)) && existsSync(join(folder, child, 'summary.json'))
    if (existsSync(join(folder, 'summary.json')) && (several ?? []).every(isFinished)) {
      const summary = readSummary(folder)
      const { result } = readManifest(folder)
      if (!summary.datasets.every((dataset) => !dataset.folder || several?.includes(dataset.folder)))
        throw new UserError('summary.json names other folders than plan.json; run the config again')
      return { ...nothing, date, ...finished(summary), result }
    }
    if (several) return { ...nothing, date, state: 'stopped', datasets: several }
    // A run was killed before its plan was written.
    if (!existsSync(join(folder, 'plan.json'))) return { ...nothing, date, state: 'stopped' }
    const { dataset, experiment } = readPlan(folder)
    const datasets = [dataset.name]
    const tags = experiment.sample ? ['Sample'] : []
    return { ...nothing, date, state: 'stopped', datasets, tags, primary: experiment.compare.by }
  } catch (error) {
    return { ...nothing, date, state: 'damaged', reason: reasonOf(error, folder) }
  }
}

function ofOtherFormat(folder: string, format: number): Pick<Described, 'state' | 'reason'> {
  const forms = `its files have format ${format}, and this version reads format ${FORMAT}`
  if (format > FORMAT) return { state: 'newer format', reason: `${forms}; update touchstone to open it` }
  const config = existsSync(join(folder, 'experiment.yaml')) ? '`experiment.yaml`' : 'config'
  return { state: 'older format', reason: `${forms}; run its ${config} again` }
}

const MARKS = new Set(['Sample', 'Synthetic questions'])

function finished(summary: Summary): Pick<Described, 'state' | 'winner' | 'primary' | 'tags' | 'datasets'> {
  const board = boardOf(summary)
  const { primary } = board
  const datasets = board.datasets.map((dataset) => dataset.name)
  const [best] = board.ranked
  const tags = summary.findings.map(({ about }) => about).filter((about) => MARKS.has(about))
  const estimate = best?.measures[primary]
  if (!estimate) return { state: 'finished', primary, tags, datasets, winner: null }
  const { mean, low, high } = estimate
  const shown = measured(board, primary, mean)
  const range = isCount(board, primary) ? '' : interval(low, high)
  return {
    state: 'finished',
    primary,
    tags,
    datasets,
    winner: { name: best.name, mean, shown, interval: range },
  }
}

function dateOf(folder: string): number {
  const times = ['manifest.json', 'plan.json']
    .map((file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs)
    .filter((time) => time !== undefined)
  return times[0] ?? statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Message without the served folder's path. */
export function reasonOf(error: unknown, folder: string): string {
  const short = (text: string) => text.replaceAll(`${folder}/`, '').replaceAll(folder, 'it')
  if (error instanceof UserError)
    return error.diagnostics
      .map(({ file, line, message }) =>
        short(
          file === undefined || file === folder
            ? message
            : `${[file, line].filter(Boolean).join(':')}: ${message}`,
        ),
      )
      .join('; ')
  return `cannot be read: ${short(error instanceof Error ? error.message : String(error))}`
}

function unlessGone<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
