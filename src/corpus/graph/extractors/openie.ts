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
 * the overlap of their text.
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
      const documentOf = (id: string) => id.replace(/#\d+$/, '')
      const ours = new Set(documents.map(({ id }) => id))
      const isNamed = ({ id, text }: Passage) =>
        text === undefined && (ours.has(id) || ours.has(documentOf(id)))
      const { rowsOf } = matchPassages(
        passages.filter((passage) => !isNamed(passage)),
        documents,
      )
      const isHere = (passage: Passage) => isNamed(passage) || rowsOf.has(passage.id)
      const here = passages.filter(isHere)
      if (here.length === 0) throw ofAnotherCorpus(path, passages, documents[0]?.id)
      const sum = (count: (passage: Passage) => number) =>
        passages.reduce((sum, passage) => sum + count(passage), 0)
      const odd = {
        'triples that are not three strings': sum(({ malformedTriples }) => malformedTriples),
        'entities that are not strings': sum(({ malformedEntities }) => malformedEntities),
        'passages that the corpus lacks': passages.length - here.length,
      }
      const names = here.flatMap(({ entities, triples }) => [
        ...entities,
        ...triples.flatMap(([subject, , object]) => [subject, object]),
      ])
      return [
        ...Object.entries(odd).flatMap(([kind, number]) =>
          number > 0 ? [`${number} ${kind} are ignored`] : [],
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
      for (const { id, entities, triples, malformedTriples, malformedEntities } of passages) {
        const rows = matches.rowsOf.get(id)
        if (!rows) {
          notices.unknownPassages++
          continue
        }
        notices.malformedTriples += malformedTriples
        notices.malformedEntities += malformedEntities
        for (const row of rows) covered.add(row)
        for (const name of entities) mentions.push({ name, chunk: rowOf(rows, chunks, [name]), count: 1 })
        for (const triple of triples)
          addTriple(triple, rowOf(rows, chunks, [triple[0], triple[2]]), { mentions, links })
      }
      if (covered.size === 0) throw ofAnotherCorpus(path, passages, chunks[0]?.id)
      notices.passagesWithout = chunks.length - covered.size
      const { chunksByHash, chunksByOverlap } = matches.counts
      return {
        mentions,
        links,
        describe: { separator: '. ', tokens: 100 },
        notices: {
          ...notices,
          ...(chunksByHash > 0 && { chunksByHash }),
          ...(chunksByOverlap > 0 && { chunksByOverlap }),
        },
      }
    },
  }),
})

interface Passage {
  readonly id: string
  readonly entities: readonly string[]
  readonly triples: readonly string[][]
  readonly malformedEntities: number
  readonly malformedTriples: number
  readonly text?: string
}

/** Passage of a record's values; a complaint if both lists are missing, or one is none. */
function passageOf(
  id: string,
  names: readonly [entities: string, triples: string],
  values: readonly [entities: unknown, triples: unknown],
): Passage | string {
  if (values.every((value) => value === undefined || value === null))
    return `has neither "${names[0]}" nor "${names[1]}"`
  const lists = values.map((value) => value ?? [])
  const wrong = lists.findIndex((list) => !Array.isArray(list))
  if (wrong >= 0) return `"${names[wrong]}" is not a list`
  const [entities, triples] = lists as unknown[][]
  const texts = entities.filter((name) => typeof name === 'string')
  const facts = triples.filter(isTriple)
  return {
    id,
    entities: texts,
    triples: facts.map((triple) => triple.map(String)),
    malformedEntities: entities.length - texts.length,
    malformedTriples: triples.length - facts.length,
  }
}

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

const HIPPO_FILE = /^openie_(?:.+_)?results_ner_.*\.json$/

function fileAt(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  const files = readdirSync(path).filter((name) => HIPPO_FILE.test(name))
  if (files.length === 1) return join(path, files[0])
  const message =
    files.length === 0
      ? 'holds no openie_results_ner_*.json (HippoRAG 2) or openie_*_results_ner_*.json (HippoRAG 1)'
      : `holds ${files.length} results of HippoRAG: ${files.join(', ')}; give the path of one`
  throw new UserError(message, path)
}

function passagesOfHippo(file: string, text: string): Passage[] {
  const { value, diagnostic } = parseJson(text)
  const { docs } = (value ?? {}) as { readonly docs?: unknown }
  if (diagnostic) throw new UserError(diagnostic.message, file)
  if (!Array.isArray(docs)) throw new UserError('has no list "docs" of passages', file)
  const diagnostics: Diagnostic[] = []
  const passages = docs.flatMap((record, index): Passage[] => {
    const { idx, passage: text, extracted_entities: entities, extracted_triples: triples } = record ?? {}
    const passage =
      typeof idx === 'string' || typeof idx === 'number'
        ? passageOf(String(idx), ['extracted_entities', 'extracted_triples'], [entities, triples])
        : 'has no "idx"'
    if (typeof passage !== 'string') return [{ ...passage, ...(typeof text === 'string' && { text }) }]
    diagnostics.push({ file, message: `passage ${index + 1}: ${passage}` })
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
  if (passages.length === 0) throw new UserError('holds no passage', path)
  return passages
}

function passagesOfLines(path: string, text: string): Passage[] {
  const passages: Passage[] = []
  const lines = new Map<string, number>()
  eachJsonLine(path, text, (value, wrong, line) => {
    const { id: rawId, entities, triples } = (value ?? {}) as Record<string, unknown>
    const id = Number.isSafeInteger(rawId) ? String(rawId) : rawId
    if (typeof id !== 'string' || id === '') return wrong('has no "id"')
    if (lines.has(id)) return wrong(`the passage ${JSON.stringify(id)} is already at line ${lines.get(id)}`)
    const passage = passageOf(id, ['entities', 'triples'], [entities, triples])
    if (typeof passage === 'string') return wrong(passage)
    lines.set(id, line)
    passages.push(passage)
  })
  return passages
}

function ofAnotherCorpus(path: string, passages: readonly Passage[], ours = ''): UserError {
  const [{ id }] = passages
  return new UserError(
    `belongs to another corpus: none of its ${passages.length} ids is a chunk or document here (its first: ${JSON.stringify(id)}, ours: ${JSON.stringify(ours)})`,
    path,
  )
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

/** First of a document's chunks that contains most of the names. */
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
