import { join } from 'node:path'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { entityIndex } from '../dense/dense.ts'
import { type LaterNeighbours, laterNeighbours, nearestOfEach } from '../dense/near.ts'
import type { Recipe } from '../recipe.ts'
import { entitiesTable } from './artifacts.ts'
import type { SynonymEdges } from './graph.ts'

const FILE = 'synonyms.safetensors'

/** Pairs of entities with similar names by cosine, one row per direction in which they were found. */
export function synonymy(recipe: Recipe): Artifact<SynonymEdges> {
  return defineArtifact({
    name: 'synonyms',
    version: 1,
    params: null,
    inputs: { entities: entitiesTable(recipe), names: entityIndex(recipe, 'name') },
    async build(folder, inputs, { progress }) {
      const { keys } = await inputs.entities()
      const names = await inputs.names()
      const near = laterNeighbours(names, SYNONYM_COSINE)
      const { sources, targets, weights } = findSynonyms(keys, near, MAX_SYNONYMS, (done, total) =>
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

/** Minimum cosine of synonyms, and maximum synonyms of a name (HippoRAG's values). */
export const SYNONYM_COSINE = 0.8
export const MAX_SYNONYMS = 100

/**
 * Links each entity whose key has more than 2 letters and digits to at most `max` other entities with a near name (by
 * `later`, which gives each pair once). Sorted by source, then target.
 * (Gutiérrez et al., NeurIPS 2024, section 2.3; `add_synonymy_edges`.)
 */
export function findSynonyms(
  keys: readonly string[],
  later: LaterNeighbours,
  max = MAX_SYNONYMS,
  progress?: (done: number, total: number) => void,
): SynonymEdges {
  return nearestOfEach(keys.length, later, max, { progress, isAsked: (row) => letters(keys[row]) > 2 })
}

function letters(key: string): number {
  let count = 0
  for (const letter of key) if (letter !== ' ') count++
  return count
}
