import { join } from 'node:path'
import type { SynonymEdges } from '../graph/graph.ts'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { Ranking } from '../types.ts'
import { entityIndex } from './dense.ts'
import { entitiesTable } from './graph.ts'
import { searchNear } from './near.ts'
import type { Recipe } from './recipe.ts'

const FILE = 'synonyms.safetensors'

/** Entities whose names mean the same by cosine, one row for each direction in which they were found. */
export function synonymy(recipe: Recipe): Artifact<SynonymEdges> {
  return defineArtifact({
    name: 'synonyms',
    version: 1,
    params: null,
    inputs: { entities: entitiesTable(recipe), names: entityIndex(recipe, 'name') },
    async build(folder, inputs, { progress }) {
      const { keys } = await inputs.entities()
      const names = await inputs.names()
      const near = { vector: names.vector, search: searchNear(names, SYNONYM_COSINE) }
      const { sources, targets, weights } = findSynonyms(keys, near, {}, (done, total) =>
        progress('synonyms', done, total),
      )
      writeArrays(join(folder, FILE), { sources, targets, weights })
    },
    open(folder) {
      const { arrays } = readArrays(join(folder, FILE))
      return {
        sources: arrays.sources as Uint32Array,
        targets: arrays.targets as Uint32Array,
        weights: arrays.weights as Float64Array,
      }
    },
  })
}

/** Cosine from which two names are synonyms, and how many synonyms a name has at most (HippoRAG's values). */
export const SYNONYM_COSINE = 0.8
export const MAX_SYNONYMS = 100
const BLOCK = 64

/** What is needed of an exact search over the entities' names. What is below the asked cosine need not be found. */
export interface NameIndex {
  search(vectors: readonly Float32Array[], depth: number): readonly Ranking[]
  vector(row: number): Float32Array
}

export interface SynonymLimits {
  /** From which two names are synonyms, in [-1, 1]; 0.8 if left out. */
  readonly cosine?: number
  /** How many synonyms a name has at most; 100 if left out. */
  readonly max?: number
}

/**
 * Links each entity whose key has more than 2 letters and digits to every other entity, however short, whose name has
 * a cosine of at least `cosine`, to `max` at most. Sorted by source, then target.
 * (Gutiérrez et al., NeurIPS 2024, section 2.3; `add_synonymy_edges`.)
 */
export function findSynonyms(
  keys: readonly string[],
  index: NameIndex,
  { cosine = SYNONYM_COSINE, max = MAX_SYNONYMS }: SynonymLimits = {},
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
      max + 1,
    )
    rankings.forEach(({ rows, scores }, query) => {
      const found: [number, number][] = []
      for (let i = 0; i < rows.length && scores[i] >= cosine; i++)
        if (rows[i] !== block[query] && found.length < max) found.push([rows[i], scores[i]])
      found.sort(([a], [b]) => a - b)
      for (const [row, score] of found) {
        sources.push(block[query])
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
