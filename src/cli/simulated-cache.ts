import { z } from 'zod'
import { type Diagnostic, UserError } from '../errors.ts'
import { terminalTable } from '../report/table.ts'
import { readText } from '../store/input.ts'
import { dateSpan } from '../text/numbers.ts'
import { fieldComplaint } from '../text/schema-words.ts'
import type { Io } from './io.ts'

export function printSimulatedCache(
  log: string,
  { size, ttl }: { readonly size: number; readonly ttl: number },
  io: Io,
): void {
  const outcome = simulateCache(readLog(log), { size, ttl: 1000 * ttl })
  io.result(outcome, render(outcome))
}

/** Milliseconds since 1970; undefined for days without a time, and for ambiguous dates. */
function timeOf(text: string): number | undefined {
  return /\d[T ]\d/.test(text) ? dateSpan(text)?.start : undefined
}

/** Questions are equal if text, trial and params are. */
const line = z.looseObject({
  query: z.string(),
  timestamp: z
    .string()
    .refine((text) => timeOf(text) !== undefined, 'is not a time such as 2026-11-23T18:00:00Z'),
  trial: z.string().optional(),
  params: z.unknown().optional(),
})

function readLog(file: string): Arrival[] {
  const diagnostics: Diagnostic[] = []
  const arrivals: Arrival[] = []
  readText(file, 'a log of questions')
    .split(/\r?\n/)
    .forEach((text, index) => {
      if (text.trim() === '') return
      const location = { file, line: index + 1 }
      let parsed: unknown
      try {
        parsed = JSON.parse(text)
      } catch {
        diagnostics.push({ ...location, message: 'is no JSON object on a line of its own' })
        return
      }
      const { data, error } = line.safeParse(parsed)
      if (error) {
        for (const issue of error.issues)
          diagnostics.push({ ...location, message: fieldComplaint(issue, parsed) })
        return
      }
      const { query, timestamp, trial, params } = data
      const time = timeOf(timestamp) ?? 0
      const before = arrivals.at(-1)?.time ?? time
      if (time < before)
        diagnostics.push({ ...location, message: 'is earlier than the line before; sort the log by time' })
      arrivals.push({ key: JSON.stringify([query, trial, params]), time })
    })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return arrivals
}

function render({ queries, hits, expired, evicted }: CacheOutcome): string {
  if (queries === 0) return 'the log holds no question'
  const first = queries - hits - expired - evicted
  const share = (count: number) => `${((100 * count) / queries).toFixed(1)} %`
  const rows: readonly (readonly [string, number])[] = [
    ['questions', queries],
    ['found in the cache', hits],
    ['asked the first time', first],
    ['asked again: too old', expired],
    ['asked again: put out', evicted],
  ]
  return terminalTable(rows, [
    { head: '', left: true, text: ([name]) => name },
    { head: '', text: ([, count]) => count.toLocaleString('en') },
    { head: '', text: ([, count]) => share(count) },
  ])
}

/** `time`: milliseconds, not descending. */
export interface Arrival {
  readonly key: string
  readonly time: number
}

interface CacheOptions {
  readonly size: number
  /** Milliseconds from when an entry was put in. */
  readonly ttl: number
}

interface CacheOutcome {
  readonly queries: number
  readonly hits: number
  /** Misses on entries that were too old. */
  readonly expired: number
  /** Misses on entries that were evicted. */
  readonly evicted: number
}

/**
 * Evicts the least recently used entry first; an entry older than `ttl` is a miss. Times are those of the log.
 */
export function simulateCache(arrivals: readonly Arrival[], { size, ttl }: CacheOptions): CacheOutcome {
  // A Map keeps the order in which entries were set.
  const entries = new Map<string, number>()
  const gone = new Set<string>()
  const outcome = { queries: arrivals.length, hits: 0, expired: 0, evicted: 0 }
  for (const { key, time } of arrivals) {
    const since = entries.get(key)
    entries.delete(key)
    const fresh = since !== undefined && time - since <= ttl
    if (fresh) outcome.hits++
    else if (since !== undefined) outcome.expired++
    else if (gone.has(key)) outcome.evicted++
    entries.set(key, fresh ? since : time)
    if (entries.size > size) {
      const [oldest] = entries.keys()
      entries.delete(oldest)
      gone.add(oldest)
    }
  }
  return outcome
}
