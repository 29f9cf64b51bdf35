import { basename } from 'node:path'
import type { Choice } from '../corpus/recipe.ts'
import { embedders } from '../models/embedders/index.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { type Definition, lookUpName, unknown } from '../registry.ts'
import { canonical, sha256 } from '../store/hash.ts'
import { isMap } from '../text/json.ts'
import { didYouMean } from '../text/nearest.ts'
import { show, withArticle } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { explain, type JsonSchema, propertiesOf } from './explain.ts'
import { absolutePaths, type ChoiceSource, customFile, isFile, pathParams, pinFiles } from './files.ts'
import { combine, expandGrid, type GridPoint } from './grid.ts'
import {
  NAMED_KEYS,
  type NamedChoices,
  type NamedKind,
  type Params,
  type Path,
  type Problem,
  type Reading,
  refuse,
} from './reading.ts'

export interface Variant {
  readonly choice: Choice
  /** Params for hashes: no path depends on the config's folder. */
  readonly content: Params
  readonly varied: Params
  readonly paths: GridPoint['paths']
  /** `lsa(dims=50)`: the name with the params that the config gives outside a grid. */
  readonly label: string
}

const NONE: readonly never[] = []

/** Reads a choice (a name, or a map of one name to its params) and expands its grid; empty after a problem. */
export function readChoice(
  raw: unknown,
  path: Path,
  { registry, custom }: ChoiceSource<Definition>,
  reading: Reading,
): readonly Variant[] {
  const { problems } = reading
  const entries = typeof raw === 'string' && raw !== '' ? [[raw]] : isMap(raw) ? Object.entries(raw) : []
  if (entries.length !== 1) {
    const keys = entries.map(([key]) => `\`${key}\``).join(' and ')
    const shown = isMap(raw) ? keys || 'an empty map' : show(raw)
    const message = `${withArticle(registry.word)} is a name or a map of one name to its params, not ${shown}`
    refuse(problems, path, message)
    return NONE
  }
  const [[name, params = {}]] = entries as [[string, unknown?]]
  const at = isMap(raw) ? [...path, name] : path
  const file = custom && isFile(name) ? customFile(name, at, custom, reading) : undefined
  if (custom && isFile(name) && !file) return NONE
  const definition = file?.definition ?? lookUpName(registry, name)
  if (!definition) {
    refuse(problems, at, unknown(registry, name), 'key')
    return NONE
  }
  const { only } = definition
  const rawParams =
    isMap(params) || only === undefined || params === null ? (params ?? {}) : { [only]: params }
  if (!isMap(rawParams)) {
    const [first] = Object.keys(definition.params.shape)
    const form = first === undefined ? '' : `, as {${first}: ...}`
    refuse(problems, at, `the params of ${definition.name} are a map${form}, not ${show(rawParams)}`)
    return NONE
  }
  return readPoints(definition, rawParams, at, reading, file)
}

export function readPoints(
  definition: Definition,
  rawParams: Record<string, unknown>,
  at: Path,
  reading: Reading,
  file?: Choice['file'],
): readonly Variant[] {
  const { problems } = reading
  const shown = Object.keys(rawParams).filter((param) => !['grid', 'ofat', 'random'].includes(param))
  const properties = new Map(propertiesOf(definition.params))
  const points = expandGrid(rawParams, at, problems, (point, empty) => {
    const nested: Problem[] = []
    readPoint(definition, properties, point, at, { ...reading, problems: nested, rewrites: [] })
    const follows = ({ message }: Problem) => empty.some((param) => message.endsWith(` lacks \`${param}\``))
    problems.push(...nested.filter((problem) => !follows(problem)))
  })
  return points.flatMap((point) => {
    const checked = readPoint(definition, properties, point, at, reading)
    if (!checked) return []
    const choice = {
      name: definition.name,
      params: checked.params,
      ...(file && { file: { path: file.path, sha256: file.sha256 } }),
    }
    const varied = Object.fromEntries(point.varied.map((param) => [param, point.params[param]]))
    return [
      { choice, content: checked.content, varied, paths: point.paths, label: choiceLabel(choice, shown) },
    ]
  })
}

function readPoint(
  definition: Definition,
  properties: ReadonlyMap<string, JsonSchema>,
  point: GridPoint,
  path: Path,
  reading: Reading,
): { params: Params; content: Params } | undefined {
  const files = pathParams(properties)
  const absolute = absolutePaths(definition, files, point, reading)
  const checked = definition.params.safeParse(absolute)
  if (checked.success) {
    const pinned = pinFiles(definition, files, checked.data as Params, point, path, reading)
    return pinned && pinModels(properties, pinned, point, path, reading)
  }
  for (const problem of explain(
    definition.params,
    checked.error.issues,
    absolute,
    definition.name,
    'param',
  )) {
    const [param, ...below] = problem.path
    const at =
      param === undefined ? path : [...(placeOf(param, problem.on, point) ?? [...path, param]), ...below]
    const isOne = below.length === 0 && param !== undefined
    const advice = isOne ? listAdvice(definition, absolute, String(param), path[0]) : ''
    reading.problems.push({ ...problem, path: at, message: problem.message + advice })
  }
  return undefined
}

/** Advice for a param that has a list of values instead of one: a grid, if its key may hold one; otherwise empty. */
function listAdvice({ params }: Definition, values: Params, param: string, key: Path[number]): string {
  const list = values[param]
  if (!Array.isArray(list) || list.length < 2) return ''
  const fits = (value: Json) =>
    !params.safeParse({ ...values, [param]: value }).error?.issues.some(({ path }) => path[0] === param)
  if (!list.every(fits)) return ''
  if (!/^(?:prepare|trials|answer|judge)$/.test(String(key))) return '; choose one'
  return `; to try each value, write \`grid: {${param}: [${list.map((value) => JSON.stringify(value)).join(', ')}]}\``
}

/** Path of a param's value, or of its key, which a grid has once for all values. */
function placeOf(param: string | number, on: Problem['on'], { paths }: GridPoint): Path | undefined {
  const path = paths[param]
  return on === 'key' && typeof path?.at(-1) === 'number' ? path.slice(0, -1) : path
}

/**
 * Checks params that name a model, a reranker or an engine (`.meta({ model: true })`). Hashes see what is named, not the
 * name.
 */
function pinModels(
  properties: ReadonlyMap<string, JsonSchema>,
  pinned: { readonly params: Params; readonly content: Params },
  point: GridPoint,
  path: Path,
  reading: Reading,
): { params: Params; content: Params } | undefined {
  const { problems } = reading
  const content = { ...pinned.content }
  let wrong = false
  for (const [name, property] of properties) {
    const value = pinned.params[name]
    const kind = (Object.keys(NAMED_KEYS) as NamedKind[]).find((namedKind) => property[namedKind] === true)
    if (typeof value !== 'string' || !kind) continue
    const { raw, known } = reading.named[kind]
    const problem = nameProblem(kind, value, raw)
    if (problem === undefined) content[name] = namedContent(kind, value, known)
    else {
      refuse(problems, point.paths[name] ?? [...path, name], problem)
      wrong = true
    }
  }
  return wrong ? undefined : { params: pinned.params, content }
}

/** Rerankers that need no line in `rerankers`. */
const BARE = rerankers.all.filter(({ params }) => params.safeParse({}).success).map(({ name }) => name)
const bareOf = (kind: NamedKind) => (kind === 'reranker' ? BARE : [])

export function nameProblem(kind: NamedKind, name: string, raw: Record<string, unknown>): string | undefined {
  const bare = bareOf(kind)
  if (Object.hasOwn(raw, name) || bare.includes(name)) return undefined
  const names = Object.keys(raw)
  const available =
    names.length === 0 ? 'the config names none' : `\`${NAMED_KEYS[kind]}\` names ${names.join(', ')}`
  const others = bare.length === 0 ? '' : `, and ${bare.join(', ')} need no line there`
  return `there is no ${kind} \`${name}\`${didYouMean(name, [...names, ...bare])}; ${available}${others}`
}

/** For a trial's id; null for an unknown name. */
function namedContent(kind: NamedKind, name: string, named: NamedChoices): Json {
  return named.get(name)?.content ?? (bareOf(kind).includes(name) ? [name, {}] : null)
}

export interface Slot extends ChoiceSource<Definition> {
  readonly key: string
  /** `one or list`: choices that add up. `list`: a choice without a list only in a grid. */
  readonly takes: 'one' | 'one or list' | 'list'
}

export interface SlotChoice {
  readonly choices: readonly Choice[]
  readonly paths: readonly Path[]
  /** `normalize-keywords+expand(terms=5)`, or `none`. */
  readonly label: string
  /** For hashes; does not depend on the config's folder. */
  readonly content: Json
  /** Values that grids vary: `{embedder: 'lsa', 'chunk.size': 128}`. */
  readonly varied: Params
}

const NOTHING: SlotChoice = { choices: [], paths: [], label: 'none', content: [], varied: {} }

/**
 * Reads the alternatives at a key: the value, or each of `{grid: [one, another]}` and `{grid: {label: one}}`. Empty
 * after a problem.
 */
export function readSlotChoices(
  raw: unknown,
  path: Path,
  slot: Slot,
  reading: Reading,
): readonly SlotChoice[] {
  if (raw === undefined) return [NOTHING]
  if (slot.takes === 'list' && !Array.isArray(raw) && !(isMap(raw) && 'grid' in raw)) {
    const message = `must be a list of ${slot.registry.word}s, not ${show(raw)}`
    refuse(reading.problems, path, message)
    return NONE
  }
  return eachItem(raw, path, slot, reading, (item, at) => fill(item, at, slot, reading))
}

export type Varying = Pick<SlotChoice, 'label' | 'varied'>

/** Applies `fill` to a value, or to each item of its grid. `isOne`: one item, even with a key `grid`. */
export function eachItem<T extends Varying>(
  raw: unknown,
  path: Path,
  { key, isOne }: { readonly key: string; readonly isOne?: boolean },
  reading: Reading,
  fill: (raw: unknown, path: Path) => readonly T[],
): readonly T[] {
  if (isOne || !isMap(raw) || !('grid' in raw)) return fill(raw, path)
  const at = [...path, 'grid']
  const { grid } = raw
  const refused = (message: string): readonly never[] => {
    refuse(reading.problems, at, message)
    return NONE
  }
  if (Object.keys(raw).length > 1 || typeof grid !== 'object' || grid === null)
    return refused(
      `a grid of ${key} is {grid: [one, another]} or {grid: {label: one, label: another}}, alone in its map`,
    )
  const items = Array.isArray(grid) ? [...grid.entries()] : Object.entries(grid)
  if (items.length === 0) return refused('the grid is empty')
  return items.flatMap(([index, item]) =>
    fill(item, [...at, index]).map((filling) => {
      const label = typeof index === 'string' ? index : filling.label
      return { ...filling, varied: { [key]: label, ...filling.varied } }
    }),
  )
}

function fill(raw: unknown, path: Path, slot: Slot, reading: Reading): readonly SlotChoice[] {
  const { key, takes } = slot
  const items: [unknown, Path][] =
    takes !== 'one' && Array.isArray(raw) ? raw.map((item, index) => [item, [...path, index]]) : [[raw, path]]
  const combinations = combine(items.map(([item, at]) => readChoice(item, at, slot, reading)))
  return combinations.map((combination) => ({
    choices: combination.map(({ choice }) => choice),
    paths: items.map(([, at]) => at),
    label: combination.map(({ label }) => label).join('+') || 'none',
    content: combination.map(({ choice, content }) => [choice.file?.sha256 ?? choice.name, content]),
    varied: Object.fromEntries(
      combination.flatMap(({ choice, varied }) => {
        const owner = takes === 'list' ? choice.name : key
        return Object.entries(varied).map(([param, value]) => [`${owner}.${param}`, value])
      }),
    ),
  }))
}

/** Reads a choice without a grid; undefined after a problem. */
export function readSingle(
  raw: unknown,
  path: Path,
  source: ChoiceSource<Definition>,
  reading: Reading,
  advice: string,
): Variant | undefined {
  const list = readChoice(raw, path, source, reading)
  if (list.length > 1) refuse(reading.problems, path, advice)
  return list.length === 1 ? list[0] : undefined
}

/** Reads the choice in a choice's param `embedder`. Undefined after a problem. */
export function withEmbedder(
  outer: Variant,
  raw: unknown,
  path: Path,
  reading: Reading,
): Pick<Variant, 'choice' | 'content'> | undefined {
  const [kind, params] = isMap(raw) ? (Object.entries(raw)[0] ?? []) : []
  if (kind === undefined || !isMap(params) || params.embedder === undefined) return outer
  const at = [...path, kind, 'embedder']
  const advice = 'has no grid; name several that differ in it'
  const inner = readSingle(params.embedder, at, { registry: embedders }, reading, advice)
  if (!inner) return undefined
  const { name, params: innerParams } = inner.choice
  return {
    choice: { ...outer.choice, params: { ...outer.choice.params, embedder: { name, params: innerParams } } },
    content: { ...outer.content, embedder: [name, inner.content] },
  }
}

/** `hybrid alpha=0.3 fusion=rrf`. */
export function trialName(label: string, varied: Params): string {
  return [label, ...Object.entries(varied).map(([name, value]) => `${name}=${valueLabel(value)}`)].join(' ')
}

/** Params that pinning adds; a name shows the path alone. */
const FILLED_IN: ReadonlySet<string> = new Set(['sha256'])

/** `lsa`, `tokens(size=128)`; paths by their last part. */
export function choiceLabel(
  { name, params }: Choice,
  shown: readonly string[] = Object.keys(params),
): string {
  const parts = shown
    .filter((param) => param in params && !FILLED_IN.has(param))
    .map((param) => `${param}=${valueLabel(params[param])}`)
  return parts.length > 0 ? `${name}(${parts.join(',')})` : name
}

/** Every param but seeds: `expand(terms=5)`, or `none`. */
export function choicesLabel(choices: readonly Choice[]): string {
  const shown = ({ params }: Choice) => Object.keys(params).filter((param) => param !== 'seed')
  return choices.map((choice) => choiceLabel(choice, shown(choice))).join('+') || 'none'
}

const LONGEST = 100

function isWords(value: Json | undefined): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'string' && !item.includes('+'))
  )
}

/** A value without spaces, since names are split at spaces. */
function valueLabel(value: Json | undefined): string {
  const text =
    typeof value === 'string'
      ? /^(\/|[A-Za-z]:[\\/])/.test(value)
        ? basename(value)
        : value
      : isWords(value)
        ? value.map(valueLabel).join('+')
        : canonical(value)
  const word = text.replace(/\s+/g, '_')
  return word.length > LONGEST ? `${word.slice(0, LONGEST)}~${sha256(word).slice(0, 8)}` : word
}
