import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleGraph } from '../graph/assemble.ts'
import { type ExtractionCounts, extractGraph } from '../graph/extract.ts'
import { resolveExtractor } from '../graph/extractors/index.ts'
import type { Entities, Graph, Relationships } from '../graph/graph.ts'
import { type Incidence, membersOf } from '../graph/incidence.ts'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { type EntityColumns, readEntities, writeEntities } from '../tables/entities.ts'
import { type FactColumns, readFacts, writeFacts } from '../tables/facts.ts'
import { readRelationships, writeRelationships } from '../tables/relationships.ts'
import type { Chunk } from '../types.ts'
import { LacksPreparation, type Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'

/** What the extractors found, merged: read part by part, since few readers want all of it. */
export interface Extracted {
  readonly graph: () => Promise<Graph>
  readonly facts: () => Promise<FactColumns>
  readonly counts: ExtractionCounts
}

/** A recipe is one value in a run; hashing the files that it names once is enough. */
const made = new WeakMap<Recipe, Artifact<Extracted>>()

/** The extraction of `prepare.graph`. Throws a UserError where the config has no such line or names a missing file. */
export function extraction(recipe: Recipe): Artifact<Extracted> {
  const known = made.get(recipe)
  if (known) return known
  if (!recipe.graph || recipe.graph.length === 0) throw new LacksPreparation('graph')
  const chosen = recipe.graph.map(resolveExtractor)
  const artifact = defineArtifact({
    name: 'graph',
    version: 1,
    params: chosen.map(({ extractor, params }) => {
      const { path: _path, ...rest } = params
      return {
        name: extractor.name,
        version: extractor.version,
        params: rest,
        files: extractor.files?.(params) ?? {},
      }
    }),
    inputs: { chunks: textUnits(recipe), documents: recipe.documents },
    async build(folder, inputs, { progress }) {
      const chunks = await inputs.chunks()
      const { graph, facts, counts } = await extractGraph(
        { chunks, documents: await inputs.documents() },
        chosen,
        progress,
      )
      writeTables(folder, graph, chunks)
      writeFacts(join(folder, 'facts.parquet'), facts)
      writeArrays(join(folder, 'graph.safetensors'), arraysOf(graph), { chunks: String(chunks.length) })
      writeFileSync(join(folder, 'counts.json'), `${JSON.stringify(counts, null, 2)}\n`)
    },
    open: (folder): Extracted => ({
      graph: () => readGraph(folder),
      facts: () => readFacts(join(folder, 'facts.parquet')),
      counts: JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8')),
    }),
  })
  made.set(recipe, artifact)
  return artifact
}

/** The graph of what `prepare.graph`'s extractors found together. */
export function graph(recipe: Recipe): Artifact<Graph> {
  return defineArtifact({
    name: 'opened_graph',
    version: 1,
    params: null,
    inputs: { extracted: extraction(recipe) },
    open: async (_folder, inputs) => (await inputs.extracted()).graph(),
  })
}

export function entitiesTable(recipe: Recipe): Artifact<Entities> {
  return defineArtifact({
    name: 'entities',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe) },
    open: async (_folder, inputs) => (await inputs.graph()).entities,
  })
}

export function relationshipsTable(recipe: Recipe): Artifact<Relationships> {
  return defineArtifact({
    name: 'relationships',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe) },
    open: async (_folder, inputs) => (await inputs.graph()).relationships,
  })
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

async function readGraph(folder: string): Promise<Graph> {
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
    relationshipChunks: incidence('relationship_chunks'),
    chunks: Number(metadata.chunks),
  })
}
