import { basename, extname } from 'node:path'
import { addTo } from '../maps.ts'
import { canonical } from '../store/hash.ts'
import type { Json } from '../types.ts'
import { trialName } from './choices.ts'
import type { Trial } from './experiment.ts'
import { type Params, type Path, type Problem, refuse, showPath } from './reading.ts'

export interface UnnamedTrial {
  readonly path: Path
  readonly given: string | undefined
  readonly label: string
  readonly facets: Params
  /** Equal for trials that differ only in seeds. */
  readonly row: string
  readonly trial: Omit<Trial, 'name' | 'seeds'>
}

/**
 * Names every trial: as given or its strategy, then what varies, then what else tells trials of one name apart. Equal
 * trials are one. Trials that differ only in seeds are one row. A given name may occur once.
 */
export function nameTrials<T extends UnnamedTrial>(
  drafts: readonly T[],
  problems: Problem[],
): (T & { readonly trial: Trial })[] {
  const distinct = new Map<string, T>()
  for (const draft of drafts) {
    const same = distinct.get(draft.trial.id)
    if (!same) distinct.set(draft.trial.id, draft)
    else if (draft.given !== undefined && draft.given !== same.given)
      refuse(problems, draft.path, `is the same trial as \`${nameOf(same)}\``)
  }
  const givers = new Map<string, Path>()
  for (const { given, path } of distinct.values()) {
    if (given === undefined) continue
    const first = givers.get(given) ?? path
    givers.set(given, first)
    if (showPath(first) !== showPath(path))
      refuse(problems, [...path, 'name'], `another trial has the name \`${given}\``)
  }
  const rows = withoutShared(
    [...groupBy([...distinct.values()], ({ row }) => row).values()].map((group) => joinSeeds(group)),
  )
  const named = new Map<string, T>()
  for (const group of groupBy(
    rows.map(({ first }) => first),
    nameOf,
  ).values()) {
    const differing = group.length === 1 ? [] : differingFacets(group)
    for (const draft of group) {
      const varied: Record<string, Json> = { ...draft.trial.varied }
      for (const facet of differing) if (facet in draft.facets) varied[facet] ??= draft.facets[facet]
      named.set(draft.trial.id, withVaried(draft, varied))
    }
  }
  for (const [name, group] of groupBy([...named.values()], nameOf)) {
    for (const { path } of group.slice(1))
      refuse(problems, path, `another trial has the generated name \`${name}\`; give one a \`name\``)
  }
  return rows.map(({ first, others }) => {
    const draft = named.get(first.trial.id) as T
    const name = nameOf(draft)
    const seeds = others.map(({ trial }) => ({ ...trial, name }))
    return { ...draft, trial: { ...draft.trial, name, ...(seeds.length > 0 && { seeds }) } }
  })
}

function withVaried<T extends UnnamedTrial>(draft: T, varied: Params): T {
  return { ...draft, trial: { ...draft.trial, varied } }
}

interface Row<T> {
  /** First seed, without the varied values that differ. */
  readonly first: T
  readonly others: readonly T[]
}

function withoutShared<T extends UnnamedTrial>(rows: readonly Row<T>[]): Row<T>[] {
  const isShared = ([param, value]: [string, Json]) =>
    rows.every(({ first }) => canonical(first.trial.varied[param]) === canonical(value))
  return rows.map(({ first, others }) => {
    const varied = Object.entries(first.trial.varied).filter((entry) => !isShared(entry))
    return { first: withVaried(first, Object.fromEntries(varied)), others }
  })
}

function joinSeeds<T extends UnnamedTrial>([first, ...others]: readonly T[]): Row<T> {
  const varied = Object.entries(first.trial.varied).filter(([param, value]) =>
    others.every(({ trial }) => canonical(trial.varied[param]) === canonical(value)),
  )
  return { first: withVaried(first, Object.fromEntries(varied)), others }
}

function nameOf({ given, label, trial }: UnnamedTrial): string {
  return trialName(given ?? label, trial.varied)
}

function differingFacets(drafts: readonly UnnamedTrial[]): string[] {
  const facets = new Set(drafts.flatMap((draft) => Object.keys(draft.facets)))
  return [...facets].filter(
    (facet) => new Set(drafts.map((draft) => canonical(draft.facets[facet]))).size > 1,
  )
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) addTo(groups, key(item), item)
  return groups
}

export type Matchable = Pick<
  Trial,
  'id' | 'name' | 'strategy' | 'before' | 'after' | 'filter' | 'engine' | 'language'
>

/**
 * Trials that `name` may mean: by name or id, else by strategy (a file's name with or without ending), else by the
 * beginning of the leaderboard's short form (`hybrid rrf` for `hybrid fusion=rrf alpha=0.5`). Of several, the plain one
 * if there is exactly one.
 */
export function matchTrials<T extends Matchable>(name: string, trials: readonly T[]): readonly T[] {
  const exact = trials.find((trial) => trial.name === name || trial.id === name)
  if (exact) return [exact]
  const wanted = shortName(name)
  const tests: ((trial: T) => boolean)[] = [
    ({ strategy, name: full }) =>
      [strategy, full.split(' ')[0], basename(strategy), basename(strategy, extname(strategy))].includes(
        name,
      ),
    (trial) => shortName(trial.name) === wanted,
    (trial) => shortName(trial.name).startsWith(`${wanted} `),
  ]
  const matches = tests.map((test) => trials.filter(test)).find((some) => some.length > 0) ?? []
  const plain = matches.filter(
    ({ before, after, filter, engine, language }) =>
      before.length + after.length === 0 && !filter && !engine && !language,
  )
  return plain.length === 1 ? plain : matches
}

/** `hybrid alpha=0.5 fusion=rrf` -> `hybrid 0.5 rrf`. */
function shortName(name: string): string {
  return name.replace(/ [^\s=]+=/g, ' ')
}

export function namesOf(trials: readonly { readonly name: string }[]): string {
  const shown = trials.slice(0, 5).map(({ name }) => `\`${name}\``)
  return shown.join(', ') + (trials.length > shown.length ? `, ... (${trials.length} in all)` : '')
}
