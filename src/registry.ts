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
  readonly params: S
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

/** A definition whose results are stored: its version is part of their keys. */
export interface Versioned<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** Raised whenever the same input and params would give another result. */
  readonly version: number
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
  const named = all.flatMap((one) => [one.name, ...(one.aliases ?? [])].map((name) => [name, one] as const))
  const byName = new Map(named)
  return { word, all, names: [...byName.keys()], byName, hint }
}

/** `entries`: functions that import a definition, by its name, in the order of the docs. */
export function createLazyRegistry<D extends Named>(
  word: string,
  entries: Readonly<Record<string, () => Promise<D>>>,
): LazyRegistry<D> {
  const names = Object.keys(entries)
  const byName = new Map<string, D>()
  const registry = { word, names, byName, hint: `there are ${names.join(', ')}` }
  const loaded = (name: string) => lookUpName(registry, name) as D
  return {
    ...registry,
    get all() {
      return names.map(loaded)
    },
    async load(wanted = names) {
      const known = names.filter((name) => wanted.includes(name))
      for (const name of known) {
        if (byName.has(name)) continue
        const definition = await entries[name]()
        if (!byName.has(name)) byName.set(name, definition)
      }
      return known.map(loaded)
    },
  }
}

/**
 * Message about a name that no definition has. `rest` is the text after the name, as a measure's cutoff; the suggestion
 * repeats it.
 */
export function unknown({ word, names, hint, why }: Registry, name: string, rest = ''): string {
  const known = why?.(name)
  if (known !== undefined) return `there is no ${word} \`${name}\`: ${known}`
  const near = nearest(name, names)
  const suggestion = near === undefined ? '' : ` (did you mean "${near}${rest}"?)`
  return `there is no ${word} \`${name}${rest}\`${suggestion}; ${hint}`
}

/** Definition of a name or alias; undefined if there is none. Throws an Error if a lazy registry has not loaded it. */
export function lookUpName<D extends Named>(
  { word, names, byName }: Pick<Registry<D>, 'word' | 'names' | 'byName'>,
  name: string,
): D | undefined {
  const found = byName.get(name)
  if (!found && names.includes(name)) throw new Error(`the ${word} ${name} is used before it is loaded`)
  return found
}

/** Definition of a name or alias. Throws a UserError if there is none. */
export function find<D extends Named>(registry: Registry<D>, name: string): D {
  const found = lookUpName(registry, name)
  if (!found) throw new UserError(unknown(registry, name))
  return found
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
