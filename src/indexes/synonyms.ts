import { join } from 'node:path'
import type { SynonymEdges } from '../graph/graph.ts'
import { findSynonyms } from '../graph/synonyms.ts'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { entityIndex } from './entities.ts'
import { entitiesTable } from './graph.ts'
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
      const { sources, targets, weights } = findSynonyms(keys, await inputs.names(), {}, (done, total) =>
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
