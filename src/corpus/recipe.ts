import type { z } from 'zod'
import type { CustomFile } from '../custom/load.ts'
import { UserError } from '../errors.ts'
import { oncePer } from '../maps.ts'
import type { EmbedderPart } from '../models/embedders/index.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Document, Json } from '../types.ts'
import type { Chunker } from './chunks/chunkers/index.ts'
import type { Extractor } from './graph/extractors/index.ts'

export interface Choice {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
  /** File of a custom definition. */
  readonly file?: CustomFile
  readonly recording?: string
}

export interface Chosen<D> extends Choice {
  readonly definition?: D
}

export interface Recipe {
  readonly documents: Artifact<readonly Document[]>
  /** The dataset's policy for the document with a query's own id; trials leave it out of their rankings. */
  readonly ownDocument?: 'drop' | 'keep'
  readonly chunk: Chosen<Chunker>
  readonly enrich?: Choice
  /** Text before a chunk when it is searched; its title if absent. */
  readonly context?: Choice
  /** Chunker that cuts chunks into units for searching. */
  readonly index?: Chosen<Chunker>
  readonly embedder: Chosen<EmbedderPart>
  readonly tokenizer?: Choice
  readonly language?: Choice
  readonly graph?: readonly Chosen<Extractor>[]
  readonly communities?: Choice
  readonly reports?: Choice
  readonly tree?: Choice
  /** Embedder of entities, relationships, facts and community reports; `embedder` if absent. */
  readonly graphEmbedder?: Chosen<EmbedderPart>
  readonly models?: Readonly<Record<string, Choice>>
  readonly rerankers?: Readonly<Record<string, Choice>>
  readonly engines?: Readonly<Record<string, Choice>>
}

/** A trial needs a key that `prepare` lacks. `line` can be added, with choices that work offline. */
export class LacksPreparation extends UserError {
  readonly key: keyof typeof ADVISED
  readonly line: string
  /** Choices of that line, so that checking can continue and find other missing keys. */
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

/** Makes artifacts once per recipe, so that its files are hashed once. */
export const oncePerRecipe: <T>(make: (recipe: Recipe) => T) => (recipe: Recipe) => T = oncePer

/** Part of a choice that goes into keys: files by content, not by path; no model names, since models are inputs. */
export function keyOf<P extends Readonly<Record<string, Json>>>(
  definition: {
    readonly version?: number
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
