import type { z } from 'zod'
import { UserError } from './errors.ts'
import { nearest } from './text/nearest.ts'
import { fieldComplaint } from './text/schema-words.ts'
import type { Json } from './types.ts'

/** Fields of every definition in a registry. */
export interface Named {
  readonly name: string
  /** Other names, as `success` for `hit`. */
  readonly aliases?: readonly string[]
}

/** A definition that a config may choose, with params. */
export interface Definition<S extends z.ZodObject = z.ZodObject> extends Named {
  /** One line, for `touchstone list` and the docs. */
  readonly summary: string
  /** Publication or document that describes it. */
  readonly source?: string
  readonly params: S
  /** Raised if the same input and params give another result; present if results are stored. */
  readonly version?: number
  /** SHA-256 of a custom definition's file; part of every key. */
  readonly code?: string
  /**
   * Adds hashes of files in the params, so that keys depend on content. Throws a UserError if one is missing.
   */
  pin?(params: z.output<S>): z.output<S>
  /** Param that a bare value in a config sets: `{ngrams: 3}`. */
  readonly only?: string
  /** SHA-256 of each file that the params name. Throws a UserError if one is missing. */
  files?(params: z.output<S>): Readonly<Record<string, string>>
}

/** Default export of a file, built-in or custom. */
export interface Part<Made = unknown, S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  make(params: z.output<S>): Made
}

/** Gives parts of a kind their types. */
export function typeParts<Made>() {
  return <S extends z.ZodObject>(part: Part<Made, S>): Part<Made, S> => part
}

/** All definitions of one kind. */
export interface Registry<D extends Named = Named> {
  /** Noun for one of them in messages: `chunker`. */
  readonly word: string
  /** In the order of the docs. A lazy registry throws an Error until all are loaded. */
  readonly all: readonly D[]
  /** Names and aliases, loaded or not. */
  readonly names: readonly string[]
  /** Loaded definitions by name and alias. */
  readonly byName: ReadonlyMap<string, D>
  /** End of a message about an unknown name. */
  readonly hint: string
  /** Explanation of a known but unsupported name, in place of the hint. */
  readonly why?: (name: string) => string | undefined
}

/** Registry that loads definitions by name: a process loads its choices alone. */
export interface LazyRegistry<D extends Named = Named> extends Registry<D> {
  /** Loads definitions, all by default. Unknown names are ignored. */
  load(names?: readonly string[]): Promise<readonly D[]>
}

/** `hint`: the list of names by default. */
export function createRegistry<D extends Named>(
  word: string,
  all: readonly D[],
  hint = all.length > 0 ? `there are ${all.map(({ name }) => name).join(', ')}` : 'there are none yet',
): Registry<D> {
  const byName = new Map(
    all.flatMap((definition) =>
      [definition.name, ...(definition.aliases ?? [])].map((name) => [name, definition] as const),
    ),
  )
  return { word, all, names: [...byName.keys()], byName, hint }
}

/** Built-in parts of a kind, in the order of the docs. `advice`: end of a message about an unknown name. */
export function listParts<P extends Part>(
  word: string,
  modules: Readonly<Record<string, () => Promise<{ readonly default: P }>>>,
  advice = '',
): LazyRegistry<P> {
  const names = Object.keys(modules)
  const byName = new Map<string, P>()
  const registry = { word, names, byName, hint: `there are ${names.join(', ')}${advice}` }
  const loaded = (name: string) => lookUpName(registry, name) as P
  return {
    ...registry,
    get all() {
      return names.map(loaded)
    },
    async load(wanted = names) {
      const listed = names.filter((name) => wanted.includes(name))
      for (const name of listed) if (!byName.has(name)) byName.set(name, (await modules[name]()).default)
      return listed.map(loaded)
    },
  }
}

/**
 * Message about an unknown name. `rest`: text after the name, as a measure's cutoff, which the suggestion repeats.
 */
export function unknown({ word, names, hint, why }: Registry, name: string, rest = ''): string {
  const reason = why?.(name)
  if (reason !== undefined) return `there is no ${word} \`${name}\`: ${reason}`
  const near = nearest(name, names)
  const suggestion = near === undefined ? '' : ` (did you mean "${near}${rest}"?)`
  return `there is no ${word} \`${name}${rest}\`${suggestion}; ${hint}`
}

/** Undefined if there is none. Throws an Error if a lazy registry has not loaded it. */
export function lookUpName<D extends Named>(
  { word, names, byName }: Pick<Registry<D>, 'word' | 'names' | 'byName'>,
  name: string,
): D | undefined {
  const definition = byName.get(name)
  if (!definition && names.includes(name)) throw new Error(`the ${word} ${name} is used before it is loaded`)
  return definition
}

/** Throws a UserError if there is none. */
export function find<D extends Named>(registry: Registry<D>, name: string): D {
  const definition = lookUpName(registry, name)
  if (!definition) throw new UserError(unknown(registry, name))
  return definition
}

/** Definition and full params of a choice. */
export interface Resolved<D> {
  readonly definition: D
  readonly params: Readonly<Record<string, Json>>
}

/** Definition of a choice and its params with defaults. Throws a UserError with every error. */
export function resolve<D extends Named & { readonly params: z.ZodObject }>(
  registry: Registry<D>,
  {
    name,
    params,
    definition = find(registry, name),
  }: { readonly name: string; readonly params: Readonly<Record<string, Json>>; readonly definition?: D },
): Resolved<D> {
  const parsed = definition.params.safeParse(params)
  if (parsed.success) return { definition, params: parsed.data as Record<string, Json> }
  throw new UserError(
    parsed.error.issues.map((issue) => ({
      message: `${registry.word} ${name}: ${fieldComplaint(issue, params, Object.keys(definition.params.shape))}`,
    })),
  )
}
