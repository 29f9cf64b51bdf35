import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usageOf } from './usage.ts'

const TIMES = 5
const QUICKSTART = ['configs', 'datasets']

/**
 * Short commands, CPU seconds of all threads, the least of five: `--help`, `run --help`, and the quickstart's `run` when nothing is
 * left to do. Baseline: Node with an empty script.
 */
export default {
  name: 'startup',
  run() {
    const root = join(import.meta.dirname, '..')
    const folder = mkdtempSync(join(tmpdir(), 'startup-'))
    try {
      for (const part of QUICKSTART) cpSync(join(root, part), join(folder, part), { recursive: true })
      const run = ['run', 'configs/quickstart.yaml', '--workers', '1']
      usageOf(folder, ...run)
      const node = least(nodeSeconds)
      return [['--help'], ['run', '--help'], run].map((words) => {
        const ours = least(() => usageOf(folder, ...words).seconds)
        const name = words === run ? 'run, nothing to do' : words.join(' ')
        return { case: name, ours_s: ours, peer: 'node', peer_s: node, ratio: node / ours }
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const least = (measure: () => number) => Math.min(...Array.from({ length: TIMES }, measure))

/** CPU seconds of Node alone. */
function nodeSeconds(): number {
  const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)'
  return Number(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout)
}
