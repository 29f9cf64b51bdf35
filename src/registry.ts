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
  /** Raised whenever the same input and params would give another result; present if results are stored under it. */
  readonly version?: number
  /** SHA-256 of a custom definition's file; part of every key. */
  readonly code?: string
  /**
   * Adds hashes of the files that params name, so that keys depend on content and not on paths. Throws a UserError if a file
   * is missing.
   */
  pin?(params: z.output<S>): z.output<S>
  /** Param that a bare value in a config sets: `{ngrams: 3}`. */
  readonly only?: string
  /** SHA-256 of each file that the params name. Throws a UserError if one is missing. */
  files?(params: z.output<S>): Readonly<Record<string, string>>
}

/** Choice that is the default export of a file, built-in or custom. `Made` is the interface of its kind. */
export interface Part<Made = unknown, S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  make(params: z.output<S>): Made
}

/** Function that gives parts of a kind their types. */
export function typeParts<Made>() {
  return <S extends z.ZodObject>(part: Part<Made, S>): Part<Made, S> => part
}

/** All definitions of one kind. */
export interface Registry<D extends Named = Named> {
  /** Noun for one of them in messages: `chunker`. */
  readonly word: string
  /** Definitions in the order of the docs. A lazy registry throws an Error until all are loaded. */
  readonly all: readonly D[]
  /** Names and aliases, loaded or not. */
  readonly names: readonly string[]
  /** Loaded definitions by name and alias. `lookUp` also notices a definition that is not loaded. */
  readonly byName: ReadonlyMap<string, D>
  /** End of a message about an unknown name. */
  readonly hint: string
  /** Explanation of a name that is known but unsupported; it replaces the hint. */
  readonly why?: (name: string) => string | undefined
}

/** A registry that loads definitions by name, so that a process loads the modules of its choices alone. */
export interface LazyRegistry<D extends Named = Named> extends Registry<D> {
  /** Loads the definitions with these names, all by default. Other names are ignored. */
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

/**
 * The built-in parts of one kind. `modules`: imports of their files by name, in the order of the docs. `advice`: end of a
 * message about an unknown name.
 */
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
 * Message about a name that no definition has. `rest` is the text after the name, as a measure's cutoff; the suggestion
 * repeats it.
 */
export function unknown({ word, names, hint, why }: Registry, name: string, rest = ''): string {
  const reason = why?.(name)
  if (reason !== undefined) return `there is no ${word} \`${name}\`: ${reason}`
  const near = nearest(name, names)
  const suggestion = near === undefined ? '' : ` (did you mean "${near}${rest}"?)`
  return `there is no ${word} \`${name}${rest}\`${suggestion}; ${hint}`
}

/** Definition of a name or alias; undefined if there is none. Throws an Error if a lazy registry has not loaded it. */
export function lookUpName<D extends Named>(
  { word, names, byName }: Pick<Registry<D>, 'word' | 'names' | 'byName'>,
  name: string,
): D | undefined {
  const definition = byName.get(name)
  if (!definition && names.includes(name)) throw new Error(`the ${word} ${name} is used before it is loaded`)
  return definition
}

/** Definition of a name or alias. Throws a UserError if there is none. */
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

/**
 * Definition of a choice (by name, or its own if it comes from a custom file) and its params with defaults. Throws a
 * UserError with every error.
 */
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
