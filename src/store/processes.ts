import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Seen {
  /** One letter, as `ps` prints it: Z is a zombie, X is dead. */
  readonly state: string
  /** True if it was killed or is exiting, which may take long on a busy machine. */
  readonly ending?: boolean
  /** Ticks since boot on Linux, milliseconds since 1970 elsewhere; null if unknown. */
  readonly started: number | null
}

/**
 * True if a process still runs, or cannot be examined. A zombie, one with an undelivered SIGKILL, and one that
 * started at another time are dead.
 */
export function isAlive(pid: number, started: number | null): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const seen = see(pid)
  if (seen === null) return true
  if (/^[ZXx]/.test(seen.state) || seen.ending) return false
  return started === null || seen.started === null || seen.started === started
}

let startedAt: number | null | undefined

/** Start time of this process; null if the system does not show it. */
export function startOfThis(): number | null {
  if (startedAt === undefined) startedAt = see(process.pid)?.started ?? null
  return startedAt
}

function see(pid: number): Seen | null {
  if (process.platform === 'linux') return seeInProc(pid)
  return process.platform === 'win32' ? null : seeByPs(pid)
}

const EXITING = 0x4
const SIGKILL = 9

function isKilled(status: string): boolean {
  const pending = [...status.matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)]
  return pending.some(([, mask]) => (BigInt(`0x${mask}`) & (1n << BigInt(SIGKILL - 1))) !== 0n)
}

function seeInProc(pid: number): Seen | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses, which may hold spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ending =
      (Number(fields[6]) & EXITING) !== 0 || isKilled(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return { state: fields[0], ending, started: wholeNumber(Number(fields[19])) }
  } catch {
    return null
  }
}

export function seeByPs(pid: number): Seen | null {
  try {
    const text = execFileSync('ps', ['-o', 'state=', '-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5000,
    })
    const [state, ...start] = text.trim().split(/\s+/)
    return state ? { state, started: wholeNumber(Date.parse(`${start.join(' ')} UTC`)) } : null
  } catch {
    return null
  }
}

const wholeNumber = (value: number) => (Number.isSafeInteger(value) ? value : null)
