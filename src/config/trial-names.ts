import { basename, extname } from 'node:path'
import type { Trial } from './experiment.ts'
import { isMap } from './problem.ts'
import { isFile, type RawTrial, strategyNames } from './trials.ts'

/**
 * The trials that `name` may mean: the one with this name or id, else those of this strategy (a file's by its name with
 * or without ending), else those with this beginning of their name (`hybrid rrf` for `hybrid fusion=rrf alpha=0.5` in
 * the short form that the leaderboard prints).
 */
export function matchTrials<T extends Pick<Trial, 'id' | 'name' | 'strategy'>>(
  name: string,
  trials: readonly T[],
): readonly T[] {
  const exact = trials.find((trial) => trial.name === name || trial.id === name)
  if (exact) return [exact]
  const ofStrategy = trials.filter(
    ({ strategy, name: own }) =>
      strategy === name ||
      own.split(' ')[0] === name ||
      basename(strategy) === name ||
      basename(strategy, extname(strategy)) === name,
  )
  if (ofStrategy.length > 0) return ofStrategy
  const wanted = shortName(name)
  const short = trials.filter((trial) => shortName(trial.name) === wanted)
  if (short.length > 0) return short
  return trials.filter((trial) => shortName(trial.name).startsWith(`${wanted} `))
}

/** `hybrid alpha=0.5 fusion=rrf` -> `hybrid 0.5 rrf`, as the leaderboard shows it. */
function shortName(name: string): string {
  return name.replace(/ [^\s=]+=/g, ' ')
}

/** What is known of names when a config is not all in order. */
export interface TrialNames {
  /** Whether a trial has this very name. */
  has(name: string): boolean
  /** Whether an entry that could not be read might have come to it. */
  mayBe(name: string): boolean
}

/** `unread` are the entries of which some could not be read; none where all could. */
export function trialNames(trials: readonly Trial[], unread: readonly RawTrial[]): TrialNames {
  const own = new Set(trials.map(({ name }) => name))
  const given = unread.flatMap(({ raw }) => [
    ...strategyNames([raw], []).map(({ name }) => name),
    ...(isMap(raw) && typeof raw.name === 'string' ? [raw.name] : []),
  ])
  return {
    has: (name) => own.has(name),
    // What a file's strategy calls itself is known only when it is read.
    mayBe: (name) => given.some((known) => isFile(known) || name === known || name.startsWith(`${known} `)),
  }
}
