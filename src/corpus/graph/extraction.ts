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
import type { Chunk, Progress } from '../../types.ts'
import { textUnits } from '../corpus.ts'
import { textProfile } from '../lexical/text-profile.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from '../recipe.ts'
import { askNobody, asksModel } from '../writer.ts'
import { type Written, writtenByModel } from '../written.ts'
import { incidenceArrays, incidenceIn, memberIds } from './csr.ts'
import { type Extraction, type Extractor, type ExtractorInput, extractors } from './extractors/index.ts'
import { assembleGraph, type Entities, type FactTable, type Graph, type Relationships } from './graph.ts'
import { mergeEntities, mergeFacts, mergeRelationships } from './merge.ts'
import { type ExtractionCounts, graphStatistics } from './statistics.ts'

interface Extracted {
  readonly graph: () => Promise<Graph>
  readonly facts: () => Promise<FactColumns>
  readonly counts: ExtractionCounts
}

export const extraction = oncePerRecipe((recipe): Artifact<Extracted> => {
  if (!recipe.graph || recipe.graph.length === 0) throw new LacksPreparation('graph')
  const chosen = recipe.graph.map((choice) => resolve(extractors, choice))
  const written = extractionsByModels(recipe, chosen)
  return defineArtifact({
    name: 'graph',
    version: 8,
    params: chosen.map(({ definition, params }) => ({ name: definition.name, ...keyOf(definition, params) })),
    inputs: {
      chunks: textUnits(recipe),
      documents: recipe.documents,
      profile: textProfile(recipe),
      ...(written && { written }),
    },
    async build(folder, inputs, { progress }) {
      const chunks = await inputs.chunks()
      const { graph, facts, counts } = await extractGraph(
        { chunks, documents: await inputs.documents(), profile: await inputs.profile() },
        chosen,
        { written: await inputs.written?.(), progress },
      )
      writeGraph(folder, graph, chunks)
      writeFacts(join(folder, 'facts.parquet'), facts)
      writeFileSync(join(folder, 'counts.json'), `${JSON.stringify(counts, null, 2)}\n`)
    },
    open: (folder): Extracted => ({
      graph: () => readGraph(folder),
      facts: () => readFacts(join(folder, 'facts.parquet')),
      counts: JSON.parse(readFileSync(join(folder, 'counts.json'), 'utf8')),
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

/** Merges the results of the extractors into one graph. `written`: extractions by models, by index. */
export async function extractGraph(
  input: ExtractorInput,
  chosen: readonly Resolved<Extractor>[],
  {
    written = {},
    progress,
  }: {
    readonly written?: Readonly<Record<number, Written<Extraction>>> | undefined
    readonly progress?: Progress
  } = {},
): Promise<{ readonly graph: Graph; readonly facts: FactColumns; readonly counts: ExtractionCounts }> {
  const extractions = []
  for (const [done, { definition: extractor, params }] of chosen.entries()) {
    progress?.(`extract: ${extractor.name}`, done, chosen.length)
    extractions.push(written[done]?.value ?? (await extractor.make(params).extract(input, askNobody)))
  }
  const chunks = input.chunks.length
  const { found: foundEntities, rowOf, ...entities } = mergeEntities(extractions, chunks)
  progress?.('merge', 0, 1)
  const { found: foundLinks, ...relationships } = mergeRelationships(
    extractions,
    rowOf,
    entities.keys.length,
    chunks,
    input.profile,
  )
  const counts: Record<string, Record<string, number>> = {}
  extractions.forEach(({ notices }, i) => {
    const { danglingRelationships, badWeights, ...related } = foundLinks[i]
    const { mergedNames, ...records } = foundEntities[i]
    const { definition } = chosen[i]
    counts[definition.name] = {
      ...records,
      ...related,
      ...notices,
      ...(isForeign(definition) && mergedNames > 0 && { mergedNames }),
      danglingRelationships: danglingRelationships + (notices.danglingRelationships ?? 0),
      badWeights: badWeights + (notices.badWeights ?? 0),
    }
  })
  const graph = assembleGraph({ entities, relationships, chunks })
  return { graph, facts: mergeFacts(extractions, rowOf), counts }
}

/** True for extractors that bring names from files of another system or custom code. */
function isForeign(extractor: Extractor): boolean {
  return extractor.code !== undefined || (extractor.files !== undefined && !asksModel(extractor))
}

export function writeGraph(folder: string, graph: Graph, chunks: readonly Chunk[]): void {
  const { entities, relationships } = graphColumns(graph, chunks)
  writeEntities(join(folder, 'entities.parquet'), entities)
  writeRelationships(join(folder, 'relationships.parquet'), relationships)
  const arrays = {
    ...incidenceArrays('entity_chunks', graph.chunksOfEntity),
    ...incidenceArrays('relationship_chunks', graph.chunksOfRelationship),
    sources: graph.relationships.sources,
    targets: graph.relationships.targets,
  }
  writeArrays(join(folder, 'graph.safetensors'), arrays, { chunks: String(chunks.length) })
}

export function graphColumns(
  { entities, relationships, chunksOfEntity, chunksOfRelationship }: Graph,
  chunks: readonly Chunk[],
): { readonly entities: EntityColumns; readonly relationships: RelationshipColumns } {
  const ids = chunks.map(({ id }) => id)
  const name = (row: number) => entities.names[row]
  return {
    entities: { ...entities, chunkIds: memberIds(chunksOfEntity, ids) },
    relationships: {
      ...relationships,
      sources: Array.from(relationships.sources, name),
      targets: Array.from(relationships.targets, name),
      chunkIds: memberIds(chunksOfRelationship, ids),
    },
  }
}

export async function readGraph(folder: string): Promise<Graph> {
  const { arrays, metadata } = readArrays(join(folder, 'graph.safetensors'))
  const { sources, targets } = arrays as Record<'sources' | 'targets', Uint32Array>
  return assembleGraph({
    entities: {
      ...(await readEntities(join(folder, 'entities.parquet'))),
      chunks: incidenceIn(arrays, 'entity_chunks'),
    },
    relationships: {
      ...(await readRelationships(join(folder, 'relationships.parquet'))),
      sources,
      targets,
      chunks: incidenceIn(arrays, 'relationship_chunks'),
    },
    chunks: Number(metadata.chunks),
  })
}

export function graph(recipe: Recipe): Artifact<Graph> {
  return derived('opened_graph', { extracted: extraction(recipe) }, ({ extracted }) => extracted.graph())
}

export function entitiesTable(recipe: Recipe): Artifact<Entities> {
  return derived('entities', { graph: graph(recipe) }, ({ graph }) => graph.entities)
}

export function relationshipsTable(recipe: Recipe): Artifact<Relationships> {
  return derived('relationships', { graph: graph(recipe) }, ({ graph }) => graph.relationships)
}

export function factsTable(recipe: Recipe): Artifact<FactTable> {
  const inputs = { extracted: extraction(recipe), graph: graph(recipe) }
  return derived('facts', inputs, async ({ extracted, graph: { entities } }) => {
    const { subjects, predicates, objects, counts } = await extracted.facts()
    const texts = predicates.map((predicate, row) =>
      factText(entities.keys[subjects[row]], predicate, entities.keys[objects[row]]),
    )
    return { size: texts.length, subjects, objects, texts, counts }
  })
}

export function factText(subject: string, predicate: string, object: string): string {
  return predicate === '' ? `${subject} ${object}` : `${subject} ${predicate} ${object}`
}

/** Counts that describe the graph of `prepare.graph`, without synonym edges, which need embeddings. */
export function statisticsOfGraph(recipe: Recipe): Artifact<ReturnType<typeof graphStatistics>> {
  const inputs = { graph: graph(recipe), extracted: extraction(recipe) }
  return derived('graph_statistics', inputs, ({ graph, extracted }) =>
    graphStatistics(graph, extracted.counts),
  )
}
