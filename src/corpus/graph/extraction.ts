import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Resolved, resolve } from '../../registry.ts'
import { type Artifact, defineArtifact, type Lazy } from '../../store/artifact.ts'
import { type FactColumns, readFacts, writeFacts } from '../../tables/facts.ts'
import type { Progress } from '../../types.ts'
import { chatModel } from '../chat-model.ts'
import { textUnits } from '../corpus.ts'
import { textProfile } from '../lexical/text-profile.ts'
import { type FromModel, modelArtifact } from '../model-artifact.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from '../recipe.ts'
import type { Described } from './describers.ts'
import { type ExtractionCounts, extractGraph, isForeign, type MergedNames, type PiecesOf } from './extract.ts'
import type { Extraction, Extractor } from './extractors/define.ts'
import { extractors } from './extractors/index.ts'
import type { Graph } from './graph.ts'
import { readGraph, writeGraph } from './graph-tables.ts'

/** What the extractors found, merged: read part by part, since few readers want all of it. */
interface Extracted {
  readonly graph: () => Promise<Graph>
  readonly facts: () => Promise<FactColumns>
  readonly counts: ExtractionCounts
  readonly merged: MergedNames
}

/** The extraction of `prepare.graph`. Throws a UserError where the config has no such line or names a missing file. */
export const extraction = oncePerRecipe((recipe): Artifact<Extracted> => {
  const { params, inputs, extract, foreign } = extracting(recipe)
  const MERGED = 'merged-names.json'
  return defineArtifact({
    name: 'graph',
    version: foreign ? 4 : 3,
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

/** The entities and relationships of a graph of which chunks say several things. */
export interface Sayings {
  readonly entities: readonly Described[]
  readonly relationships: readonly Described[]
}

/**
 * What chunks say of entities and relationships, piece by piece. Only a model that summarises reads it, so it is not kept
 * with every graph but extracted again.
 */
export const sayings = oncePerRecipe((recipe): Artifact<Sayings> => {
  const { params, inputs, extract } = extracting(recipe)
  const FILE = 'sayings.json'
  return defineArtifact({
    ...{ name: 'sayings', version: 1, params, inputs },
    async build(folder, inputs, { progress }) {
      const { graph, said } = await extract(inputs, progress)
      const { entities, relationships } = graph
      const { names } = entities
      const ends = (row: number) => [relationships.sources[row], relationships.targets[row]]
      const found: Sayings = {
        entities: several(entities.size, said.entities, (row) => names[row]),
        relationships: several(relationships.size, said.relationships, (row) =>
          ends(row)
            .map((entity) => names[entity])
            .join(' and '),
        ),
      }
      writeFileSync(join(folder, FILE), `${JSON.stringify(found)}\n`)
    },
    open: (folder): Sayings => JSON.parse(readFileSync(join(folder, FILE), 'utf8')),
  })
})

function several(size: number, piecesOf: PiecesOf, names: (row: number) => string): Described[] {
  const found: Described[] = []
  for (let row = 0; row < size; row++) {
    const pieces = piecesOf(row)
    if (pieces.length > 1) found.push({ row, names: names(row), pieces })
  }
  return found
}

/** The extractors of `prepare.graph`, what they read, and all of them at work on it. */
function extracting(recipe: Recipe) {
  if (!recipe.graph || recipe.graph.length === 0) throw new LacksPreparation('graph')
  const chosen = recipe.graph.map((choice) => resolve(extractors, choice))
  const heard = chosen.map((one) => (one.definition.asks ? heardExtraction(recipe, one) : undefined))
  const byModels = Object.fromEntries(heard.flatMap((one, index) => (one ? [[`heard ${index}`, one]] : [])))
  const reads = { chunks: textUnits(recipe), documents: recipe.documents, profile: textProfile(recipe) }
  return {
    foreign: chosen.some(({ definition }) => isForeign(definition)),
    params: chosen.map(({ definition, params }) => ({ name: definition.name, ...keyOf(definition, params) })),
    inputs: { ...reads, ...(byModels as Record<string, never>) },
    async extract(inputs: Lazy<typeof reads>, progress: Progress) {
      const opened = inputs as Record<string, () => Promise<unknown>>
      /** What a model extracted stands for asking it. */
      const extractors = chosen.map(({ definition, params }, index) => {
        if (!heard[index]) return { definition, params }
        const extract = async () => ((await opened[`heard ${index}`]()) as FromModel<Extraction>).value
        return { definition: { ...definition, extract }, params }
      })
      const [chunks, documents, profile] = [
        await inputs.chunks(),
        await inputs.documents(),
        await inputs.profile(),
      ]
      return extractGraph({ chunks, documents, profile }, extractors, progress)
    },
  }
}

/** What a language model extracts from the chunks. */
function heardExtraction(recipe: Recipe, { definition, params }: Resolved<Extractor>) {
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

/** The extractions that language models make of the corpus. */
export function modelExtractions(recipe: Recipe): Artifact<FromModel<Extraction>>[] {
  return (recipe.graph ?? []).flatMap((choice) => {
    const chosen = resolve(extractors, choice)
    return chosen.definition.asks ? [heardExtraction(recipe, chosen)] : []
  })
}
