import { together } from '../../models/completions/chat.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { chatModel } from '../chat-model.ts'
import { type FromModel, modelArtifact } from '../model-artifact.ts'
import { keyOf, oncePerRecipe, type Recipe } from '../recipe.ts'
import { graph } from './artifacts.ts'
import { type DescribedEntities, describers } from './describers.ts'
import { sayings } from './extraction.ts'
import type { Graph } from './graph.ts'

interface DescriptionSummaries {
  readonly entities: DescribedEntities
  readonly relationships: DescribedEntities
}

/** The summaries of descriptions that `prepare.descriptions` has a language model write; undefined where they are joined. */
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
      inputs: { sayings: sayings(recipe) },
      model: chatModel(recipe, String(params.model)),
      async write(chat, { sayings: { entities, relationships } }) {
        const many = [entities, relationships].map((said) =>
          said.filter(({ pieces }) => asks.isSummarized(pieces, params)),
        )
        const [ofEntities, ofRelationships] = await together(many, (said) =>
          asks.summarize(chat, said, params),
        )
        return { entities: ofEntities, relationships: ofRelationships }
      },
    })
  },
)

/** The graph with the descriptions that `prepare.descriptions` asks for: only what reads these needs it. */
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

/** A row without a summary keeps its description. */
function replaced(descriptions: readonly string[], summaries: DescribedEntities): string[] {
  const changed = [...descriptions]
  for (const [row, summary] of summaries) if (summary !== null) changed[row] = summary
  return changed
}
