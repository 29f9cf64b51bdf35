import { join } from 'node:path'
import type { SynonymEdges } from '../graph/graph.ts'
import { EMPTY, rankPairs } from '../ranking/order.ts'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { Ranking } from '../types.ts'
import { entityIndex } from './dense.ts'
import { entitiesTable } from './graph.ts'
import { type LaterNeighbours, laterNeighbours } from './near.ts'
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

/** Cosine from which two names are synonyms, and how many synonyms a name has at most (HippoRAG's values). */
export const SYNONYM_COSINE = 0.8
export const MAX_SYNONYMS = 100
const BLOCK = 64

/**
 * Links each entity whose key has more than 2 letters and digits to every other entity, however short, whose name is
 * near to its own (by `later`: each pair is looked at once), to `max` at most. Sorted by source, then target.
 * (Gutiérrez et al., NeurIPS 2024, section 2.3; `add_synonymy_edges`.)
 */
export function findSynonyms(
  keys: readonly string[],
  later: LaterNeighbours,
  max = MAX_SYNONYMS,
  progress?: (done: number, total: number) => void,
): SynonymEdges {
  const found = keys.map((key) => (letters(key) > 2 ? createNearest(max) : undefined))
  for (let first = 0; first < keys.length; first += BLOCK) {
    progress?.(first, keys.length)
    later(first, Math.min(BLOCK, keys.length - first)).forEach(({ rows, scores }, i) => {
      rows.forEach((row, index) => {
        found[first + i]?.offer(row, scores[index])
        found[row]?.offer(first + i, scores[index])
      })
    })
  }
  const sources: number[] = []
  const targets: number[] = []
  const weights: number[] = []
  found.forEach((nearest, source) => {
    const { rows, scores } = nearest?.best() ?? EMPTY
    for (const index of Array.from(rows.keys()).sort((a, b) => rows[a] - rows[b])) {
      sources.push(source)
      targets.push(rows[index])
      weights.push(scores[index])
    }
  })
  return {
    sources: Uint32Array.from(sources),
    targets: Uint32Array.from(targets),
    weights: Float64Array.from(weights),
  }
}

/** The `max` nearest of what is offered: twice as many are held, then the better half kept. */
function createNearest(max: number): { offer(row: number, score: number): void; best(): Ranking } {
  let rows: number[] = []
  let scores: number[] = []
  const best = () => rankPairs(rows, scores, max)
  return {
    best,
    offer(row, score) {
      rows.push(row)
      scores.push(score)
      if (rows.length < 2 * max) return
      const kept = best()
      rows = Array.from(kept.rows)
      scores = Array.from(kept.scores)
    },
  }
}

function letters(key: string): number {
  let count = 0
  for (const letter of key) if (letter !== ' ') count++
  return count
}
