import type { Choice } from '../corpus/recipe.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Json } from '../types.ts'

/** Kinds of choices that a param may name (`.meta({ model: true })`), with the key of the config that gives the names. */
export const NAMED_KEYS = { model: 'models', reranker: 'rerankers', engine: 'engines' } as const
export type NamedKind = keyof typeof NAMED_KEYS

/** Choices of a config by the name that it gives each; `content` is what a trial's id sees of one. */
export type NamedChoices = ReadonlyMap<string, { readonly choice: Choice; readonly content: Json }>

/** Value of such a key, and those of its choices that could be read. */
export interface NamedGroup {
  readonly raw: Record<string, unknown>
  readonly known: NamedChoices
}

/** Rerankers that may be named without a line in `rerankers`. */
const BARE = rerankers.all.filter(({ params }) => params.safeParse({}).success).map(({ name }) => name)
const bareOf = (kind: NamedKind) => (kind === 'reranker' ? BARE : [])

/** Error of a name that the config does not give; undefined for a good one. */
export function nameProblem(kind: NamedKind, name: string, raw: Record<string, unknown>): string | undefined {
  const bare = bareOf(kind)
  if (Object.hasOwn(raw, name) || bare.includes(name)) return undefined
  const names = Object.keys(raw)
  const known =
    names.length === 0 ? 'the config names none' : `\`${NAMED_KEYS[kind]}\` names ${names.join(', ')}`
  const others = bare.length === 0 ? '' : `, and ${bare.join(', ')} need no line there`
  return `there is no ${kind} \`${name}\`${didYouMean(name, [...names, ...bare])}; ${known}${others}`
}

/** Content behind a name, for a trial's id; null if the name is unknown. */
export function namedContent(kind: NamedKind, name: string, known: NamedChoices): Json {
  return known.get(name)?.content ?? (bareOf(kind).includes(name) ? [name, {}] : null)
}
