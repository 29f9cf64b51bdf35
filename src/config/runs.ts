import { basename, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { expandPaths } from '../runs/glob.ts'
import type { Reading } from './choice.ts'
import type { RawConfig } from './schema.ts'
import type { RawTrial } from './trials.ts'

/** `runs` as entries of `trials`: a run is a trial of the strategy `run`, named after its file. */
export function readRuns(runs: RawConfig['runs'], reading: Reading): RawTrial[] {
  return runs.flatMap((run, place) => {
    const at = ['runs', place]
    const { path, name, lenient } =
      typeof run === 'string' ? { path: run, name: undefined, lenient: false } : run
    const pathAt = typeof run === 'string' ? at : [...at, 'path']
    const absolute = resolve(reading.folderOf(pathAt), path)
    if (absolute !== path) reading.resolved.push({ path: pathAt, on: 'value', value: absolute })
    const files = expand(absolute, (message) => reading.problems.push({ path: pathAt, message }))
    return files.map((file) => ({
      path: at,
      raw: { name: name ?? nameOf(file), run: { path: file, lenient } },
    }))
  })
}

function expand(pattern: string, complain: (message: string) => void): string[] {
  try {
    return expandPaths([pattern])
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    complain(error.message)
    return []
  }
}

/** `theirs` for `theirs.trec.gz`. */
function nameOf(file: string): string {
  const name = basename(file)
    .replace(/\.gz$/, '')
    .replace(/\.[^.]+$/, '')
  return name.trim().replace(/\s+/g, '-') || 'run'
}
