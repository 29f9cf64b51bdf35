import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { detectFormat } from '../dataset/load.ts'
import type { Choice } from '../indexes/recipe.ts'
import { type Reading, readChoice } from './choice.ts'
import { FORMAT } from './kinds.ts'
import type { Path } from './problem.ts'

/** Reads `dataset`: a path, or a map of one format to its params. */
export function readDatasets(raw: unknown, reading: Reading): Choice[] {
  // That the key is missing is found with the other keys.
  if (raw === undefined) return []
  if (raw === null) {
    const message = 'is empty; a dataset is a folder, or a map of one format to its params'
    reading.problems.push({ path: ['dataset'], message })
    return []
  }
  const found = readDataset(raw, ['dataset'], reading)
  if (found.length > 1)
    reading.problems.push({
      path: ['dataset'],
      message: 'an experiment has one dataset; a grid stands in `prepare` or `trials`',
    })
  return found
}

function readDataset(raw: unknown, path: Path, reading: Reading): Choice[] {
  if (typeof raw !== 'string') return readChoice(raw, path, FORMAT, reading).map(({ choice }) => choice)
  const folder = resolve(reading.folderOf(path), raw)
  if (!existsSync(folder)) {
    const isFormat = FORMAT.definitions.has(raw) ? `; \`${raw}\` as a format is {${raw}: {path: ...}}` : ''
    reading.problems.push({ path, message: `there is no file or folder ${folder}${isFormat}` })
    return []
  }
  const name = detectFormat(folder)
  const [variant] = readChoice({ [name]: { path: folder } }, path, FORMAT, reading)
  if (folder !== raw) reading.resolved.push({ path, on: 'value', value: folder })
  return variant ? [variant.choice] : []
}
