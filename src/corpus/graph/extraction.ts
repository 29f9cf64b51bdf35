import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Resolved, resolve } from '../../registry.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact, type Lazy } from '../../store/artifact.ts'
import {
  type EntityColumns,
  type FactColumns,
  readEntities,
  readFacts,
  readRelationships,
  writeEntities,
  writeFacts,
  writeRelationships,
} from '../../tables/graph.ts'
import type { Chunk, Progress } from '../../types.ts'
import { chatModel } from '../chat-model.ts'
import { textUnits } from '../corpus.ts'
import { textProfile } from '../lexical/text-profile.ts'
import { type FromModel, modelArtifact } from '../model-artifact.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from '../recipe.ts'
import { assembleGraph } from './assemble.ts'
import { type Incidence, membersOf } from './csr.ts'
import { type ExtractionCounts, extractGraph, isForeign, type MergedNames } from './extract.ts'
import type { Extraction, Extractor } from './extractors/define.ts'
import { extractors } from './extractors/index.ts'
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
  const { params, inputs, extract, foreign } = extracting(recipe)
  const MERGED = 'merged-names.json'
  return defineArtifact({
    name: 'graph',
    version: foreign ? 7 : 5,
    params,
    inputs,
    async build(folder, inputs, { progress }) {
      const { graph, facts, counts, merged } = await extract(inputs, progress)
      writeGraph(folder, graph, await inputs.chunks())
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

/** Extractors of `prepare.graph` with their keys, their inputs, and the function that runs them all. */
function extracting(recipe: Recipe) {
  if (!recipe.graph || recipe.graph.length === 0) throw new LacksPreparation('graph')
  const chosen = recipe.graph.map((choice) => resolve(extractors, choice))
  const fromModels = chosen.map((one) => (one.definition.asks ? modelExtraction(recipe, one) : undefined))
  const byModels = Object.fromEntries(
    fromModels.flatMap((one, index) => (one ? [[`heard ${index}`, one]] : [])),
  )
  const reads = { chunks: textUnits(recipe), documents: recipe.documents, profile: textProfile(recipe) }
  return {
    foreign: chosen.some(({ definition }) => isForeign(definition)),
    params: chosen.map(({ definition, params }) => ({ name: definition.name, ...keyOf(definition, params) })),
    inputs: { ...reads, ...(byModels as Record<string, never>) },
    async extract(inputs: Lazy<typeof reads>, progress: Progress) {
      const opened = inputs as Record<string, () => Promise<unknown>>
      /** Stored results of a model replace its extractor. */
      const extractors = chosen.map(({ definition, params }, index) => {
        if (!fromModels[index]) return { definition, params }
        const extract = async () => ((await opened[`heard ${index}`]()) as FromModel<Extraction>).value
        return { definition: { ...definition, extract }, params }
      })
      const chunks = await inputs.chunks()
      const documents = await inputs.documents()
      const profile = await inputs.profile()
      return extractGraph({ chunks, documents, profile }, extractors, progress)
    },
  }
}

/** Extraction by a language model. */
function modelExtraction(recipe: Recipe, { definition, params }: Resolved<Extractor>) {
  return modelArtifact({
    name: 'heard_extraction',
    version: 1,
    params: { name: definition.name, ...keyOf(definition, params) },
    inputs: { chunks: textUnits(recipe) },
    model: chatModel(recipe, String(params.model)),
    write: async (chat, { chunks }): Promise<Extraction> =>
      definition.extract({ chunks, documents: [], chat }, params),
  })
}

/** Extractions of the corpus by language models. */
export function modelExtractions(recipe: Recipe): Artifact<FromModel<Extraction>>[] {
  return (recipe.graph ?? []).flatMap((choice) => {
    const chosen = resolve(extractors, choice)
    return chosen.definition.asks ? [modelExtraction(recipe, chosen)] : []
  })
}

/** Stores a graph: tables with GraphRAG's columns, and its numbers as arrays. */
export function writeGraph(folder: string, graph: Graph, chunks: readonly Chunk[]): void {
  writeTables(folder, graph, chunks)
  writeArrays(join(folder, 'graph.safetensors'), arraysOf(graph), { chunks: String(chunks.length) })
}

function writeTables(folder: string, graph: Graph, chunks: readonly Chunk[]): void {
  const { entities, relationships } = graph
  const idsOf = (incidence: Incidence, size: number) =>
    Array.from({ length: size }, (_, row) =>
      Array.from(membersOf(incidence, row), (chunk) => chunks[chunk].id),
    )
  const columns: EntityColumns = { ...entities, chunkIds: idsOf(graph.chunksOfEntity, entities.size) }
  writeEntities(join(folder, 'entities.parquet'), columns)
  writeRelationships(join(folder, 'relationships.parquet'), {
    ...relationships,
    sources: Array.from(relationships.sources, (row) => entities.names[row]),
    targets: Array.from(relationships.targets, (row) => entities.names[row]),
    chunkIds: idsOf(graph.chunksOfRelationship, relationships.size),
  })
}

function arraysOf({ chunksOfEntity, chunksOfRelationship, relationships }: Graph) {
  return {
    'entity_chunks.offsets': chunksOfEntity.offsets,
    'entity_chunks.members': chunksOfEntity.members,
    'entity_chunks.counts': chunksOfEntity.counts,
    'relationship_chunks.offsets': chunksOfRelationship.offsets,
    'relationship_chunks.members': chunksOfRelationship.members,
    'relationship_chunks.counts': chunksOfRelationship.counts,
    sources: relationships.sources,
    targets: relationships.targets,
  }
}

export async function readGraph(folder: string): Promise<Graph> {
  const { arrays, metadata } = readArrays(join(folder, 'graph.safetensors'))
  const rows = (name: string) => arrays[name] as Uint32Array
  const incidence = (name: string): Incidence => ({
    offsets: rows(`${name}.offsets`),
    members: rows(`${name}.members`),
    counts: rows(`${name}.counts`),
  })
  const entities = await readEntities(join(folder, 'entities.parquet'))
  const relationships = await readRelationships(join(folder, 'relationships.parquet'))
  return assembleGraph({
    keys: entities.keys,
    names: entities.names,
    types: entities.types,
    entityDescriptions: entities.descriptions,
    entityChunks: incidence('entity_chunks'),
    sources: rows('sources'),
    targets: rows('targets'),
    weights: relationships.weights,
    relationshipDescriptions: relationships.descriptions,
    keywords: relationships.keywords,
    relations: relationships.relations,
    relationshipChunks: incidence('relationship_chunks'),
    chunks: Number(metadata.chunks),
  })
}
