import { join } from 'node:path'
import { resolve } from '../registry.ts'
import { type Artifact, defineArtifact, derived, viewOf } from '../store/artifact.ts'

import {
  CHUNK_FIELDS,
  readChunks,
  readDocumentIds,
  readDocuments,
  writeDocuments,
  writeTextUnits,
} from '../tables/corpus.ts'

import { headingsOf } from '../text/headings.ts'
import { phraseKey } from '../text/phrases.ts'
import { plainHeading } from '../text/plain-heading.ts'
import { titledText } from '../text/tokenize.ts'
import type { Chunk, Document } from '../types.ts'
import { chunkDocuments } from './chunks/chunk.ts'
import { chunkers } from './chunks/chunkers/index.ts'
import { createEnrich, enrichers, enrichmentRules } from './chunks/enrich.ts'
import { keyOf, type Recipe } from './recipe.ts'

const DOCUMENTS = 'documents.parquet'
const CHUNKS = 'text_units.parquet'

/** Corpus as a table, sorted by id bytes. `load` runs only if the table is missing. */
export function documentsTable(source: {
  readonly hash: string
  readonly load: () => Promise<readonly Document[]>
}): Artifact<readonly Document[]> {
  return defineArtifact({
    name: 'documents',
    version: 1,
    params: { hash: source.hash },
    inputs: {},
    async build(folder) {
      writeDocuments(join(folder, DOCUMENTS), await source.load())
    },
    open: (folder) => readDocuments(join(folder, DOCUMENTS)),
    // Only chunks and graphs are built from documents; all else reads at most their ids.
    copied: true,
  })
}

export function documentIds(
  documents: Artifact<readonly Document[]>,
): Artifact<readonly Pick<Document, 'id'>[]> {
  return viewOf(documents, 'id', (folder) => readDocumentIds(join(folder, DOCUMENTS)))
}

/** The chunks of a recipe, sorted by id bytes: a chunk's row is its index in this array. */
export function textUnits({ documents, chunk, enrich }: Recipe): Artifact<readonly Chunk[]> {
  const { definition: chunker, params } = resolve(chunkers, chunk)
  const enriched = enrich && resolve(enrichers, enrich)
  return defineArtifact({
    name: 'text_units',
    version: 3,
    params: {
      chunker: chunker.name,
      version: chunker.version,
      code: chunker.code,
      params,
      ...(chunker.files && { files: chunker.files(params) }),
      ...(enriched && {
        enrich: { name: enriched.definition.name, ...keyOf(enriched.definition, enriched.params) },
      }),
    },
    inputs: { documents },
    async build(folder, inputs, { progress }) {
      const texts = await inputs.documents()
      const chunks = chunkDocuments(texts, chunk, progress)
      const enrichAll = enriched && createEnrich(enrichmentRules(enriched.params))
      writeTextUnits(
        join(folder, CHUNKS),
        enrichAll?.(chunks, texts, progress) ?? chunks,
        enriched !== undefined,
      )
    },
    open: (folder) => readChunks(join(folder, CHUNKS), CHUNK_FIELDS),
  })
}

/** Some fields of the chunks; not kept in memory, since readers copy them into their own form. */
export function chunkColumns<F extends keyof Chunk>(
  recipe: Recipe,
  ...fields: readonly F[]
): Artifact<readonly Pick<Chunk, F>[]> {
  const open = (folder: string) => readChunks(join(folder, CHUNKS), fields)
  return { ...viewOf(textUnits(recipe), fields.join(' '), open), copied: true }
}

/** Position and tokens of a chunk, without its text: texts are most of the memory of a large corpus. */
export type ChunkSpan = Pick<Chunk, 'id' | 'documentId' | 'position' | 'start' | 'end' | 'tokens'>

export function chunkSpans(recipe: Recipe): Artifact<readonly ChunkSpan[]> {
  return { ...chunkColumns(recipe, 'id', 'documentId', 'position', 'start', 'end', 'tokens'), copied: false }
}

export function chunkTexts(recipe: Recipe): Artifact<readonly string[]> {
  return derived('chunk_texts', { chunks: chunkColumns(recipe, 'title', 'text') }, ({ chunks }) =>
    chunks.map(titledText),
  )
}

/** Spelling of terms in the corpus's headings, by phrase key. */
export type KeywordTable = ReadonlyMap<string, string>

export function headingKeywords(recipe: Recipe): Artifact<KeywordTable> {
  return derived(
    'heading_keywords',
    { chunks: chunkColumns(recipe, 'title', 'section', 'text') },
    ({ chunks }) => keywordsOf(chunks.flatMap(headingsAround)),
  )
}

function headingsAround({ title, section, text }: Pick<Chunk, 'title' | 'section' | 'text'>): string[] {
  const inside = headingsOf(text).map(({ name }) => plainHeading(name))
  const above = new Set([title, ...section])
  return [...above, ...inside.filter((name) => !above.has(name))]
}

const MIN_KEYWORD = 4

/**
 * Splits headings at dashes and colons into keywords of at least 4 characters, without parentheses, brackets and a
 * number at the end ("Lethal 5+"). The most frequent spelling wins.
 */
export function keywordsOf(headings: readonly string[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const heading of headings)
    for (const part of heading.replace(/\([^()]*\)|\[[^[\]]*\]/gu, ' ').split(/\s[-–—]\s|:\s/u)) {
      const form = part
        .replace(/(?<!\s)\s+(?:[xX]|\d+\+?)$/u, '')
        .trim()
        .replace(/\s+/g, ' ')
      if (form.length < MIN_KEYWORD) continue
      const forms = counts.get(phraseKey(form)) ?? new Map<string, number>()
      forms.set(form, (forms.get(form) ?? 0) + 1)
      counts.set(phraseKey(form), forms)
    }
  return new Map([...counts].map(([key, forms]) => [key, mostFrequent(forms)]))
}

function mostFrequent(forms: ReadonlyMap<string, number>): string {
  return [...forms].sort(([a, times], [b, other]) => other - times || (a < b ? -1 : 1))[0][0]
}
