import type { z } from 'zod'
import type { CustomFile } from '../custom/load.ts'
import { UserError } from '../errors.ts'
import type { EmbedderDefinition } from '../models/embedder.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Document, Json } from '../types.ts'
import type { Chunker } from './chunks/chunkers/define.ts'
import type { Extractor } from './graph/extractors/define.ts'

/** A choice in a config: a name and its params. */
export interface Choice {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
  /** Where the definition is a file of somebody's own; `name` is what it calls itself. */
  readonly file?: CustomFile
}

/** A choice and, where that is from a file, its definition, loaded. */
export interface Chosen<D> extends Choice {
  readonly definition?: D
}

/** How a corpus is prepared: what `prepare` in the config says, resolved. Index artifacts are functions of a recipe. */
export interface Recipe {
  /** Where the data set lies, absolute: passed to other systems, part of no key. */
  readonly dataset?: string
  readonly documents: Artifact<readonly Document[]>
  /** The dataset's policy for the document with a query's own id; trials leave it out of their rankings. */
  readonly ownDocument?: 'drop' | 'keep'
  readonly chunk: Chosen<Chunker>
  /** What is said of each chunk beside its document's metadata: kind, tags, traits, page. */
  readonly enrich?: Choice
  /** What stands before a chunk's text where it is searched; its title where absent. */
  readonly context?: Choice
  /** A chunker that cuts chunks into the small units that are searched; absent: chunks are searched whole. */
  readonly index?: Chosen<Chunker>
  readonly embedder: Chosen<EmbedderDefinition>
  /** What gives texts learned sparse vectors. */
  readonly sparse?: Choice
  /** How texts become terms; `auto` where absent. */
  readonly tokenizer?: Choice
  readonly language?: Choice
  /** The extractors whose entities and relationships add up to one graph. */
  readonly graph?: readonly Chosen<Extractor>[]
  /** What becomes of several descriptions of one entity or relationship; they are joined where absent. */
  readonly descriptions?: Choice
  readonly communities?: Choice
  readonly reports?: Choice
  /** What summarises clusters of chunks, and clusters of these summaries. */
  readonly tree?: Choice
  /** What embeds entities, relationships, facts and reports; `embedder` where absent. */
  readonly graphEmbedder?: Chosen<EmbedderDefinition>
  /** The language models that roles may name, by the config's name for them: each a provider and its params. */
  readonly models?: Readonly<Record<string, Choice>>
  /** The file of recorded answers that stands for asking them. */
  readonly recording?: string
  /** The rerankers by the config's name for them. */
  readonly rerankers?: Readonly<Record<string, Choice>>
}

/** What a trial needs and `prepare` does not say: which key, and the line to add with what works offline. */
export class LacksPreparation extends UserError {
  readonly key: keyof typeof ADVISED
  readonly line: string
  /** The choices of that line, so that a reader can go on and find what else is lacking. */
  readonly advised: Partial<Recipe>

  constructor(key: keyof typeof ADVISED) {
    const names = ADVISED[key]
    const line = `${key}: ${names.length > 1 ? `[${names.join(', ')}]` : names[0]}`
    super(`\`prepare\` has no line \`${key}\`; add one, as \`${line}\``)
    const choices = names.map((name): Choice => ({ name, params: {} }))
    this.key = key
    this.line = line
    this.advised = { [key]: key === 'graph' ? choices : choices[0] }
  }
}

const ADVISED = {
  graph: ['rules', 'titles'],
  communities: ['leiden'],
  reports: ['extractive'],
  tree: ['extractive'],
} as const

/** A recipe is one value in a run: what is made of it is made once, and the files that it names are hashed once. */
export function oncePerRecipe<T>(make: (recipe: Recipe) => T): (recipe: Recipe) => T {
  const made = new WeakMap<Recipe, T>()
  return (recipe) => {
    const known = made.get(recipe) ?? make(recipe)
    made.set(recipe, known)
    return known
  }
}

/** What of a chosen definition is part of a key: files by content, not by path; a model is an input, whatever it is called. */
export function keyOf<P extends Readonly<Record<string, Json>>>(
  definition: {
    readonly version: number
    readonly code?: string
    readonly params: z.ZodObject
    readonly files?: (params: P) => Readonly<Record<string, string>>
  },
  params: P,
) {
  const { version, code, files } = definition
  const isNamed = (param: string) => {
    const { path = param === 'path', model = false } = definition.params.shape[param]?.meta() ?? {}
    return path === true || model === true
  }
  const rest = Object.fromEntries(Object.entries(params).filter(([param]) => !isNamed(param)))
  // A custom definition may name fewer files than its params do.
  return { version, code, params: files && code === undefined ? rest : params, files: files?.(params) ?? {} }
}
