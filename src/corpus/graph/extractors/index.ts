import { listParts, type Part, typeParts } from '../../../registry.ts'
import { entityKey } from '../../../text/entity-key.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import type { TextProfile } from '../../../text/tokenize.ts'
import type { Chunk, Document } from '../../../types.ts'
import type { AskEach } from '../../writer.ts'

/** Finds entities and relationships in chunks. Results of several extractors are merged (merge.ts). */
export type Extractor = Part<GraphSource>

export interface GraphSource {
  /**
   * Sentences on records of the files that will be left out or merged. Throws a UserError if the files are wrong or
   * belong to another corpus.
   */
  check?(documents: readonly Document[]): readonly string[] | Promise<readonly string[]>
  readonly relations?: readonly string[]
  extract(input: ExtractorInput, askEach: AskEach): Extraction | Promise<Extraction>
}

export interface ExtractorInput {
  readonly chunks: readonly Chunk[]
  readonly documents: readonly Document[]
  /** Tokenizer and languages of the corpus; English if absent. */
  readonly profile?: TextProfile
}

export interface Extraction {
  readonly mentions: readonly Mention[]
  readonly links: readonly Link[]
  /** `exact`: names that differ are different entities. Otherwise entities are merged by `entityKey`, as in HippoRAG. */
  readonly names?: 'exact'
  /** Distinct texts of an entity are joined by `separator` and cut at `tokens`. */
  readonly describe: { readonly separator: string; readonly tokens: number }
  /** Counts of skipped or odd records: `{malformedTriples: 185}`. */
  readonly notices: Readonly<Record<string, number>>
}

export interface Mention {
  readonly name: string
  /** Chunk row, or -1. */
  readonly chunk: number
  readonly count: number
  readonly type?: string
  readonly text?: string
}

/** Relationship of two entities. Both ends must be mentioned somewhere. */
export interface Link {
  readonly source: string
  readonly target: string
  /** Text between subject and object; may be empty. */
  readonly predicate: string
  /** Kind of relation: `contains`, `has_trait`. */
  readonly relation?: string
  readonly chunk: number
  readonly weight: number
  /** `source predicate target` if absent. */
  readonly description?: string
  readonly alsoIn?: readonly number[]
}

/** Title, line break, text, none of which can close the marks of a prompt. */
export function chunkText({ title, text }: Pick<Chunk, 'title' | 'text'>): string {
  return withoutMarks(title === '' ? text : `${title}\n${text}`)
}

export const defineExtractor = typeParts<GraphSource>()

export const extractors = listParts<Extractor>('extractor', {
  graphml: () => import('./graphml.ts'),
  graphrag: () => import('./graphrag.ts'),
  lightrag: () => import('./lightrag.ts'),
  'llm-graphrag': () => import('./llm-graphrag.ts'),
  'llm-openie': () => import('./llm-openie.ts'),
  mongoexport: () => import('./mongoexport.ts'),
  'noun-phrases': () => import('./noun-phrases.ts'),
  openie: () => import('./openie.ts'),
  patterns: () => import('./patterns.ts'),
  rules: () => import('./rules.ts'),
  structure: () => import('./structure.ts'),
  titles: () => import('./titles.ts'),
})

export function isTriple(triple: unknown): triple is unknown[] {
  return (
    Array.isArray(triple) &&
    triple.length === 3 &&
    triple.every((part) => typeof part === 'string' || typeof part === 'number')
  )
}

export function addTriple(
  triple: readonly string[],
  chunk: number,
  extraction: { readonly mentions: Mention[]; readonly links: Link[] },
): void {
  const [source, predicate, target] = triple
  const text = `${source} ${predicate} ${target}`
  extraction.mentions.push({ name: source, chunk, count: 1, text })
  if (entityKey(target) !== entityKey(source))
    extraction.mentions.push({ name: target, chunk, count: 1, text })
  extraction.links.push({ source, target, predicate, chunk, weight: 1 })
}
