import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { titledText } from '../../../text/tokenize.ts'
import { chunkColumns } from '../../corpus.ts'
import { separateExtractions } from '../extraction.ts'
import type { Extraction } from '../extractors/define.ts'
import { defineExport } from './define.ts'

interface Passage {
  /** As HippoRAG keys passages: `chunk-` and the MD5 of the text. */
  readonly idx: string
  readonly passage: string
  readonly extracted_entities: readonly string[]
  readonly extracted_triples: readonly (readonly [string, string, string])[]
}

/** Entities and triples of each passage, in the order in which they were found; equal ones once. */
export function openiePassages(
  chunks: readonly { readonly title: string; readonly text: string }[],
  extractions: readonly Pick<Extraction, 'mentions' | 'links'>[],
): Passage[] {
  const entities = chunks.map(() => new Set<string>())
  const triples = chunks.map(() => new Map<string, readonly [string, string, string]>())
  for (const { mentions, links } of extractions) {
    for (const { name, chunk } of mentions) entities[chunk]?.add(name)
    for (const { source, predicate = '', target, chunk, alsoIn = [] } of links)
      for (const row of [chunk, ...alsoIn])
        triples[row]?.set(JSON.stringify([source, predicate, target]), [source, predicate, target])
  }
  return chunks.map((chunk, row) => {
    const passage = titledText(chunk)
    return {
      idx: `chunk-${createHash('md5').update(passage).digest('hex')}`,
      passage,
      extracted_entities: [...entities[row]],
      extracted_triples: [...triples[row].values()],
    }
  })
}

/** HippoRAG's `openie_results_ner_<model>.json`. */
export const hipporag = defineExport({
  name: 'hipporag',
  summary: "HippoRAG's openie_results_ner_*.json: entities and triples of each passage",
  folder: false,
  reads: (recipe) => ({
    chunks: chunkColumns(recipe, 'title', 'text'),
    extractions: separateExtractions(recipe),
  }),
  write(path, { chunks, extractions }) {
    const docs = openiePassages(chunks, extractions)
    const names = docs.flatMap(({ extracted_entities }) => extracted_entities)
    const mean = (size: (name: string) => number) =>
      names.length === 0 ? 0 : names.reduce((sum, name) => sum + size(name), 0) / names.length
    const rounded = (value: number) => Math.round(value * 10_000) / 10_000
    const whole = {
      docs,
      avg_ent_chars: rounded(mean((name) => name.length)),
      avg_ent_words: rounded(mean((name) => name.trim().split(/\s+/).length)),
    }
    writeFileSync(path, `${JSON.stringify(whole)}\n`)
    return []
  },
})
