import { resolve } from '../../registry.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import type { FromModel } from '../model-artifact.ts'
import { oncePerRecipe, type Recipe } from '../recipe.ts'
import { writtenByModel } from '../writer.ts'
import { graph } from './artifacts.ts'
import { type DescribedEntities, describers, type OfBoth } from './describers.ts'
import { separateDescriptions } from './extraction.ts'
import type { Graph } from './graph.ts'

/** Summaries of descriptions by the model of `prepare.descriptions`; undefined if descriptions are joined. */
export const modelDescriptions = oncePerRecipe(
  (recipe: Recipe): Artifact<FromModel<OfBoth<DescribedEntities>>> | undefined => {
    if (!recipe.descriptions) return undefined
    const describer = resolve(describers, recipe.descriptions)
    return writtenByModel(recipe, describer, {
      ...{ name: 'heard_descriptions', label: `descriptions: ${describer.definition.name}` },
      inputs: { sayings: separateDescriptions(recipe) },
      inputOf: ({ sayings }) => sayings,
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
