import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Work of a process and its threads: CPU seconds (user and system), seconds that passed, and its peak memory. */
export interface Usage {
  readonly seconds: number
  readonly wall: number
  readonly mb: number
}

/**
 * The largest memory is this process's own; that of `process.resourceUsage()` begins with its parent's.
 */
const REPORT = `import { readFileSync, writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const kb = process.platform === 'linux' ? /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] : maxRSS
  writeSync(3, JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, mb: kb / 1024 }))
})`

/** Runs a command of this build in `folder`. Throws an Error with its messages if it fails. */
export function usageOf(folder: string, ...words: readonly string[]): Usage {
  const begin = performance.now()
  const binary = join(import.meta.dirname, '..', 'bin', 'touchstone.js')
  const { status, stderr, output } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`, binary, ...words],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  )
  if (status !== 0) throw new Error(`touchstone ${words.join(' ')}: ${stderr}`)
  return { ...JSON.parse(output[3] as string), wall: (performance.now() - begin) / 1000 }
}
