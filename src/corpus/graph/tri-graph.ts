import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { spacedKey } from '../../text/entity-key.ts'
import { sentences } from '../../text/sentences.ts'
import { titledText } from '../../text/tokenize.ts'
import type { Chunk } from '../../types.ts'
import { chunkColumns } from '../corpus.ts'
import { embedTexts } from '../dense/embeddings.ts'
import { openVectors, type VectorIndex } from '../dense/vectors.ts'
import type { Recipe } from '../recipe.ts'
import {
  buildCsr,
  buildIncidence,
  createEdges,
  type Incidence,
  incidenceArrays,
  incidenceIn,
  membersOf,
  transpose,
} from './csr.ts'
import { graph } from './extraction.ts'
import type { Graph } from './graph.ts'
import { createWalk, type RandomWalk } from './pagerank.ts'
import { findTitles, indexKeys } from './titles.ts'

/**
 * LinearRAG's graph. DEEP-PolyU/LinearRAG, `add_entity_to_passage_edges`, `add_adjacent_passage_edges`.
 *
 *     entity - sentence   the sentence contains the entity's name, as whole words; equal sentences are one
 *     entity - passage    occurrences of the name in the passage (at least 1) / those of all its entities
 *     passage - passage   the next of the same document, weight 1
 */
export interface TriGraph {
  readonly entities: number
  /** Distinct sentences that name an entity. */
  readonly sentences: readonly string[]
  readonly entitiesOfSentence: Incidence
  readonly sentencesOfEntity: Incidence
  /** Entity -> every chunk row that holds its name; counts are occurrences. */
  readonly occurrences: Incidence
  /** Walk over entities, then passages: the node of chunk row r is `entities` + r. */
  readonly walk: RandomWalk
}

type Passage = Pick<Chunk, 'documentId' | 'position' | 'title' | 'text'>

export function findTriGraph(
  passages: readonly Passage[],
  { entities, entitiesOfChunk }: Pick<Graph, 'entities' | 'entitiesOfChunk'>,
) {
  const names = indexKeys(entities.keys.map((key) => [spacedKey(key)]))
  const entitiesIn = (text: string) =>
    findTitles(text, names).flatMap(({ key }) => names.rows.get(key) as readonly number[])
  const places = new Map<string, number>()
  const named = { rows: [] as number[], members: [] as number[] }
  const pairs = { rows: [] as number[], members: [] as number[] }
  const edges = createEdges()
  passages.forEach((passage, row) => {
    const text = titledText(passage)
    const extracted = membersOf(entitiesOfChunk, row)
    const counts = new Map<number, number>(Array.from(extracted, (entity) => [entity, 0]))
    for (const entity of entitiesIn(text)) {
      pairs.rows.push(entity)
      pairs.members.push(row)
      const count = counts.get(entity)
      if (count !== undefined) counts.set(entity, count + 1)
    }
    const occurrences = Array.from(counts.values(), (count) => Math.max(1, count))
    const all = occurrences.reduce((sum, count) => sum + count, 0)
    extracted.forEach((entity, i) => {
      edges.add(entities.size + row, entity, occurrences[i] / all)
    })
    for (const { start, end } of sentences(text)) {
      const sentence = text.slice(start, end)
      for (const entity of new Set(entitiesIn(sentence))) {
        if (!counts.has(entity)) continue
        const place = places.get(sentence) ?? places.size
        places.set(sentence, place)
        named.rows.push(place)
        named.members.push(entity)
      }
    }
  })
  for (const [row, next] of followers(passages)) edges.add(entities.size + row, entities.size + next, 1)
  return {
    sentences: [...places.keys()],
    entitiesOfSentence: buildIncidence(places.size, named, entities.size),
    occurrences: buildIncidence(entities.size, pairs, passages.length),
    csr: buildCsr(entities.size + passages.length, edges),
  }
}

function followers(passages: readonly Passage[]): [number, number][] {
  const last = new Map<string, number>()
  const pairs: [number, number][] = []
  const order = [...passages.keys()].sort((a, b) => passages[a].position - passages[b].position)
  for (const row of order) {
    const before = last.get(passages[row].documentId)
    if (before !== undefined) pairs.push([before, row])
    last.set(passages[row].documentId, row)
  }
  return pairs
}

const ARRAYS = 'tri-graph.safetensors'
const SENTENCES = 'sentences.json'

export function triGraph(recipe: Recipe): Artifact<TriGraph> {
  return defineArtifact({
    name: 'tri_graph',
    version: 2,
    params: null,
    inputs: { graph: graph(recipe), chunks: chunkColumns(recipe, 'documentId', 'position', 'title', 'text') },
    async build(folder, inputs) {
      const triGraph = findTriGraph(await inputs.chunks(), await inputs.graph())
      writeFileSync(join(folder, SENTENCES), JSON.stringify(triGraph.sentences))
      writeArrays(join(folder, ARRAYS), {
        ...incidenceArrays('sentence', triGraph.entitiesOfSentence),
        ...incidenceArrays('occurrence', triGraph.occurrences),
        'walk.offsets': triGraph.csr.offsets,
        'walk.targets': triGraph.csr.targets,
        'walk.weights': triGraph.csr.weights,
      })
    },
    open(folder): TriGraph {
      const { arrays } = readArrays(join(folder, ARRAYS))
      const entitiesOfSentence = incidenceIn(arrays, 'sentence')
      const occurrences = incidenceIn(arrays, 'occurrence')
      const entities = occurrences.offsets.length - 1
      const offsets = arrays['walk.offsets'] as Uint32Array
      const csr = {
        nodes: offsets.length - 1,
        offsets,
        targets: arrays['walk.targets'] as Uint32Array,
        weights: arrays['walk.weights'] as Float64Array,
      }
      return {
        entities,
        sentences: JSON.parse(readFileSync(join(folder, SENTENCES), 'utf8')),
        entitiesOfSentence,
        sentencesOfEntity: transpose(entitiesOfSentence, entities),
        occurrences,
        walk: createWalk(csr),
      }
    },
  })
}

export function sentenceIndex(recipe: Recipe): Artifact<VectorIndex> {
  const texts = derived('sentence_texts', { tri: triGraph(recipe) }, ({ tri }) => tri.sentences)
  const embeddings = embedTexts(recipe, 'sentences', texts, recipe.graphEmbedder ?? recipe.embedder)
  return derived('sentence_vectors', { embeddings }, ({ embeddings: { vectors, dims } }) =>
    openVectors(vectors, dims),
  )
}
