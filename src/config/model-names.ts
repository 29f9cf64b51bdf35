import type { Choice } from '../corpus/recipe.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Json } from '../types.ts'

/** Kinds that a param may name (`.meta({ model: true })`), with their key in the config. */
export const NAMED_KEYS = { model: 'models', reranker: 'rerankers', engine: 'engines' } as const
export type NamedKind = keyof typeof NAMED_KEYS

/** Keyed by the config's name; `content` is for a trial's id. */
export type NamedChoices = ReadonlyMap<string, { readonly choice: Choice; readonly content: Json }>

/** Value of the key, and the choices that could be read. */
export interface NamedGroup {
  readonly raw: Record<string, unknown>
  readonly known: NamedChoices
}

/** Rerankers that need no line in `rerankers`. */
const BARE = rerankers.all.filter(({ params }) => params.safeParse({}).success).map(({ name }) => name)
const bareOf = (kind: NamedKind) => (kind === 'reranker' ? BARE : [])

/** Error of an unknown name. */
export function nameProblem(kind: NamedKind, name: string, raw: Record<string, unknown>): string | undefined {
  const bare = bareOf(kind)
  if (Object.hasOwn(raw, name) || bare.includes(name)) return undefined
  const names = Object.keys(raw)
  const known =
    names.length === 0 ? 'the config names none' : `\`${NAMED_KEYS[kind]}\` names ${names.join(', ')}`
  const others = bare.length === 0 ? '' : `, and ${bare.join(', ')} need no line there`
  return `there is no ${kind} \`${name}\`${didYouMean(name, [...names, ...bare])}; ${known}${others}`
}

/** For a trial's id; null for an unknown name. */
export function namedContent(kind: NamedKind, name: string, known: NamedChoices): Json {
  return known.get(name)?.content ?? (bareOf(kind).includes(name) ? [name, {}] : null)
}
