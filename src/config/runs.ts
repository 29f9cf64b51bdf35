import { basename, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { expandPaths } from '../runs/glob.ts'
import { show } from './explain.ts'
import { isMap, type Path } from './problem.ts'
import type { Reading } from './reading.ts'
import type { RawTrial } from './trials.ts'

/** `runs` as entries of `trials`: a run is a trial of the strategy `run`, named after its file. */
export function readRuns(runs: readonly unknown[], reading: Reading): RawTrial[] {
  return runs.flatMap((run, place): RawTrial[] => {
    const path = ['runs', place]
    if (typeof run === 'string' && run !== '')
      return filesAt(run, path, reading).map((file) => ({
        path,
        raw: { name: nameOf(file), run: { path: file } },
      }))
    if (!isMap(run)) {
      reading.problems.push({
        path,
        message: `a run is a file or a map of path, name, lenient, not ${show(run)}`,
      })
      return []
    }
    const { name, ...params } = run
    if (typeof params.path !== 'string') return [{ path, raw: { name, run: params } }]
    return filesAt(params.path, [...path, 'path'], reading).map((file) => ({
      path,
      raw: { name: name ?? nameOf(file), run: { ...params, path: file } },
    }))
  })
}

/** The files that a path or a pattern names, absolute. */
function filesAt(pattern: string, path: Path, reading: Reading): string[] {
  const absolute = resolve(reading.folderOf(path), pattern)
  if (absolute !== pattern) reading.resolved.push({ path, on: 'value', value: absolute })
  try {
    return expandPaths([absolute])
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    reading.problems.push({ path, message: error.message })
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
