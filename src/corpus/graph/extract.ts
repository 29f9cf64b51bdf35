import type { Resolved } from '../../registry.ts'
import type { Progress } from '../../types.ts'
import { askNobody, asksModel } from '../writer.ts'
import type { Written } from '../written.ts'
import { assembleGraph } from './assemble.ts'
import type { Extraction, Extractor, ExtractorInput } from './extractors/index.ts'
import type { Graph } from './graph.ts'
import { mergeEntities } from './merge-entities.ts'
import { type MergedFacts, mergeFacts } from './merge-facts.ts'
import { mergeRelationships } from './merge-relationships.ts'

export type MergedNames = Readonly<Record<string, readonly (readonly string[])[]>>

/** Counts of found and skipped records by extractor: `{openie: {entities: 19102, malformedTriples: 185}}`. */
export type ExtractionCounts = Readonly<Record<string, Readonly<Record<string, number>>>>

interface Extracted {
  readonly graph: Graph
  readonly facts: MergedFacts
  readonly counts: ExtractionCounts
  /** Groups of different names that became one entity, by the name of the extractor that reads them from a file. */
  readonly merged: MergedNames
}

/** Runs the extractors over the chunks and merges their results into one graph. `written`: extractions by models, by index. */
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
): Promise<Extracted> {
  const extractions = []
  for (const [done, { definition: extractor, params }] of chosen.entries()) {
    progress?.(`extract: ${extractor.name}`, done, chosen.length)
    extractions.push(written[done]?.value ?? (await extractor.make(params).extract(input, askNobody)))
  }
  const chunks = input.chunks.length
  const entities = mergeEntities(extractions, chunks)
  progress?.('merge', 0, 1)
  const relationships = mergeRelationships(
    extractions,
    entities.rowOf,
    entities.keys.length,
    chunks,
    input.profile,
  )
  const graph = assembleGraph({
    keys: entities.keys,
    names: entities.names,
    types: entities.types,
    entityDescriptions: entities.descriptions,
    entityChunks: entities.chunks,
    sources: relationships.sources,
    targets: relationships.targets,
    weights: relationships.weights,
    relationshipDescriptions: relationships.descriptions,
    keywords: relationships.keywords,
    relations: relationships.relations,
    relationshipChunks: relationships.chunks,
    chunks,
  })
  const counts: Record<string, Record<string, number>> = {}
  const merged: Record<string, readonly (readonly string[])[]> = {}
  extractions.forEach(({ notices }, i) => {
    const { danglingRelationships, badWeights, ...related } = relationships.found[i]
    const { merged: groups, ...records } = entities.found[i]
    const { definition } = chosen[i]
    const { name } = definition
    if (isForeign(definition) && groups.length > 0) merged[name] = groups
    counts[name] = {
      ...records,
      ...related,
      ...notices,
      ...(name in merged && { mergedNames: groups.reduce((sum, names) => sum + names.length - 1, 0) }),
      danglingRelationships: danglingRelationships + (notices.danglingRelationships ?? 0),
      badWeights: badWeights + (notices.badWeights ?? 0),
    }
  })
  return { graph, facts: mergeFacts(extractions, entities.rowOf), counts, merged }
}

/** True for extractors that bring names from elsewhere: files of another system, or custom code. */
export function isForeign(extractor: Extractor): boolean {
  return extractor.code !== undefined || (extractor.files !== undefined && !asksModel(extractor))
}
