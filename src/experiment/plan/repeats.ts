import type { Trial } from '../../config/experiment.ts'
import type { Choice, Recipe } from '../../corpus/recipe.ts'
import { sha256 } from '../../store/hash.ts'
import { isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { type CompiledTrial, compileTrial, type Registries } from './compile.ts'

/** Repeat of a trial with new random draws. */
export interface RepeatedTrial extends CompiledTrial {
  /** Index of the repeated trial. */
  readonly of: number
  /** Number of the repeat, from 1; 0 is the trial itself. */
  readonly repeat: number
}

/**
 * Additional repeats of the stochastic trials: those with a seed or a completion number in their params or in what is prepared
 * for them. A trial that computes the same with any seed has none. Chunks are cut once, so all repeats have the same gold.
 */
export function compileRepeats(
  compiled: readonly CompiledTrial[],
  trials: readonly Trial[],
  recipes: readonly Recipe[],
  registries: Registries,
  repeats: number,
): RepeatedTrial[] {
  const found: RepeatedTrial[] = []
  const byId = new Map(trials.map((trial, index) => [trial.id, index]))
  for (let repeat = 1; repeat < repeats; repeat++) {
    const drawn = trials.map((trial) => drawnAnew(trial, repeat))
    const prepared = recipes.map((recipe) => preparedAnew(recipe, repeat))
    for (const [of, { id, name, ranking, evidence, recipe }] of compiled.entries()) {
      const again = compileTrial(drawn[byId.get(id) ?? -1], drawn, prepared[recipe], registries)
      if (!('ranking' in again)) throw again
      if (again.ranking.key === ranking.key && again.evidence?.key === evidence?.key) continue
      found.push({
        ...again,
        of,
        repeat,
        id: `${id} repeat ${repeat}`,
        name: `${name} (repeat ${repeat + 1})`,
      })
    }
  }
  return found
}

function drawnAnew(trial: Trial, repeat: number): Trial {
  const choices = (list: Trial['before']) =>
    list.map((choice) => ({ ...choice, params: reseeded(choice.params, repeat) }))
  return {
    ...trial,
    params: reseeded(trial.params, repeat),
    before: choices(trial.before),
    after: choices(trial.after),
  }
}

function preparedAnew(recipe: Recipe, repeat: number): Recipe {
  const again = Object.entries(recipe).map(([key, value]) => {
    if (key === 'chunk' || key === 'index') return [key, value]
    if (Array.isArray(value)) return [key, value.map((one) => (isChoice(one) ? anew(one, repeat) : one))]
    return [key, isChoice(value) ? anew(value, repeat) : value]
  })
  return Object.fromEntries(again) as Recipe
}

function isChoice(value: unknown): value is Choice {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

function anew(choice: Choice, repeat: number): Choice {
  return { ...choice, params: reseeded(choice.params, repeat) }
}

type Params = Readonly<Record<string, Json>>

/** Params of a repeat: `seed` is derived anew and `repeat` counts up, at any depth. */
function reseeded<P extends Params>(params: P, repeat: number): P {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]): [string, Json] => {
      if (typeof value === 'number' && name === 'seed') return [name, seedOf(value, repeat)]
      if (typeof value === 'number' && name === 'repeat') return [name, value + repeat]
      return [name, isMap(value) ? reseeded(value as Params, repeat) : value]
    }),
  ) as P
}

/** Derived seed, a whole number below 2^32. */
function seedOf(seed: number, repeat: number): number {
  return Number.parseInt(sha256(`repeat ${repeat} of seed ${seed}`).slice(0, 8), 16)
}
