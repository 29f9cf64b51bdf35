import type { z } from 'zod'
import { UserError } from './errors.ts'
import { nearest } from './text/nearest.ts'
import { fieldComplaint } from './text/schema-words.ts'
import type { Json } from './types.ts'

/** Common fields of every definition in a registry. */
export interface Named {
  readonly name: string
  /** Other names, as `success` for `hit`. */
  readonly aliases?: readonly string[]
}

/** A definition that a config may choose, with params. */
export interface Definition extends Named {
  /** One line, for `touchstone list` and the docs. */
  readonly summary: string
  readonly params: z.ZodObject
  /** SHA-256 of the file that it is from, where that is somebody's own: part of every key. */
  readonly code?: string
  /**
   * Ties params to the content of the files that they name, so that keys hold hashes and not paths. Throws a UserError
   * naming what is missing.
   */
  pin?(params: unknown): unknown
  /** The param that a value stands for where a config gives one in place of a map: `{ngrams: 3}`. */
  readonly only?: string
  /** SHA-256 of each file that the params name. Throws a UserError where one is missing. */
  files?(params: unknown): Readonly<Record<string, string>>
}

/** All definitions of one kind. */
export interface Registry<D extends Named = Named> {
  /** Word for one definition in messages: `chunker`. */
  readonly word: string
  /** Definitions in the order of the docs. */
  readonly all: readonly D[]
  /** Under each of its names. */
  readonly byName: ReadonlyMap<string, D>
  /** End of a message about an unknown name. */
  readonly hint: string
  /** Explanation for a name that is known and not available; replaces the hint. */
  readonly why?: (name: string) => string | undefined
}

/** `hint`: the list of names by default. */
export function createRegistry<D extends Named>(
  word: string,
  all: readonly D[],
  hint = all.length > 0 ? `there are ${all.map(({ name }) => name).join(', ')}` : 'there are none yet',
): Registry<D> {
  const named = all.flatMap((one) => [one.name, ...(one.aliases ?? [])].map((name) => [name, one] as const))
  return { word, all, byName: new Map(named), hint }
}

/**
 * Message about a name that no definition has. `rest` is the text after the name, such as a measure's cutoff; it also
 * follows the suggestion.
 */
export function unknown({ word, byName, hint, why }: Registry, name: string, rest = ''): string {
  const known = why?.(name)
  if (known !== undefined) return `there is no ${word} \`${name}\`: ${known}`
  const near = nearest(name, byName.keys())
  const suggestion = near === undefined ? '' : ` (did you mean "${near}${rest}"?)`
  return `there is no ${word} \`${name}${rest}\`${suggestion}; ${hint}`
}

/** The definition of a name. Throws a UserError where there is none. */
export function find<D extends Named>(registry: Registry<D>, name: string): D {
  const found = registry.byName.get(name)
  if (!found) throw new UserError(unknown(registry, name))
  return found
}

/** Definition and parsed params of a choice. */
export interface Resolved<D> {
  readonly definition: D
  readonly params: Readonly<Record<string, Json>>
}

/**
 * The definition that a choice names, or holds where it is from a file of somebody's own, and its params, defaults filled
 * in. Throws a UserError with every mistake.
 */
export function resolve<D extends Named & { readonly params: z.ZodObject }>(
  registry: Registry<D>,
  {
    name,
    params,
    definition = find(registry, name),
  }: {
    readonly name: string
    readonly params: Readonly<Record<string, Json>>
    readonly definition?: D
  },
): Resolved<D> {
  const parsed = definition.params.safeParse(params)
  if (parsed.success) return { definition, params: parsed.data as Record<string, Json> }
  throw new UserError(
    parsed.error.issues.map((issue) => ({
      message: `${registry.word} ${name}: ${fieldComplaint(issue, params, Object.keys(definition.params.shape))}`,
    })),
  )
}
