import { printable } from '../text/printable.ts'
import type { Progress } from '../types.ts'

/** Stream of the process, or a stand-in of a test. */
export interface Screen {
  write(text: string): void
  readonly isTerminal: boolean
  readonly columns: number
}

/** Characters of the bar. */
const BAR = 16
/** Milliseconds between two drawings, and between two lines without a terminal. */
const REDRAW = 100
const LINE_EVERY = 60_000
/** Milliseconds from which a finished step leaves a line on a terminal. */
const WORTH_A_LINE = 1000

/**
 * One redrawn line on a terminal, otherwise one line per minute. A finished step leaves a line with its time. Rate
 * and remaining time count from the first report.
 */
export function showProgress(
  screen: Screen,
  clock: () => number,
  memory: () => number,
): { progress: Progress; clear(): void } {
  const started = new Map<string, { at: number; done: number; told: number; named: boolean }>()
  let drawn = false

  function clear(): void {
    if (drawn) screen.write('\r\x1b[2K')
    drawn = false
  }

  const progress: Progress = (label, done, total) => {
    const now = clock()
    // Short work needs no line.
    const printedAt = screen.isTerminal ? Number.NEGATIVE_INFINITY : now
    const work = started.get(label) ?? { at: now, done, told: printedAt, named: false }
    started.set(label, work)
    if (done >= total) {
      started.delete(label)
      clear()
      const took = now - work.at
      // A step around others with lines needs none.
      if (work.named || took < (screen.isTerminal ? WORTH_A_LINE : LINE_EVERY)) return
      for (const outer of started.values()) outer.named = true
      screen.write(`${oneLine(finishedLine(label, total - work.done, took / 1000))}\n`)
      return
    }
    if (now - work.told < (screen.isTerminal ? REDRAW : LINE_EVERY)) return
    work.told = now
    const [seconds, fresh, megabytes] = [(now - work.at) / 1000, done - work.done, memory() / 1e6]
    const hasBar = screen.isTerminal
    const line = oneLine(progressLine({ what: label, done, total, seconds, fresh, megabytes, hasBar }))
    screen.write(hasBar ? `\r\x1b[2K${line.slice(0, screen.columns - 1)}` : `${line}\n`)
    drawn = hasBar
  }

  return { progress, clear }
}

const oneLine = (text: string) => printable(text).replaceAll('\n', ' ')

/** `fresh` of the finished units took `seconds`. */
interface Work {
  readonly what: string
  readonly done: number
  readonly total: number
  readonly fresh: number
  readonly seconds: number
  readonly megabytes: number
  readonly hasBar?: boolean
}

/** `shards  ━━━━━━──────────  12/32   37 %   0.4/s   50s left   812 MB`. */
export function progressLine({ what, done, total, fresh, seconds, megabytes, hasBar }: Work): string {
  const full = Math.floor((BAR * done) / total)
  const drawn = hasBar ? `${'━'.repeat(full)}${'─'.repeat(BAR - full)}  ` : ''
  const parts =
    total > 1 ? [`${what}  ${drawn}${done}/${total}`, `${Math.floor((100 * done) / total)} %`] : [what]
  const rate = fresh / seconds
  if (fresh > 0 && seconds > 0)
    parts.push(
      `${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`,
      `${duration((total - done) / rate)} left`,
    )
  else if (seconds >= 1) parts.push(duration(seconds))
  return [...parts, `${Math.round(megabytes)} MB`].join('   ')
}

/** `✓ embedding MiniLM  581   12.4 s`. */
function finishedLine(label: string, units: number, seconds: number): string {
  const count = units > 1 ? `  ${units.toLocaleString('en')}` : ''
  return `✓ ${label}${count}   ${seconds < 60 ? `${seconds.toFixed(1)} s` : duration(seconds)}`
}

/** `8s`, `1m 17s`, `2h 5m`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole}s`
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`
  return `${Math.floor(whole / 3600)}h ${Math.floor((whole % 3600) / 60)}m`
}
