import { resolve } from 'node:path'
import { languages } from '../corpus/lexical/text-profile.ts'
import { customQueryTransform, customRankingTransform, customStrategy } from '../retrieve/custom/kinds.ts'
import { FITTED, isFitted } from '../retrieve/router/rules.ts'
import { type Strategy, strategies } from '../retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../retrieve/transforms/index.ts'
import { expandPaths } from '../runs/glob.ts'
import { hashOf } from '../store/hash.ts'
import { stemOf } from '../store/input.ts'
import { isMap } from '../text/json.ts'
import { show } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { choicesLabel, readChoice, readSlotChoices, type Slot, type Variant } from './choices.ts'
import type { Trial } from './experiment.ts'
import { type ChoiceSource, customFile, isFile } from './files.ts'
import { combinationAt, MAX_TRIALS, productOf } from './grid.ts'
import { nameTrials, type UnnamedTrial } from './names.ts'
import type { RecipeVariant } from './prepare.ts'
import { attempt, type Path, type Reading, refuse } from './reading.ts'
import { ENGINE, FILTER, readTrialKey } from './trial-keys.ts'

export interface TrialEntry {
  readonly raw: unknown
  readonly path: Path
}

export interface PlacedTrial {
  readonly trial: Trial
  readonly path: Path
  readonly paramPaths: Variant['paths']
}

/** True if an entry that could not be read might have this name. */
export function mayBeUnread(name: string, unread: readonly TrialEntry[]): boolean {
  const unreadNames = unread.flatMap((entry) => [
    ...strategyNames(entry).map((strategy) => strategy.name),
    ...(isMap(entry.raw) && typeof entry.raw.name === 'string' ? [entry.raw.name] : []),
  ])
  // The name of a file's strategy is known only after the file is read.
  return unreadNames.some(
    (unreadName) => isFile(unreadName) || name === unreadName || name.startsWith(`${unreadName} `),
  )
}

export const STRATEGIES = { registry: strategies, custom: customStrategy } satisfies ChoiceSource<Strategy>

/** Strategies that an entry names; invalid entries are left to `readTrials`. */
export function strategyNames({ raw, path }: TrialEntry): { name: string; path: Path }[] {
  if (typeof raw === 'string') return [{ name: raw, path }]
  const names = isMap(raw) ? Object.keys(raw).filter((key) => !OPTIONS.has(key)) : []
  return names.map((name) => ({ name, path: [...path, name] }))
}

const OPTIONS: ReadonlySet<string> = new Set(['name', 'engine', 'language', 'filter', 'before', 'after'])

/** `runs` as entries: each is a trial of the strategy `run`, named after its file. */
export function readRuns(runs: readonly unknown[], reading: Reading): TrialEntry[] {
  return runs.flatMap((raw, index): TrialEntry[] => {
    const path = ['runs', index]
    const isText = typeof raw === 'string'
    const run = isText && raw !== '' ? { path: raw } : raw
    if (!isMap(run)) {
      const message = `a run is a file or a map of path (or trajectory) and name, not ${show(raw)}`
      refuse(reading.problems, path, message)
      return []
    }
    const { name, ...params } = run
    const key = 'trajectory' in params ? 'trajectory' : 'path'
    const pattern = params[key]
    if (typeof pattern !== 'string') return [{ path, raw: { name, run: params } }]
    const at = isText ? path : [...path, key]
    const absolute = resolve(reading.folderOf(at), pattern)
    if (absolute !== pattern) reading.rewrites.push({ path: at, on: 'value', value: absolute })
    const files = attempt(() => expandPaths([absolute]), at, reading.problems) ?? []
    return files.map((file) => ({
      path,
      raw: {
        name: name ?? (stemOf(file).trim().replace(/\s+/g, '-') || 'run'),
        run: { ...params, [key]: file },
      },
    }))
  })
}

/**
 * Expands the entries over their grids and the recipes, and names the trials. Runs belong to no recipe; they get the
 * first.
 */
export function readTrials(
  entries: readonly TrialEntry[],
  recipes: readonly RecipeVariant[],
  reading: Reading,
): readonly PlacedTrial[] {
  const drafts: (UnnamedTrial & Pick<PlacedTrial, 'paramPaths'>)[] = []
  const recipeHashes = recipes.map(({ content }) => hashOf(content))
  const seedlessRecipes = recipes.map(({ content }) => hashOf(withoutSeeds(content)))
  for (const { raw, path } of entries) {
    const entry = readEntry(raw, path, reading)
    if (!entry) continue
    const { given, variants, befores, afters, filters, engines, spoken, file, label } = entry
    const isRun = label === 'run'
    const over = isRun ? recipes.slice(0, 1) : recipes
    const parts = [variants, befores, afters, filters, engines, spoken, over] as const
    const count = productOf(parts.map((part) => part.length))
    if (drafts.length + count > MAX_TRIALS) {
      const message = `${(drafts.length + count).toLocaleString('en')} trials up to this one; at most ${MAX_TRIALS.toLocaleString('en')} are allowed`
      refuse(reading.problems, path, message)
      return []
    }
    for (let index = 0; index < count; index++) {
      const [variant, before, after, filter, engine, spoken, prepared] = combinationAt(parts, index)
      const { params } = variant.choice
      const [language] = spoken.choices
      const recipe = recipes.indexOf(prepared)
      const content = {
        strategy: file?.sha256 ?? label,
        params: variant.content,
        before: before.content,
        after: after.content,
      }
      const searching = {
        ...(filter.value && { filter: filter.content }),
        ...(engine.value && { engine: engine.content }),
        ...(language && { language: spoken.content }),
      }
      drafts.push({
        path,
        row: hashOf([given ?? null, withoutSeeds(content), searching, seedlessRecipes[recipe]]),
        paramPaths: variant.paths,
        given,
        label: isFitted({ strategy: label, params }) ? `${label} ${FITTED}` : label,
        facets: {
          ...params,
          before: choicesLabel(before.choices),
          after: choicesLabel(after.choices),
          filter: filter.label,
          engine: engine.label,
          ...(!isRun && prepared.facets),
          ...(language && { language: choicesLabel([language]) }),
        },
        trial: {
          id: hashOf({ ...content, ...searching, recipe: recipeHashes[recipe] }).slice(0, 16),
          strategy: file?.path ?? label,
          ...(file && { sha256: file.sha256 }),
          params,
          varied: {
            ...sorted(variant.varied),
            ...before.varied,
            ...after.varied,
            // A given name is shown without filter and engine.
            ...(filter.value && given === undefined && filter.label !== '' && { filter: filter.label }),
            ...filter.varied,
            ...(engine.value && given === undefined && { engine: engine.label }),
            ...engine.varied,
            ...(!isRun && prepared.varied),
            ...spoken.varied,
          },
          before: before.choices,
          after: after.choices,
          ...(filter.value && { filter: filter.value }),
          ...(engine.value && { engine: engine.value }),
          ...(language && { language }),
          recipe,
          location: reading.locate(path),
        },
      })
    }
  }
  return nameTrials(drafts, reading.problems)
}

/** Without numbers called `seed`, at any depth. */
function withoutSeeds(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSeeds)
  if (!isMap(value)) return value
  const entries = Object.entries(value).filter(([key, item]) => key !== 'seed' || typeof item !== 'number')
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutSeeds(item as Json)]))
}

function sorted(varied: Variant['varied']): Record<string, Json> {
  return Object.fromEntries(Object.entries(varied).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function readEntry(raw: unknown, path: Path, reading: Reading) {
  const { name, filter, engine, language, before, after, ...rest }: Record<string, unknown> = isMap(raw)
    ? raw
    : {}
  const refused = (message: string, at = path, on?: 'key'): undefined => {
    reading.problems.push({ path: at, on, message })
  }
  const befores = readSlotChoices(before, [...path, 'before'], BEFORE, reading)
  const afters = readSlotChoices(after, [...path, 'after'], AFTER, reading)
  const filters = readTrialKey(filter, [...path, 'filter'], FILTER, reading)
  const engines = readTrialKey(engine, [...path, 'engine'], ENGINE, reading)
  const spoken = readSlotChoices(language, [...path, 'language'], LANGUAGE, reading)
  if (name !== undefined && (typeof name !== 'string' || !/^\S(.{0,198}\S)?$/.test(name)))
    refused(`a trial's name is text of one line and at most 200 letters, not ${show(name)}`, [
      ...path,
      'name',
    ])
  const keys = isMap(raw) ? Object.keys(rest) : [raw]
  if (keys.length !== 1) {
    const there =
      keys.length === 0 ? 'there is none' : `there are ${keys.map((key) => `\`${key}\``).join(' and ')}`
    const at = keys.length === 0 ? path : [...path, String(keys[1])]
    return refused(
      `a trial has one strategy, and optionally name, engine, language, filter, before, after; ${there}`,
      at,
      'key',
    )
  }
  const [strategy] = keys
  if (typeof strategy !== 'string' || strategy === '')
    return refused(`a trial is a name or a map of one name to its params, not ${show(raw)}`)
  const at = isMap(raw) ? [...path, strategy] : path
  const file = isFile(strategy) ? customFile(strategy, at, customStrategy, reading) : undefined
  if (!file && isFile(strategy)) return undefined
  return {
    given: typeof name === 'string' ? name : undefined,
    label: file?.definition.name ?? strategy,
    file,
    befores,
    afters,
    filters,
    engines,
    spoken,
    variants: readChoice(isMap(raw) ? rest : raw, path, STRATEGIES, reading),
  }
}

export const LANGUAGE: Slot = { key: 'language', takes: 'one', registry: languages }
export const BEFORE: Slot = {
  key: 'before',
  takes: 'list',
  registry: queryTransforms,
  custom: customQueryTransform,
}
export const AFTER: Slot = {
  key: 'after',
  takes: 'list',
  registry: rankingTransforms,
  custom: customRankingTransform,
}
