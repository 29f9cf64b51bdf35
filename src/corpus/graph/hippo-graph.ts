import { join } from 'node:path'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { type LaterNeighbours, laterNeighbours, type NearPairs, nearestOfEach } from '../dense/near.ts'
import type { Recipe } from '../recipe.ts'
import {
  buildCsr,
  type Csr,
  createEdges,
  type Incidence,
  membersOf,
  readCsr,
  rowSizes,
  writeCsr,
} from './csr.ts'
import { entitiesTable, factsTable, graph } from './extraction.ts'
import { createWalk, type RandomWalk } from './pagerank.ts'
import { entityIndex } from './vectors.ts'

/** HippoRAG's graph: node p is entity row p for p < `phrases`; in version 2 then chunk row p - `phrases`. */
export interface HippoGraph {
  readonly phrases: number
  readonly walk: RandomWalk
  readonly passagesPerPhrase: Uint32Array
}

const SYNONYMS = 'synonyms.safetensors'

export function synonymy(recipe: Recipe): Artifact<NearPairs> {
  return defineArtifact({
    name: 'synonyms',
    version: 1,
    params: null,
    inputs: { entities: entitiesTable(recipe), names: entityIndex(recipe, 'name') },
    async build(folder, inputs, { progress }) {
      const { keys } = await inputs.entities()
      const names = await inputs.names()
      const near = laterNeighbours(names, SYNONYM_COSINE)
      const synonyms = findSynonyms(keys, near, MAX_SYNONYMS, (done, total) =>
        progress('synonyms', done, total),
      )
      writeArrays(join(folder, SYNONYMS), { ...synonyms })
    },
    open: (folder) => readArrays<NearPairs>(join(folder, SYNONYMS)).arrays,
  })
}

/** HippoRAG's values. */
const SYNONYM_COSINE = 0.8
const MAX_SYNONYMS = 100

/**
 * Links each entity with a key of more than 2 letters and digits to others with a near name. (OSU-NLP-Group/HippoRAG,
 * `add_synonymy_edges`.)
 */
export function findSynonyms(
  keys: readonly string[],
  later: LaterNeighbours,
  max = MAX_SYNONYMS,
  progress?: (done: number, total: number) => void,
): NearPairs {
  return nearestOfEach(keys.length, later, max, { progress, isAsked: (row) => letters(keys[row]) > 2 })
}

function letters(key: string): number {
  let count = 0
  for (const letter of key) if (letter !== ' ') count++
  return count
}

const FILE = 'graph.safetensors'

export function hippoGraph(recipe: Recipe): Artifact<HippoGraph> {
  return graphOver(recipe, 'hippo_graph', 2)
}

export function hippoGraphV1(recipe: Recipe): Artifact<HippoGraph> {
  return graphOver(recipe, 'phrase_graph', 1)
}

function graphOver(recipe: Recipe, name: string, version: 1 | 2): Artifact<HippoGraph> {
  return defineArtifact({
    name,
    version,
    params: null,
    inputs: { graph: graph(recipe), facts: factsTable(recipe), synonyms: synonymy(recipe) },
    async build(folder, inputs) {
      const { entities, chunks, chunksOfEntity } = await inputs.graph()
      const [facts, synonyms] = [await inputs.facts(), await inputs.synonyms()]
      const csr =
        version === 1
          ? buildCsr(entities.size, phraseEdges(entities.size, facts, synonyms))
          : phrasePassageGraph(entities.size, chunks, facts, synonyms, chunksOfEntity)
      writeCsr(join(folder, FILE), csr, { passagesPerPhrase: rowSizes(chunksOfEntity) })
    },
    open(folder) {
      const { csr, arrays } = readCsr<{ passagesPerPhrase: Uint32Array }>(join(folder, FILE))
      const { passagesPerPhrase } = arrays
      return { phrases: passagesPerPhrase.length, walk: createWalk(csr), passagesPerPhrase }
    },
  })
}

/**
 * HippoRAG's graphs (`add_fact_edges`, `add_passage_edges`), without self edges. Version 2 adds the passages: node
 * `phrases` + chunk row, weight 1 to each of its phrases.
 *
 *     weight(a, b) = (cosine(a -> b) if found, else facts(a, b)) + (cosine(b -> a) if found, else facts(a, b))
 */
interface FactPairs {
  readonly subjects: ArrayLike<number>
  readonly objects: ArrayLike<number>
  readonly counts: ArrayLike<number>
}

export function phrasePassageGraph(
  phrases: number,
  passages: number,
  facts: FactPairs,
  synonyms: NearPairs,
  chunks: Incidence,
): Csr {
  const edges = phraseEdges(phrases, facts, synonyms)
  for (let phrase = 0; phrase < phrases; phrase++)
    for (const chunk of membersOf(chunks, phrase)) edges.add(phrase, phrases + chunk, 1)
  return buildCsr(phrases + passages, edges)
}

function phraseEdges(phrases: number, facts: FactPairs, synonyms: NearPairs) {
  const edges = createEdges()
  const pairs = buildCsr(phrases, { sources: facts.subjects, targets: facts.objects, weights: facts.counts })
  const synonymous = new Set(
    Array.from(synonyms.sources, (source, i) => source * phrases + synonyms.targets[i]),
  )
  for (let a = 0; a < phrases; a++)
    for (let i = pairs.offsets[a]; i < pairs.offsets[a + 1]; i++) {
      const b = pairs.targets[i]
      // Both directions of a pair are visited; each adds its weight unless a synonym replaces it.
      if (!synonymous.has(a * phrases + b)) edges.add(a, b, pairs.weights[i])
    }
  for (let i = 0; i < synonyms.sources.length; i++)
    edges.add(synonyms.sources[i], synonyms.targets[i], synonyms.weights[i])
  return edges
}
