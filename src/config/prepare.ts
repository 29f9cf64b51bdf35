import type { Choice } from '../indexes/recipe.ts'
import type { Json } from '../types.ts'
import { type ChoiceVariant, readChoice } from './choice.ts'
import type { Place, RecipeChoices } from './experiment.ts'
import { PREPARE, type Preparation } from './kinds.ts'
import { choiceLabel } from './labels.ts'
import { isMap, type Path } from './problem.ts'
import type { Reading } from './reading.ts'

/** One variant of `prepare`. */
export interface RecipeVariant {
  readonly choices: RecipeChoices
  /** Where each choice stands, by key. */
  readonly places: Readonly<Record<string, readonly Place[]>>
  /** What a trial's id sees of it. */
  readonly content: Json
  /** What differs between the variants: `{embedder: 'lsa', 'chunk.size': 128}`. */
  readonly varied: Readonly<Record<string, Json>>
  /** Everything that may be named to tell two variants apart. */
  readonly facets: Readonly<Record<string, Json>>
}

interface Option {
  /** One choice, or several where the key adds them up; none where the key stays away. */
  readonly choices: readonly Choice[]
  /** Where each of them stands. */
  readonly places: readonly Place[]
  readonly label: string
  readonly content: Json
  readonly varied: Readonly<Record<string, Json>>
}

/** Every combination of what the keys of `prepare` may be, the first key slowest. Unknown keys were found before. */
export function readPrepare(
  raw: Readonly<Record<string, unknown>>,
  path: Path,
  reading: Reading,
): RecipeVariant[] {
  let variants: { options: Record<string, Option>; varied: Record<string, Json> }[] = [
    { options: {}, varied: {} },
  ]
  for (const [key, preparation] of Object.entries<Preparation>(PREPARE)) {
    const options = readKey(raw[key], [...path, key], key, preparation, reading)
    variants = variants.flatMap((variant) =>
      options.map((option) => ({
        options: { ...variant.options, [key]: option },
        varied: { ...variant.varied, ...option.varied },
      })),
    )
  }
  return variants.map(({ options, varied }) => {
    const there = Object.entries(options).filter(([, { choices }]) => choices.length > 0)
    const choices = there.map(([key, option]) => [key, isSeveral(key) ? option.choices : option.choices[0]])
    return {
      choices: Object.fromEntries(choices),
      places: Object.fromEntries(there.map(([key, { places }]) => [key, places])),
      content: Object.fromEntries(there.map(([key, { content }]) => [key, content])),
      varied,
      facets: Object.fromEntries(there.map(([key, { choices: list }]) => [key, labelOf(list)])),
    }
  })
}

function isSeveral(key: string): boolean {
  return (PREPARE as Readonly<Record<string, Preparation>>)[key].several === true
}

function labelOf(choices: readonly Choice[]): string {
  return choices.map((choice) => choiceLabel(choice)).join('+')
}

/** What may stand at one key: `{grid: ...}` gives several options, and so does a grid among a choice's params. */
function readKey(
  raw: unknown,
  path: Path,
  key: string,
  preparation: Preparation,
  reading: Reading,
): Option[] {
  const value = raw ?? preparation.otherwise
  if (value === undefined) return [{ choices: [], places: [], label: 'none', content: null, varied: {} }]
  if (!isMap(value) || !('grid' in value)) return readOption(value, path, key, preparation, reading)
  const at = [...path, 'grid']
  const items = Object.keys(value).length > 1 ? undefined : gridItems(value.grid, at)
  if (!items) {
    reading.problems.push({
      path: at,
      message: `a grid of ${key} is {grid: [one, another]} or {grid: {label: one, label: another}}, alone in its map`,
    })
    return []
  }
  if (items.length === 0) reading.problems.push({ path: at, message: 'the grid is empty' })
  return items.flatMap(({ label, item, at }) =>
    readOption(item, at, key, preparation, reading).map((option) => ({
      ...option,
      varied: { [key]: label ?? option.label, ...option.varied },
    })),
  )
}

/** A list, or a map of labels that stand in trials' names for what is chosen. */
function gridItems(grid: unknown, at: Path): { label?: string; item: unknown; at: Path }[] | undefined {
  if (Array.isArray(grid)) return grid.map((item, place) => ({ item, at: [...at, place] }))
  if (!isMap(grid)) return undefined
  return Object.entries(grid).map(([label, item]) => ({ label, item, at: [...at, label] }))
}

function readOption(
  raw: unknown,
  path: Path,
  key: string,
  { kind, several }: Preparation,
  reading: Reading,
): Option[] {
  const list =
    several && Array.isArray(raw)
      ? raw.map((item, place) => ({ item, at: [...path, place] as Path }))
      : [{ item: raw, at: path }]
  let options: ChoiceVariant[][] = [[]]
  for (const { item, at } of list) {
    const variants = readChoice(item, at, kind, reading)
    options = options.flatMap((option) => variants.map((variant) => [...option, variant]))
  }
  return options.map((option) => ({
    choices: option.map(({ choice }) => choice),
    places: list.map(({ at }) => reading.placeOf(at)),
    label: option.map(({ label }) => label).join('+') || 'none',
    content: option.map(({ choice, content }) => [choice.name, content]),
    varied: Object.fromEntries(
      option.flatMap(({ varied }) =>
        Object.entries(varied).map(([param, value]) => [`${key}.${param}`, value]),
      ),
    ),
  }))
}
