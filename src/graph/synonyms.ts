import type { Ranking } from '../types.ts'
import type { SynonymEdges } from './graph.ts'

/** Cosine from which two names are synonyms, and how many synonyms a name has at most (HippoRAG's values). */
export const SYNONYM_COSINE = 0.8
export const MAX_SYNONYMS = 100
const BLOCK = 64

/** What is needed of an exact index over the entities' names. */
export interface NameIndex {
  readonly rows: number
  search(vectors: readonly Float32Array[], depth: number): readonly Ranking[]
  vector(row: number): Float32Array
}

export interface SynonymLimits {
  /** From which two names are synonyms, in [-1, 1]; 0.8 if left out. */
  readonly cosine?: number
  /** How many synonyms a name has at most; 100 if left out. */
  readonly most?: number
}

/**
 * Links each entity whose key has more than 2 letters and digits to every other entity, however short, whose name has
 * a cosine of at least `cosine`, to `most` at most. Sorted by source, then target.
 * (Gutiérrez et al., NeurIPS 2024, section 2.3; `add_synonymy_edges`.)
 */
export function findSynonyms(
  keys: readonly string[],
  index: NameIndex,
  { cosine = SYNONYM_COSINE, most = MAX_SYNONYMS }: SynonymLimits = {},
  progress?: (done: number, total: number) => void,
): SynonymEdges {
  const sources: number[] = []
  const targets: number[] = []
  const weights: number[] = []
  const searched = keys.map((_, row) => row).filter((row) => letters(keys[row]) > 2)
  for (let first = 0; first < searched.length; first += BLOCK) {
    progress?.(first, searched.length)
    const block = searched.slice(first, first + BLOCK)
    // One more, since each finds itself.
    const rankings = index.search(
      block.map((row) => index.vector(row)),
      most + 1,
    )
    rankings.forEach(({ rows, scores }, place) => {
      const found: [number, number][] = []
      for (let i = 0; i < rows.length && scores[i] >= cosine; i++)
        if (rows[i] !== block[place] && found.length < most) found.push([rows[i], scores[i]])
      found.sort(([a], [b]) => a - b)
      for (const [row, score] of found) {
        sources.push(block[place])
        targets.push(row)
        weights.push(score)
      }
    })
  }
  return {
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    weights: Float64Array.from(weights),
  }
}

function letters(key: string): number {
  let count = 0
  for (const letter of key) if (letter !== ' ') count++
  return count
}
