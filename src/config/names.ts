import { canonical } from '../store/hash.ts'
import type { Json } from '../types.ts'
import type { Trial } from './experiment.ts'
import { valueLabel } from './labels.ts'
import { type Path, type Problem, showPath } from './problem.ts'

/** A trial before its name. */
export interface Draft {
  /** Where its entry stands. */
  readonly path: Path
  /** The name that the entry gives. */
  readonly given: string | undefined
  /** The strategy's name. */
  readonly label: string
  /** Everything that may be named to tell it from another. */
  readonly facets: Readonly<Record<string, Json>>
  readonly trial: Omit<Trial, 'name'>
}

/**
 * Names every trial: as given or its strategy, then what varies. Where that is not enough, what differs between the
 * trials of one name is added. Equal trials are one; the first stands. Two of one given name are a problem.
 */
export function nameTrials(drafts: readonly Draft[], problems: Problem[]): Trial[] {
  const distinct = new Map<string, Draft>()
  for (const draft of drafts) {
    const same = distinct.get(draft.trial.id)
    if (!same) distinct.set(draft.trial.id, draft)
    else if (draft.given !== undefined && draft.given !== same.given)
      problems.push({ path: draft.path, message: `is the same trial as \`${nameOf(same)}\`` })
  }
  const givers = new Map<string, Path>()
  for (const { given, path } of distinct.values()) {
    if (given === undefined) continue
    const first = givers.get(given) ?? path
    givers.set(given, first)
    if (showPath(first) !== showPath(path))
      problems.push({ path: [...path, 'name'], message: `another trial has the name \`${given}\`` })
  }
  const named = [...groupBy([...distinct.values()], nameOf).values()].flatMap((group) => {
    if (group.length === 1) return group
    const differing = differingFacets(group)
    return group.map((draft) => {
      const added = differing.filter((facet) => facet in draft.facets && !(facet in draft.trial.varied))
      const varied = {
        ...draft.trial.varied,
        ...Object.fromEntries(added.map((facet) => [facet, draft.facets[facet]])),
      }
      return { ...draft, trial: { ...draft.trial, varied } }
    })
  })
  for (const [name, group] of groupBy(named, nameOf)) {
    for (const { path } of group.slice(1))
      problems.push({ path, message: `another trial comes to the name \`${name}\`; give one a \`name\`` })
  }
  const order = new Map([...distinct.keys()].map((id, place) => [id, place]))
  return named
    .map((draft): Trial => ({ ...draft.trial, name: nameOf(draft) }))
    .sort((a, b) => order.get(a.id)! - order.get(b.id)!)
}

function nameOf({ given, label, trial }: Draft): string {
  return trialName(given ?? label, trial.varied)
}

/** `hybrid alpha=0.3 fusion=rrf`: words apart at single spaces. */
export function trialName(label: string, varied: Readonly<Record<string, Json>>): string {
  return [label, ...Object.entries(varied).map(([name, value]) => `${name}=${valueLabel(value)}`)].join(' ')
}

function differingFacets(drafts: readonly Draft[]): string[] {
  const facets = new Set(drafts.flatMap((draft) => Object.keys(draft.facets)))
  return [...facets].filter(
    (facet) => new Set(drafts.map((draft) => canonical(draft.facets[facet]))).size > 1,
  )
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = key(item)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return groups
}
