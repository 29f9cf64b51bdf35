import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Budget } from '../config/experiment.ts'
import { FORMAT, type Format, hasFormat } from '../results/format.ts'
import { diskError, makeFolder, temporaryName, writerOf, writeWhole } from '../store/write.ts'
import type { Progress } from '../types.ts'
import { isOwn, isRunning, type Processes } from './lock.ts'
import type { Spent } from './plan/spending.ts'

/**
 * Progress of a run for other processes: a JSON file with a temporary name that names its process. It appears before the
 * lock, since models are asked and indexes built earlier. Part of no result.
 */
export interface ProgressRecord {
  readonly format: Format
  readonly experiment: string
  readonly datasets: readonly string[]
  readonly started: number
  readonly written: number
  readonly steps: readonly RecordedStep[]
  readonly spent: Spent
  readonly budget: Budget | null
}

export interface RecordedStep {
  readonly what: string
  readonly done: number
  readonly total: number
  /** Units done at the first report; the others took from `started` to `reported`. */
  readonly first: number
  readonly started: number
  readonly reported: number
}

const NAME = 'progress'

const EVERY = 500

interface Recorder {
  readonly progress: Progress
  /** Removes the file, and folders created for it that are empty. */
  close(): void
}

/** Records progress in `folder`, unless it cannot be written to. */
export function recordProgress(
  folder: string,
  {
    processes,
    spent,
    ...fixed
  }: Pick<ProgressRecord, 'experiment' | 'datasets' | 'budget'> & {
    readonly processes: Processes
    readonly spent: () => Spent
  },
): Recorder {
  const { now } = processes
  const path = temporaryName(join(folder, NAME))
  const keep = processes.removeAtExit(path)
  const started = now()
  const steps = new Map<string, RecordedStep>()
  const created = unlessUnwritable(() => makeFolder(folder))
  let written = Number.NEGATIVE_INFINITY
  let later: NodeJS.Timeout | undefined

  function write(): void {
    clearTimeout(later)
    later = undefined
    written = now()
    const record: ProgressRecord = {
      format: FORMAT,
      ...fixed,
      started,
      written,
      steps: [...steps.values()],
      spent: spent(),
    }
    unlessUnwritable(() => writeWhole(path, `${JSON.stringify(record)}\n`))
  }

  write()
  return {
    progress(label, done, total) {
      const before = steps.get(label)
      const isNew = !before || before.done >= before.total
      if (isNew) steps.delete(label)
      const { first, started } = isNew ? { first: done, started: now() } : before
      steps.set(label, { what: label, done, total, first, started, reported: now() })
      if (now() - written >= EVERY) write()
      else later ??= setTimeout(write, EVERY).unref()
    },
    close() {
      clearTimeout(later)
      unlessUnwritable(() => rmSync(path, { force: true }))
      keep()
      if (created === undefined) return
      try {
        for (let at = folder; at.startsWith(created); at = dirname(at)) rmdirSync(at)
      } catch {
        // Not empty.
      }
    },
  }
}

function unlessUnwritable<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    if (!diskError(error) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

export function readProgress(folder: string, processes: Processes): ProgressRecord | null {
  for (const name of readdirSync(folder)) {
    const writer = name.startsWith(`${NAME}.`) ? writerOf(name) : null
    if (writer?.host !== processes.host || !isRunning(writer, processes)) continue
    try {
      const record: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      if (hasFormat(record)) return record as unknown as ProgressRecord
    } catch {
      // The run has just ended.
    }
  }
  return null
}

export function removeProgress(folder: string, processes: Processes): void {
  for (const name of readdirSync(folder)) {
    const writer = name.startsWith(`${NAME}.`) ? writerOf(name) : null
    if (writer?.host === processes.host && isOwn(writer, processes))
      rmSync(join(folder, name), { force: true })
  }
}
