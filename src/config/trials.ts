import { hashOf } from '../store/hash.ts'
import type { Json } from '../types.ts'
import { findDefinition, readName, readParams, type Variant } from './choice.ts'
import type { Trial } from './experiment.ts'
import { show } from './explain.ts'
import { type Definition, QUERY_TRANSFORM, RANKING_TRANSFORM, STRATEGY } from './kinds.ts'
import { type Draft, nameTrials } from './names.ts'
import type { RecipeVariant } from './prepare.ts'
import { isMap, type Path } from './problem.ts'
import type { Reading } from './reading.ts'
import { chainLabel, readChain } from './transforms.ts'

/** A strategy that the config names by its file, loaded. */
export interface StrategyFile {
  /** Absolute. */
  readonly path: string
  readonly sha256: string
  readonly definition: Definition
}

/** Whether a strategy's name is a file's. */
export function isFile(name: string): boolean {
  return /^\.{0,2}\/|\.(mjs|js|ts)$/.test(name)
}

/** The strategies' names in `trials`, with where they stand; what is no trial is left to `readTrials`. */
export function strategyNames(trials: readonly unknown[], path: Path): { name: string; path: Path }[] {
  return trials.flatMap((raw, place) => {
    const names =
      typeof raw === 'string' ? [raw] : isMap(raw) ? Object.keys(raw).filter((key) => !BESIDE.has(key)) : []
    return names.map((name) => ({ name, path: [...path, place, ...(typeof raw === 'string' ? [] : [name])] }))
  })
}

const RUN = 'run'
const BESIDE: ReadonlySet<string> = new Set(['name', 'before', 'after'])

/** An entry of `trials` and where it stands. */
export interface RawTrial {
  readonly raw: unknown
  readonly path: Path
}

/** A trial and where its entry stands. */
export interface PlacedTrial {
  readonly trial: Trial
  readonly path: Path
}

/**
 * Expands the entries of `trials` over their grids and the recipes, and names them. Runs belong to no recipe and stand
 * over the first. Files are by the name in the config.
 */
export function readTrials(
  entries: readonly RawTrial[],
  recipes: readonly RecipeVariant[],
  files: ReadonlyMap<string, StrategyFile>,
  reading: Reading,
): PlacedTrial[] {
  const drafts: Draft[] = []
  const recipeHashes = recipes.map(({ content }) => hashOf(content))
  for (const { raw, path } of entries) {
    const entry = readEntry(raw, path, files, reading)
    if (!entry) continue
    const isRun = entry.definition.name === RUN
    const over = isRun ? recipes.slice(0, 1) : recipes
    const count = drafts.length + entry.points.length * entry.before.length * entry.after.length * over.length
    if (count > reading.limit) {
      const message = `${count.toLocaleString('en')} trials up to this one; maxTrials is ${reading.limit.toLocaleString('en')}`
      reading.problems.push({ path, message })
      return []
    }
    for (const point of entry.points)
      for (const before of entry.before)
        for (const after of entry.after)
          for (const [recipe, { varied, facets }] of over.entries()) {
            const content = {
              strategy: entry.file?.sha256 ?? entry.definition.name,
              params: point.content,
              before: before.content,
              after: after.content,
              recipe: recipeHashes[recipe],
            }
            drafts.push({
              path,
              given: entry.name,
              label: entry.definition.name,
              facets: {
                ...point.params,
                before: chainLabel(before.choices),
                after: chainLabel(after.choices),
                ...(isRun ? {} : facets),
              },
              trial: {
                id: hashOf(content).slice(0, 16),
                strategy: entry.file?.path ?? entry.definition.name,
                ...(entry.file ? { sha256: entry.file.sha256 } : {}),
                params: point.params,
                varied: {
                  ...sorted(point.varied),
                  ...before.varied,
                  ...after.varied,
                  ...(isRun ? {} : varied),
                },
                before: before.choices,
                after: after.choices,
                recipe,
                place: reading.placeOf(path),
              },
            })
          }
  }
  const paths = new Map(drafts.map(({ trial, path }) => [trial.id, path]))
  return nameTrials(drafts, reading.problems).map((trial) => ({ trial, path: paths.get(trial.id) ?? [] }))
}

function sorted(varied: Variant['varied']): Record<string, Json> {
  return Object.fromEntries(Object.entries(varied).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function readEntry(raw: unknown, path: Path, files: ReadonlyMap<string, StrategyFile>, reading: Reading) {
  const { name, before, after, ...rest } = isMap(raw)
    ? raw
    : { name: undefined, before: undefined, after: undefined }
  const keys = Object.keys(rest)
  if (isMap(raw) && keys.length !== 1) {
    const there =
      keys.length === 0 ? 'there is none' : `there are ${keys.map((key) => `\`${key}\``).join(' and ')}`
    const message = `a trial has one strategy, beside which may stand name, before, after; ${there}`
    reading.problems.push({ path: keys.length === 0 ? path : [...path, keys[1]], on: 'key', message })
  }
  const found =
    isMap(raw) && keys.length !== 1 ? undefined : readName(isMap(raw) ? rest : raw, path, 'trial', reading)
  const chains = {
    before: readChain(before, [...path, 'before'], 'before', QUERY_TRANSFORM, reading),
    after: readChain(after, [...path, 'after'], 'after', RANKING_TRANSFORM, reading),
  }
  if (name !== undefined && (typeof name !== 'string' || !/^\S(.*\S)?$/.test(name))) {
    reading.problems.push({ path: [...path, 'name'], message: `a trial's name is text, not ${show(name)}` })
    return undefined
  }
  if (!found) return undefined
  const file = files.get(found.name)
  if (!file && isFile(found.name)) return undefined
  const definition = file?.definition ?? findDefinition(found.name, found.at, STRATEGY, reading)
  if (!definition) return undefined
  return {
    name: name as string | undefined,
    definition,
    file,
    ...chains,
    points: readParams(definition, found.params, found.at, reading),
  }
}
