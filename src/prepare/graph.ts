import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleGraph } from '../graph/assemble.ts'
import { type Incidence, membersOf } from '../graph/csr.ts'
import { type ExtractionCounts, extractGraph } from '../graph/extract.ts'
import type { Extraction, Extractor } from '../graph/extractors/define.ts'
import { extractors } from '../graph/extractors/index.ts'
import type { Entities, Facts, Graph, Relationships } from '../graph/graph.ts'
import { factText } from '../graph/merge-facts.ts'
import { byEdges, byEntities, byRelationships, type Neighbors } from '../graph/neighbors.ts'
import { type GraphStatistics, graphStatistics } from '../graph/statistics.ts'
import { type Resolved, resolve } from '../registry.ts'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact, derived } from '../store/artifact.ts'
import { type EntityColumns, readEntities, writeEntities } from '../tables/entities.ts'
import { type FactColumns, readFacts, writeFacts } from '../tables/facts.ts'
import { readRelationships, writeRelationships } from '../tables/relationships.ts'
import type { Chunk } from '../types.ts'
import { chatModel } from './chat-model.ts'
import { textUnits } from './corpus.ts'
import { type HeardOf, heardArtifact } from './heard.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from './recipe.ts'
import { textProfile } from './text-profile.ts'
import { titleLinks } from './title-links.ts'

/** What the extractors found, merged: read part by part, since few readers want all of it. */
interface Extracted {
  readonly graph: () => Promise<Graph>
  readonly facts: () => Promise<FactColumns>
  readonly counts: ExtractionCounts
}

/** The extraction of `prepare.graph`. Throws a UserError where the config has no such line or names a missing file. */
export const extraction = oncePerRecipe((recipe): Artifact<Extracted> => {
  if (!recipe.graph || recipe.graph.length === 0) throw new LacksPreparation('graph')
  const chosen = recipe.graph.map((choice) => resolve(extractors, choice))
  const heard = chosen.map((one) => (one.definition.asks ? heardExtraction(recipe, one) : undefined))
  const byModels = Object.fromEntries(heard.flatMap((one, index) => (one ? [[`heard ${index}`, one]] : [])))
  return defineArtifact({
    name: 'graph',
    version: 2,
    params: chosen.map(({ definition, params }) => ({ name: definition.name, ...keyOf(definition, params) })),
    inputs: {
      ...{ chunks: textUnits(recipe), documents: recipe.documents, profile: textProfile(recipe) },
      ...(byModels as Record<string, never>),
    },
    async build(folder, inputs, { progress }) {
      const chunks = await inputs.chunks()
      const opened = inputs as Record<string, () => Promise<unknown>>
      /** What a model extracted stands for asking it. */
      const extracting = chosen.map(({ definition, params }, index) => {
        if (!heard[index]) return { definition, params }
        const extract = async () => ((await opened[`heard ${index}`]()) as HeardOf<Extraction>).value
        return { definition: { ...definition, extract }, params }
      })
      const { graph, facts, counts } = await extractGraph(
        { chunks, documents: await inputs.documents(), profile: await inputs.profile() },
        extracting,
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
})

/** What a language model extracts from the chunks. */
function heardExtraction(recipe: Recipe, { definition, params }: Resolved<Extractor>) {
  return heardArtifact({
    name: 'heard_extraction',
    version: 1,
    params: { name: definition.name, ...keyOf(definition, params) },
    inputs: { chunks: textUnits(recipe) },
    model: chatModel(recipe, String(params.model)),
    hear: async (talk, { chunks }): Promise<Extraction> =>
      definition.extract({ chunks, documents: [], talk }, params),
  })
}

/** The extractions that language models make of the corpus. */
export function heardExtractions(recipe: Recipe): Artifact<HeardOf<Extraction>>[] {
  return (recipe.graph ?? []).flatMap((choice) => {
    const chosen = resolve(extractors, choice)
    return chosen.definition.asks ? [heardExtraction(recipe, chosen)] : []
  })
}

/** The graph of what `prepare.graph`'s extractors found together. */
export function graph(recipe: Recipe): Artifact<Graph> {
  return derived('opened_graph', { extracted: extraction(recipe) }, ({ extracted }) => extracted.graph())
}

export function entitiesTable(recipe: Recipe): Artifact<Entities> {
  return derived('entities', { graph: graph(recipe) }, ({ graph }) => graph.entities)
}

export function relationshipsTable(recipe: Recipe): Artifact<Relationships> {
  return derived('relationships', { graph: graph(recipe) }, ({ graph }) => graph.relationships)
}

/** HippoRAG's distinct facts. */
export function factsTable(recipe: Recipe): Artifact<Facts> {
  return derived(
    'facts',
    { extracted: extraction(recipe), graph: graph(recipe) },
    async ({ extracted, graph: { entities } }) => {
      const { subjects, predicates, objects, counts } = await extracted.facts()
      const texts = predicates.map((predicate, row) =>
        factText(entities.keys[subjects[row]], predicate, entities.keys[objects[row]]),
      )
      return { size: texts.length, subjects, objects, texts, counts }
    },
  )
}

/** What the graph of `prepare.graph` is like. The number of synonym edges is `synonymy(recipe)`'s length: finding them needs embeddings. */
export function statisticsOfGraph(recipe: Recipe): Artifact<GraphStatistics> {
  return derived(
    'graph_statistics',
    { graph: graph(recipe), extracted: extraction(recipe) },
    ({ graph, extracted }) => graphStatistics(graph, extracted.counts),
  )
}

/** What may make two chunks neighbours. */
export const NEIGHBORS = ['relationships', 'entities', 'titles'] as const

/** Which chunks are neighbours over a named graph. */
export function chunkNeighbors(recipe: Recipe, over: (typeof NEIGHBORS)[number]): Artifact<Neighbors> {
  const name = 'chunk_neighbors'
  if (over === 'titles')
    return derived(name, { links: titleLinks(recipe) }, ({ links }) => byEdges(links.csr), { over })
  const neighbors = over === 'entities' ? byEntities : byRelationships
  return derived(name, { graph: graph(recipe) }, ({ graph }) => neighbors(graph), { over })
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
