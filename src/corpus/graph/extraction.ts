import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Resolved, resolve } from '../../registry.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import {
  type EntityColumns,
  type FactColumns,
  type RelationshipColumns,
  readEntities,
  readFacts,
  readRelationships,
  writeEntities,
  writeFacts,
  writeRelationships,
} from '../../tables/graph.ts'
import type { Chunk } from '../../types.ts'
import { textUnits } from '../corpus.ts'
import { textProfile } from '../lexical/text-profile.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from '../recipe.ts'
import { writtenByModel } from '../written.ts'
import { assembleGraph } from './assemble.ts'
import { incidenceArrays, incidenceIn, memberIds } from './csr.ts'
import { type ExtractionCounts, extractGraph, isForeign, type MergedNames } from './extract.ts'
import { type Extractor, extractors } from './extractors/index.ts'
import type { Graph } from './graph.ts'

/** Merged result of the extractors; its parts are read on demand. */
interface Extracted {
  readonly graph: () => Promise<Graph>
  readonly facts: () => Promise<FactColumns>
  readonly counts: ExtractionCounts
  readonly merged: MergedNames
}

/** Extraction of `prepare.graph`. Throws a UserError if the config has no such line or names a missing file. */
export const extraction = oncePerRecipe((recipe): Artifact<Extracted> => {
  if (!recipe.graph || recipe.graph.length === 0) throw new LacksPreparation('graph')
  const chosen = recipe.graph.map((choice) => resolve(extractors, choice))
  const foreign = chosen.some(({ definition }) => isForeign(definition))
  const written = extractionsByModels(recipe, chosen)
  const MERGED = 'merged-names.json'
  return defineArtifact({
    name: 'graph',
    version: foreign ? 7 : 5,
    params: chosen.map(({ definition, params }) => ({ name: definition.name, ...keyOf(definition, params) })),
    inputs: {
      chunks: textUnits(recipe),
      documents: recipe.documents,
      profile: textProfile(recipe),
      ...(written && { written }),
    },
    async build(folder, inputs, { progress }) {
      const chunks = await inputs.chunks()
      const { graph, facts, counts, merged } = await extractGraph(
        { chunks, documents: await inputs.documents(), profile: await inputs.profile() },
        chosen,
        { written: await inputs.written?.(), progress },
      )
      writeGraph(folder, graph, chunks)
      writeFacts(join(folder, 'facts.parquet'), facts)
      writeFileSync(join(folder, 'counts.json'), `${JSON.stringify(counts, null, 2)}\n`)
      if (foreign) writeFileSync(join(folder, MERGED), `${JSON.stringify(merged, null, 2)}\n`)
    },
    open: (folder): Extracted => ({
      graph: () => readGraph(folder),
      facts: () => readFacts(join(folder, 'facts.parquet')),
      counts: JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8')),
      merged: foreign ? JSON.parse(readFileSync(join(folder, MERGED), 'utf8')) : {},
    }),
  })
})

function extractionsByModels(recipe: Recipe, chosen: readonly Resolved<Extractor>[]) {
  const written = chosen.flatMap((choice, index) => {
    const { definition, params } = choice
    const artifact = writtenByModel(recipe, choice, {
      label: definition.name,
      lost: 'chunks are not in the graph',
      inputs: { chunks: textUnits(recipe) },
      write: ({ chunks }, askEach) => definition.make(params).extract({ chunks, documents: [] }, askEach),
    })
    return artifact ? [[index, artifact] as const] : []
  })
  if (written.length === 0) return undefined
  return derived('written_extractions', Object.fromEntries(written), (extractions) => extractions)
}

/** Stores a graph: tables with GraphRAG's columns, and its numbers as arrays. */
export function writeGraph(folder: string, graph: Graph, chunks: readonly Chunk[]): void {
  const { entities, relationships } = graphColumns(graph, chunks)
  writeEntities(join(folder, 'entities.parquet'), entities)
  writeRelationships(join(folder, 'relationships.parquet'), relationships)
  writeArrays(join(folder, 'graph.safetensors'), arraysOf(graph), { chunks: String(chunks.length) })
}

export function graphColumns(
  { entities, relationships, chunksOfEntity, chunksOfRelationship }: Graph,
  chunks: readonly Chunk[],
): { readonly entities: EntityColumns; readonly relationships: RelationshipColumns } {
  const ids = chunks.map(({ id }) => id)
  return {
    entities: { ...entities, chunkIds: memberIds(chunksOfEntity, ids) },
    relationships: {
      ...relationships,
      sources: Array.from(relationships.sources, (row) => entities.names[row]),
      targets: Array.from(relationships.targets, (row) => entities.names[row]),
      chunkIds: memberIds(chunksOfRelationship, ids),
    },
  }
}

function arraysOf({ chunksOfEntity, chunksOfRelationship, relationships }: Graph) {
  return {
    ...incidenceArrays('entity_chunks', chunksOfEntity),
    ...incidenceArrays('relationship_chunks', chunksOfRelationship),
    sources: relationships.sources,
    targets: relationships.targets,
  }
}

export async function readGraph(folder: string): Promise<Graph> {
  const { arrays, metadata } = readArrays(join(folder, 'graph.safetensors'))
  const entities = await readEntities(join(folder, 'entities.parquet'))
  const relationships = await readRelationships(join(folder, 'relationships.parquet'))
  return assembleGraph({
    keys: entities.keys,
    names: entities.names,
    types: entities.types,
    entityDescriptions: entities.descriptions,
    entityChunks: incidenceIn(arrays, 'entity_chunks'),
    sources: arrays.sources as Uint32Array,
    targets: arrays.targets as Uint32Array,
    weights: relationships.weights,
    relationshipDescriptions: relationships.descriptions,
    keywords: relationships.keywords,
    relations: relationships.relations,
    relationshipChunks: incidenceIn(arrays, 'relationship_chunks'),
    chunks: Number(metadata.chunks),
  })
}
