import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { detectFormat } from '../dataset/load.ts'
import type { Choice } from '../indexes/recipe.ts'
import { canonical } from '../store/hash.ts'
import { readChoice } from './choice.ts'
import { FORMAT } from './kinds.ts'
import type { Path } from './problem.ts'
import type { Reading } from './reading.ts'

/** Reads `dataset`: a path, a map of one format to its params, or a list of these. */
export function readDatasets(raw: unknown, reading: Reading): Choice[] {
  // That the key is missing is found with the other keys.
  if (raw === undefined) return []
  if (!Array.isArray(raw)) return readOne(raw, ['dataset'], reading)
  if (raw.length === 0)
    reading.problems.push({ path: ['dataset'], message: 'the list is empty; name at least one dataset' })
  const found = raw.flatMap((item, place) => {
    const path = ['dataset', place]
    return readOne(item, path, reading).map((choice) => ({ path, choice }))
  })
  refuseEqual(found, reading)
  return found.map(({ choice }) => choice)
}

/** What a dataset is called in results: the last part of its path. */
export function datasetName({ params }: Choice): string {
  return basename(String(params.path))
}

function readOne(raw: unknown, path: Path, reading: Reading): Choice[] {
  if (raw === null) {
    const message = 'is empty; a dataset is a folder, or a map of one format to its params'
    reading.problems.push({ path, message })
    return []
  }
  const found = readDataset(raw, path, reading)
  if (found.length > 1)
    reading.problems.push({
      path,
      message: 'a grid stands in `prepare` or `trials`; several datasets are a list: `dataset: [a, b]`',
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

/** Tables and folders name a dataset by the last part of its path: two of one name would be one there. */
function refuseEqual(found: readonly { path: Path; choice: Choice }[], { problems }: Reading): void {
  const named = new Map<string, Choice>()
  for (const { path, choice } of found) {
    const name = datasetName(choice)
    const first = named.get(name)
    if (!first) named.set(name, choice)
    else if (canonical({ ...first }) === canonical({ ...choice }))
      problems.push({ path, message: `the dataset \`${name}\` is listed already` })
    else
      problems.push({
        path,
        message: `another dataset is called \`${name}\` too; rename one of them, or give it a link of another name`,
      })
  }
}
