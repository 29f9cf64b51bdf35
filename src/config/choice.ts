import type { Choice } from '../indexes/recipe.ts'
import { didYouMean } from '../text/nearest.ts'
import { explain, show } from './explain.ts'
import { absolutePaths, type Files, pinFiles, portable } from './files.ts'
import { expandGrid, type Point } from './grid.ts'
import type { Definition, Kind } from './kinds.ts'
import { choiceLabel } from './labels.ts'
import { isWholeParam, pathParams } from './params.ts'
import { isMap, type Path, type Problem } from './problem.ts'
import type { Params, Reading } from './reading.ts'

/** One point of a choice's params, checked, defaults filled in, paths absolute. */
export interface Variant {
  readonly params: Params
  /** The params as a hash may see them: no path depends on where the config lies. */
  readonly content: Params
  /** The params that the choice's grid varies. */
  readonly varied: Params
}

export interface ChoiceVariant extends Variant {
  readonly choice: Choice
  /** With the params that the config gives it outside a grid: `lsa(dims=50)`. */
  readonly label: string
}

/**
 * Reads a choice (a name, or a map of one name to its params) and expands its grid. Empty where something is wrong; that
 * is then among the problems.
 */
export function readChoice(raw: unknown, path: Path, kind: Kind, reading: Reading): ChoiceVariant[] {
  const named = readName(raw, path, kind.word, reading)
  if (!named) return []
  const { name, params, at } = named
  const definition = findDefinition(name, at, kind, reading)
  if (!definition) return []
  const given = isMap(params)
    ? Object.keys(params).filter((param) => param !== 'grid' && param !== 'random')
    : []
  return readParams(definition, params, at, reading).map((variant) => {
    const choice = { name, params: variant.params }
    return { ...variant, choice, label: choiceLabel(choice, given) }
  })
}

/** Takes `lsa` and `{lsa: {...}}` apart. `at` is where the params stand. */
export function readName(
  raw: unknown,
  path: Path,
  word: string,
  { problems }: Reading,
): { name: string; params: unknown; at: Path } | undefined {
  if (typeof raw === 'string' && raw !== '') return { name: raw, params: undefined, at: path }
  const keys = isMap(raw) ? Object.keys(raw) : []
  if (isMap(raw) && keys.length === 1) return { name: keys[0], params: raw[keys[0]], at: [...path, keys[0]] }
  const found = isMap(raw)
    ? keys.length === 0
      ? 'an empty map'
      : keys.map((key) => `\`${key}\``).join(' and ')
    : show(raw)
  problems.push({ path, message: `a ${word} is a name or a map of one name to its params, not ${found}` })
  return undefined
}

export function findDefinition(
  name: string,
  path: Path,
  { word, definitions }: Kind,
  { problems }: Reading,
): Definition | undefined {
  const definition = definitions.get(name)
  if (definition) return definition
  const known = [...definitions.keys()]
  const list = known.length > 0 ? `; there are ${known.join(', ')}` : '; there are none yet'
  problems.push({
    path,
    on: 'key',
    message: `there is no ${word} \`${name}\`${didYouMean(name, known)}${list}`,
  })
  return undefined
}

/** Expands the grid in a definition's params and checks every point. */
export function readParams(definition: Definition, raw: unknown, path: Path, reading: Reading): Variant[] {
  if (raw != null && !isMap(raw)) {
    reading.problems.push({ path, message: `the params of ${definition.name} are a map, not ${show(raw)}` })
    return []
  }
  const files = pathParams(definition.params)
  const points = expandGrid(raw ?? {}, path, {
    limit: reading.limit,
    isWhole: (param) => isWholeParam(definition.params, param),
    problems: reading.problems,
    probe(point, empty) {
      const problems: Problem[] = []
      readPoint(definition, files, point, path, { ...reading, problems, resolved: [] })
      const follows = ({ message }: Problem) => empty.some((name) => message.endsWith(` lacks \`${name}\``))
      reading.problems.push(...problems.filter((problem) => !follows(problem)))
    },
  })
  return points.flatMap((point) => readPoint(definition, files, point, path, reading) ?? [])
}

function readPoint(
  definition: Definition,
  files: Files,
  point: Point,
  path: Path,
  reading: Reading,
): Variant | undefined {
  const given = absolutePaths(definition, files, point, reading)
  const checked = definition.params.safeParse(given)
  if (!checked.success) {
    const keys = Object.keys(definition.params.shape)
    for (const { path: below, on, message } of explain(
      checked.error.issues,
      given,
      definition.name,
      keys,
      'param',
    )) {
      const [param, ...rest] = below
      const at = param === undefined ? path : [...(point.paths[param] ?? [...path, param]), ...rest]
      reading.problems.push({ path: at, on, message })
    }
    return undefined
  }
  const found = pinFiles(definition, files, checked.data as Params, point, path, reading)
  if (!found) return undefined
  const varied = Object.fromEntries(point.varied.map((name) => [name, point.params[name]]))
  return { params: found.params, content: portable(definition, files, found, reading.folder), varied }
}
