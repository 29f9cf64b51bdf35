import { createAnalyzer, ENGLISH, type TextProfile } from '../../text/tokenize.ts'
import { buildIncidence, type Incidence } from './csr.ts'
import { addPiece, createDescribe, type Describe, withPiece } from './describe.ts'
import type { Extraction } from './extractors/index.ts'
import { inChunkOrder, MERGED_TOKENS } from './merge-entities.ts'

interface MergedRelationships {
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
  readonly descriptions: readonly string[]
  readonly keywords: readonly string[]
  readonly relations: readonly (readonly string[])[]
  readonly chunks: Incidence
  readonly found: readonly FoundLinks[]
}

interface FoundLinks {
  readonly relationships: number
  /** Links with an end that no extractor mentions. */
  readonly danglingRelationships: number
  /** Links of an entity to itself; they are kept as facts. */
  readonly selfRelationships: number
  readonly badWeights: number
}

/**
 * One relationship per ordered pair: weights are summed, distinct descriptions joined in chunk order and cut at 500
 * tokens.
 */
export function mergeRelationships(
  extractions: readonly Extraction[],
  rowOf: (name: string, names?: Extraction['names']) => number,
  entities: number,
  chunkCount: number,
  profile: TextProfile = ENGLISH,
): MergedRelationships {
  const contentWords = createAnalyzer({ ...profile, stemmer: false, stopwords: true })
  const describe = createDescribe()
  const byPair = new Map<number, number>()
  const sources: number[] = []
  const targets: number[] = []
  const weights: number[] = []
  const descriptions: (string | string[])[] = []
  const predicates: (string | string[])[] = []
  const relations: string[][] = []
  const mentions: { rows: number[]; members: number[] } = { rows: [], members: [] }

  const counts = extractions.map(({ links, names }): FoundLinks => {
    const touched = new Set<number>()
    const skipped = { danglingRelationships: 0, selfRelationships: 0, badWeights: 0 }
    for (const link of inChunkOrder(links)) {
      const { source, target, predicate, relation, chunk, weight, description, alsoIn } = link
      const from = rowOf(source, names)
      const to = rowOf(target, names)
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
          descriptions.push('')
          predicates.push('')
          relations.push([])
        }
        touched.add(row)
        weights[row] += weight
        const piece = description ?? `${source} ${predicate} ${target}`.replace(/ {2,}/g, ' ')
        descriptions[row] = withPiece(descriptions[row], piece, MERGED_TOKENS)
        predicates[row] = withPiece(predicates[row], predicate, MERGED_TOKENS)
        if (relation !== undefined && !relations[row].includes(relation)) relations[row].push(relation)
        for (const at of alsoIn ? [chunk, ...alsoIn] : [chunk]) {
          if (at < 0) continue
          mentions.rows.push(row)
          mentions.members.push(at)
        }
      }
    }
    return { relationships: touched.size, ...skipped }
  })
  return {
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    weights: Float64Array.from(weights),
    descriptions: descriptions.map((pieces) => describe(pieces, '\n', MERGED_TOKENS)),
    keywords: predicates.map((texts) => keywordsOf(texts, contentWords, describe)),
    relations,
    chunks: buildIncidence(sources.length, mentions, chunkCount),
    found: counts,
  }
}

function keywordsOf(
  predicates: string | readonly string[],
  contentWords: (text: string) => string[],
  describe: Describe,
): string {
  const words: string[] = []
  for (const predicate of typeof predicates === 'string' ? [predicates] : predicates)
    for (const word of contentWords(predicate)) addPiece(words, word, MERGED_TOKENS)
  return describe(words, ', ', MERGED_TOKENS)
}
