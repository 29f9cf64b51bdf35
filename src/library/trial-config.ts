import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { stringify } from 'yaml'
import type { Trial } from '../config/experiment.ts'
import { loadConfig } from '../config/load.ts'
import { UserError } from '../errors.ts'
import type { StoredPlan } from '../experiment/plan/plan.ts'
import { briefName } from '../results/row-names.ts'
import type { Summary, TrialSummary } from '../results/summary.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Json } from '../types.ts'

/** Trial by its name, or by a short name of one trial. */
export function trialNamed(folder: string, { trials }: Summary, name: string): TrialSummary {
  const brief = trials.filter((trial) => briefName(trial) === name)
  const match = trials.find((trial) => trial.name === name) ?? (brief.length === 1 ? brief[0] : undefined)
  if (match) return match
  const names = trials.map((trial) => trial.name)
  throw new UserError(
    `has no trial \`${name}\`${didYouMean(name, names)}; there are ${names.slice(0, 20).join(', ')}`,
    folder,
  )
}

/** Keys that compare trials, of no use to one. */
const COMPARING = ['folds', 'split', 'compare', 'runs']

/**
 * Config of one trial, with paths relative to `folder`. The others follow it if it names them, as a router does.
 */
export async function configOf(
  plan: StoredPlan,
  { id, name }: Pick<TrialSummary, 'id' | 'name'>,
  folder: string,
): Promise<string> {
  const { experiment } = plan
  const trial = experiment.trials.find((candidate) => candidate.id === id)
  if (!trial) throw new Error(`no trial ${id} in the plan`)
  const { [trial.recipe]: recipe } = experiment.recipes
  const comparable = Object.fromEntries(
    Object.entries(experiment.resolved as Record<string, Json>).filter(([key]) => !COMPARING.includes(key)),
  )
  const prepare = Object.fromEntries(
    Object.entries(recipe).map(([key, choice]) => [
      key,
      Array.isArray(choice) ? choice.map(written) : written(choice as Written),
    ]),
  )
  const entry = entryOf(trial)
  const others = experiment.trials
    .filter((other) => other.recipe === trial.recipe && other !== trial)
    .map(entryOf)
  const textWith = (trials: readonly Json[]) =>
    stringify(
      withRelative(
        { ...comparable, prepare, compare: { by: experiment.compare.by }, trials: [...trials] },
        folder,
      ),
    )
  for (const trials of [[entry], [entry, ...others]]) {
    const text = textWith(trials)
    const read = await loadConfig(join(folder, 'recommended.yaml'), { text, set: [], env: {}, folder }).catch(
      (error: unknown) => {
        if (error instanceof UserError) return undefined
        throw error
      },
    )
    if (read?.trials[0].id === id) return text
  }
  throw new UserError(
    `the config of \`${name}\` cannot be written; copy its trial from the experiment's config`,
  )
}

interface Written {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
}

function written({ name, params }: Written): Json {
  return Object.keys(params).length === 0 ? name : { [name]: params }
}

function entryOf({ name, strategy, params, before, after, filter, engine, language }: Trial): Json {
  return {
    name,
    [strategy]: params,
    ...(filter && { filter: { ...filter } as Json }),
    ...(engine && { engine }),
    ...(language && { language: written(language) }),
    ...(before.length > 0 && { before: before.map(written) }),
    ...(after.length > 0 && { after: after.map(written) }),
  }
}

function withRelative(value: Json | undefined, folder: string): Json | undefined {
  if (typeof value === 'string')
    return isAbsolute(value) && dirname(value) !== value && existsSync(value)
      ? relative(folder, value) || '.'
      : value
  if (Array.isArray(value)) return value.map((item) => withRelative(item, folder) as Json)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withRelative(item, folder)]))
}
