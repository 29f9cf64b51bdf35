import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Work of a process and its threads: CPU seconds (user and system), and the most memory it held. */
export interface Usage {
  readonly seconds: number
  readonly mb: number
}

const REPORT = `import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))`

/** Runs a command of this build in `folder`. Throws an Error with its messages if it fails. */
export function usageOf(folder: string, ...words: readonly string[]): Usage {
  const binary = join(import.meta.dirname, '..', 'bin', 'touchstone.js')
  const { status, stderr, output } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`, binary, ...words],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  )
  if (status !== 0) throw new Error(`touchstone ${words.join(' ')}: ${stderr}`)
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(output[3] as string)
  return { seconds: (userCPUTime + systemCPUTime) / 1e6, mb: maxRSS / 1024 }
}
