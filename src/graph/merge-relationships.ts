import { entityKey } from '../text/entity-key.ts'
import { compareIds } from '../text/order.ts'
import { createAnalyzer } from '../text/tokenize.ts'
import { createPieces, type Pieces } from './describe.ts'
import type { Extraction } from './extractors/define.ts'
import { buildIncidence, type Incidence } from './incidence.ts'
import { inChunkOrder, MERGED_TOKENS } from './merge-entities.ts'

/** The merged relationships in order of first occurrence: extractor by extractor, chunk by chunk. */
export interface MergedRelationships {
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
  readonly descriptions: readonly string[]
  readonly keywords: readonly string[]
  readonly chunks: Incidence
  readonly found: readonly FoundLinks[]
}

interface FoundLinks {
  readonly relationships: number
  /** Links with an end that no extractor mentions. */
  readonly danglingRelationships: number
  /** Links of an entity to itself: they stay facts. */
  readonly selfRelationships: number
  readonly badWeights: number
}

/**
 * One relationship for each ordered pair of entities: weights add, distinct descriptions are joined by newline in
 * chunk order and cut at 500 tokens, keywords are the distinct content words of the predicates.
 */
export function mergeRelationships(
  extractions: readonly Extraction[],
  rowOf: (name: string) => number,
  entities: number,
  chunkCount: number,
): MergedRelationships {
  const contentWords = createAnalyzer({ stemmer: 'none', stopwords: 'english' })
  const byPair = new Map<number, number>()
  const sources: number[] = []
  const targets: number[] = []
  const weights: number[] = []
  const descriptions: Pieces[] = []
  const predicates: Set<string>[] = []
  const standing: { rows: number[]; members: number[] } = { rows: [], members: [] }

  const found = extractions.map(({ links }): FoundLinks => {
    const touched = new Set<number>()
    const skipped = { danglingRelationships: 0, selfRelationships: 0, badWeights: 0 }
    for (const { source, target, predicate, chunk, weight, description, alsoIn } of inChunkOrder(links)) {
      const from = rowOf(source)
      const to = rowOf(target)
      if (from < 0 || to < 0) skipped.danglingRelationships++
      else if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) skipped.badWeights++
      else if (from === to) skipped.selfRelationships++
      else {
        const pair = from * entities + to
        let row = byPair.get(pair)
        if (row === undefined) {
          row = sources.length
          byPair.set(pair, row)
          sources.push(from)
          targets.push(to)
          weights.push(0)
          descriptions.push(createPieces('\n', MERGED_TOKENS))
          predicates.push(new Set())
        }
        touched.add(row)
        weights[row] += weight
        descriptions[row].add(description ?? `${source} ${predicate} ${target}`.replace(/ {2,}/g, ' '))
        if (predicate !== '' && predicates[row].size < 64) predicates[row].add(predicate)
        for (const at of alsoIn ? [chunk, ...alsoIn] : [chunk]) {
          if (at < 0) continue
          standing.rows.push(row)
          standing.members.push(at)
        }
      }
    }
    return { relationships: touched.size, ...skipped }
  })
  return {
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    weights: Float64Array.from(weights),
    descriptions: descriptions.map((pieces) => pieces.text()),
    keywords: predicates.map((texts) => keywordsOf(texts, contentWords)),
    chunks: buildIncidence(sources.length, standing, chunkCount),
    found,
  }
}

function keywordsOf(predicates: ReadonlySet<string>, contentWords: (text: string) => string[]): string {
  const words = createPieces(', ', MERGED_TOKENS)
  for (const predicate of predicates) for (const word of contentWords(predicate)) words.add(word)
  return words.text()
}

/** Distinct facts by subject, predicate, object; sorted by them. Rows are entity rows. */
export interface MergedFacts {
  readonly subjects: Uint32Array
  readonly predicates: readonly string[]
  readonly objects: Uint32Array
  readonly counts: Uint32Array
}

/** HippoRAG's facts: every link, its predicate normalised as an entity key, counted. Those of one entity with itself included. */
export function mergeFacts(extractions: readonly Extraction[], rowOf: (name: string) => number): MergedFacts {
  const predicateKeys = new Map<string, string>()
  const byContent = new Map<string, number>()
  const facts: { subject: number; predicate: string; object: number; count: number }[] = []
  for (const { links } of extractions)
    for (const { source, target, predicate: written } of links) {
      const subject = rowOf(source)
      const object = rowOf(target)
      if (subject < 0 || object < 0) continue
      let predicate = predicateKeys.get(written)
      if (predicate === undefined) {
        predicate = entityKey(written)
        predicateKeys.set(written, predicate)
      }
      const content = `${subject} ${object} ${predicate}`
      const known = byContent.get(content)
      if (known !== undefined) facts[known].count++
      else {
        byContent.set(content, facts.length)
        facts.push({ subject, predicate, object, count: 1 })
      }
    }
  facts.sort((a, b) => a.subject - b.subject || compareIds(a.predicate, b.predicate) || a.object - b.object)
  return {
    subjects: Uint32Array.from(facts, ({ subject }) => subject),
    predicates: facts.map(({ predicate }) => predicate),
    objects: Uint32Array.from(facts, ({ object }) => object),
    counts: Uint32Array.from(facts, ({ count }) => count),
  }
}

/** What is embedded of a fact. An empty predicate leaves no double space. */
export function factText(subject: string, predicate: string, object: string): string {
  return predicate === '' ? `${subject} ${object}` : `${subject} ${predicate} ${object}`
}
