import { together } from '../../models/completions/chat.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { chatModel } from '../chat-model.ts'
import { type FromModel, modelArtifact } from '../model-artifact.ts'
import { keyOf, oncePerRecipe, type Recipe } from '../recipe.ts'
import { graph } from './artifacts.ts'
import { type DescribedEntities, describers } from './describers.ts'
import { separateDescriptions } from './extraction.ts'
import type { Graph } from './graph.ts'

interface DescriptionSummaries {
  readonly entities: DescribedEntities
  readonly relationships: DescribedEntities
}

/** Summaries of descriptions by the model of `prepare.descriptions`; undefined if descriptions are joined. */
export const modelDescriptions = oncePerRecipe(
  (recipe: Recipe): Artifact<FromModel<DescriptionSummaries>> | undefined => {
    if (!recipe.descriptions) return undefined
    const { definition, params } = resolve(describers, recipe.descriptions)
    const { asks } = definition
    if (!asks) return undefined
    return modelArtifact({
      name: 'heard_descriptions',
      version: 1,
      params: { name: `descriptions: ${definition.name}`, ...keyOf(definition, params) },
      inputs: { sayings: separateDescriptions(recipe) },
      model: chatModel(recipe, String(params.model)),
      async write(chat, { sayings: { entities, relationships } }) {
        const many = [entities, relationships].map((described) =>
          described.filter(({ pieces }) => asks.isSummarized(pieces, params)),
        )
        const [ofEntities, ofRelationships] = await together(many, (described) =>
          asks.summarize(chat, described, params),
        )
        return { entities: ofEntities, relationships: ofRelationships }
      },
    })
  },
)

/** Graph with the descriptions of `prepare.descriptions`. */
export function describedGraph(recipe: Recipe): Artifact<Graph> {
  const joined = graph(recipe)
  const heard = modelDescriptions(recipe)
  if (!heard) return joined
  return derived('described_graph', { joined, heard }, ({ joined, heard: { value } }) => {
    const { entities, relationships } = joined
    return {
      ...joined,
      entities: { ...entities, descriptions: replaced(entities.descriptions, value.entities) },
      relationships: {
        ...relationships,
        descriptions: replaced(relationships.descriptions, value.relationships),
      },
    }
  })
}

/** Replaces descriptions by their summaries; a row without a summary keeps its description. */
function replaced(descriptions: readonly string[], summaries: DescribedEntities): string[] {
  const changed = [...descriptions]
  for (const [row, summary] of summaries) if (summary !== null) changed[row] = summary
  return changed
}
