import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type Diagnostic, fewOfEachKind, UserError } from '../../../errors.ts'
import { addTo } from '../../../maps.ts'
import { eachJsonLine, hashFile, readText } from '../../../store/input.ts'
import { entityKey } from '../../../text/entity-key.ts'
import { parseJson } from '../../../text/json.ts'
import type { Chunk, Document } from '../../../types.ts'
import { matchChunks } from '../../match-texts.ts'
import { refusePickle } from '../foreign/graph.ts'
import { mergedInWords, namesByKey } from '../merge.ts'
import { addTriple, defineExtractor, isTriple, type Link, type Mention } from './index.ts'

/**
 * Reads triples, a passage a line (`{"id", "entities": [...], "triples": [[subject, predicate, object], ...]}`), or
 * HippoRAG's `openie_results_ner_*.json`. An id is a chunk's or a document's; other passages are found by the hash or
 * the overlap of their text. A passage may lack entities or triples, not both.
 */
export default defineExtractor({
  name: 'openie',
  version: 2,
  summary: 'stored triples, one passage per line (HippoRAG)',
  params: z.strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        "a JSONL file of id, entities, triples, or HippoRAG's openie_results_ner_*.json or its folder",
      ),
  }),
  only: 'path',
  files: ({ path }) => ({ openie: hashFile(fileAt(path), 'prepare.graph: openie') }),
  make: ({ path }) => ({
    check(documents) {
      const passages = readPassages(path)
      // The number of chunks of a document is not known before it is cut.
      const documentOf = (id: string) => id.replace(/#\d+$/, '')
      const ours = new Set(documents.map(({ id }) => id))
      const isNamed = ({ id, text }: Passage) =>
        text === undefined && (ours.has(id) || ours.has(documentOf(id)))
      const { rowsOf } = matchPassages(
        passages.filter((passage) => !isNamed(passage)),
        documents,
      )
      const isHere = (passage: Passage) => isNamed(passage) || rowsOf.has(passage.id)
      if (!passages.some(isHere)) throw ofAnotherCorpus(path, passages, documents[0]?.id)
      const count = (odd: (passage: Passage) => number) =>
        passages.reduce((sum, passage) => sum + odd(passage), 0)
      const odd = {
        'triples that are not three strings': count(
          ({ triples }) => triples.filter((triple) => !isTriple(triple)).length,
        ),
        'entities that are not strings': count(
          ({ entities }) => entities.filter((name) => !isString(name)).length,
        ),
        'passages that the corpus lacks': count((passage) => (isHere(passage) ? 0 : 1)),
      }
      const names = passages
        .filter(isHere)
        .flatMap(({ entities, triples }) => [
          ...entities.filter(isString),
          ...triples.filter(isTriple).flatMap(([subject, , object]) => [subject, object].map(String)),
        ])
      return [
        ...Object.entries(odd).flatMap(([what, number]) =>
          number > 0 ? [`${number} ${what} are ignored`] : [],
        ),
        ...mergedInWords(namesByKey(names)),
      ].map((words) => `${basename(path)}: ${words}`)
    },
    extract({ chunks }) {
      const mentions: Mention[] = []
      const links: Link[] = []
      const covered = new Set<number>()
      const notices = { malformedTriples: 0, malformedEntities: 0, unknownPassages: 0, passagesWithout: 0 }
      const passages = readPassages(path)
      const matches = matchPassages(passages, chunks, rowsOf(chunks))
      for (const { id, entities, triples } of passages) {
        const rows = matches.rowsOf.get(id)
        if (!rows) {
          notices.unknownPassages++
          continue
        }
        for (const row of rows) covered.add(row)
        for (const name of entities)
          if (isString(name)) mentions.push({ name, chunk: rowOf(rows, chunks, [name]), count: 1 })
          else notices.malformedEntities++
        for (const triple of triples) {
          if (!isTriple(triple)) {
            notices.malformedTriples++
            continue
          }
          const [source, , target] = triple.map(String)
          addTriple(triple, rowOf(rows, chunks, [source, target]), { mentions, links })
        }
      }
      if (covered.size === 0) throw ofAnotherCorpus(path, passages, chunks[0]?.id)
      notices.passagesWithout = chunks.length - covered.size
      const { chunksByHash, chunksByOverlap } = matches.counts
      const matched = {
        ...(chunksByHash > 0 && { chunksByHash }),
        ...(chunksByOverlap > 0 && { chunksByOverlap }),
      }
      return {
        mentions,
        links,
        describe: { separator: '. ', tokens: 100 },
        notices: { ...notices, ...matched },
      }
    },
  }),
})

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isString(name: unknown): name is string {
  return typeof name === 'string'
}

interface Passage {
  readonly id: string
  readonly entities: readonly unknown[]
  readonly triples: readonly unknown[]
  /** Text of the passage, if the file holds it. */
  readonly text?: string
}

/** Rows of passages by id and text, by the hash or the overlap of their texts. */
function matchPassages(
  passages: readonly Passage[],
  units: readonly (Chunk | Document)[],
  byId?: ReadonlyMap<string, readonly number[]>,
) {
  const texts = new Map(passages.flatMap(({ id, text }) => (text === undefined ? [] : [[id, text] as const])))
  return matchChunks(
    units,
    passages.map(({ id }) => id),
    texts,
    byId,
  )
}

/** HippoRAG 2's name of its file, and HippoRAG 1's with the data set before and the number of passages behind. */
const HIPPO_FILE = /^openie_(?:.+_)?results_ner_.*\.json$/

function fileAt(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  const files = readdirSync(path).filter((name) => HIPPO_FILE.test(name))
  if (files.length === 1) return join(path, files[0])
  const message =
    files.length === 0
      ? 'holds no openie_results_ner_*.json (HippoRAG 2) or openie_*_results_ner_*.json (HippoRAG 1)'
      : `holds ${files.length} results of HippoRAG: ${files.join(', ')}; give the path of one`
  throw new UserError({ file: path, message })
}

function passagesOfHippo(file: string, text: string): Passage[] {
  const { value, diagnostic } = parseJson(text)
  const { docs } = (value ?? {}) as { readonly docs?: unknown }
  if (diagnostic) throw new UserError({ file, message: diagnostic.message })
  if (!Array.isArray(docs)) throw new UserError({ file, message: 'has no list "docs" of passages' })
  const diagnostics: Diagnostic[] = []
  const passages = docs.flatMap((record, index): Passage[] => {
    const { idx, passage, extracted_entities: found, extracted_triples: related } = record ?? {}
    const [entities, triples] = [found ?? [], related ?? []]
    const wrong = (message: string) => diagnostics.push({ file, message: `passage ${index + 1}: ${message}` })
    if (typeof idx !== 'string' && typeof idx !== 'number') wrong('has no "idx"')
    else if (!isThere(found) && !isThere(related))
      wrong('has neither "extracted_entities" nor "extracted_triples"')
    else if (!Array.isArray(entities)) wrong('"extracted_entities" is not a list')
    else if (!Array.isArray(triples)) wrong('"extracted_triples" is not a list')
    else
      return [{ id: String(idx), entities, triples, ...(typeof passage === 'string' && { text: passage }) }]
    return []
  })
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
  return passages
}

function readPassages(place: string): Passage[] {
  const path = fileAt(place)
  refusePickle(path)
  const text = readText(path, 'prepare.graph: openie')
  const passages = /^\s*\{\s*"docs"\s*:/.test(text)
    ? passagesOfHippo(path, text)
    : passagesOfLines(path, text)
  if (passages.length === 0) throw new UserError({ file: path, message: 'holds no passage' })
  return passages
}

function passagesOfLines(path: string, text: string): Passage[] {
  const passages: Passage[] = []
  const lines = new Map<string, number>()
  eachJsonLine(path, text, (value, wrong, line) => {
    const { id: rawId, entities, triples } = (value ?? {}) as Record<string, unknown>
    const id = Number.isSafeInteger(rawId) ? String(rawId) : rawId
    if (typeof id !== 'string' || id === '') wrong('has no "id"')
    else if (!isThere(entities) && !isThere(triples)) wrong('has neither "entities" nor "triples"')
    else if (lines.has(id)) wrong(`the passage ${JSON.stringify(id)} is already at line ${lines.get(id)}`)
    else if (!Array.isArray(entities ?? [])) wrong('"entities" is not a list')
    else if (!Array.isArray(triples ?? [])) wrong('"triples" is not a list')
    else {
      lines.set(id, line)
      passages.push({ id, entities: (entities ?? []) as unknown[], triples: (triples ?? []) as unknown[] })
    }
  })
  return passages
}

function ofAnotherCorpus(path: string, passages: readonly Passage[], ours = ''): UserError {
  const [{ id }] = passages
  return new UserError({
    file: path,
    message: `belongs to another corpus: none of its ${passages.length} ids is a chunk or document here (its first: ${JSON.stringify(id)}, ours: ${JSON.stringify(ours)})`,
  })
}

function rowsOf(chunks: readonly Chunk[]): Map<string, number[]> {
  const rowsById = new Map<string, number[]>()
  chunks.forEach(({ documentId }, row) => {
    addTo(rowsById, documentId, row)
  })
  chunks.forEach(({ id }, row) => {
    rowsById.set(id, [row])
  })
  return rowsById
}

/** First of a document's chunks that contains most of the names. Most documents have one chunk. */
function rowOf(rows: readonly number[], chunks: readonly Chunk[], names: readonly string[]): number {
  if (rows.length === 1) return rows[0]
  const keys = names.map(entityKey)
  let best = rows[0]
  let max = 0
  for (const row of rows) {
    const text = ` ${entityKey(`${chunks[row].title} ${chunks[row].text}`)} `
    const matches = keys.filter((key) => text.includes(` ${key} `)).length
    if (matches > max) {
      best = row
      max = matches
    }
  }
  return best
}
