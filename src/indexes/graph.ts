import type { Entities, Graph, Relationships } from '../graph/graph.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'

/** The graph of what `prepare.graph`'s extractors found together. Throws a UserError where the config has no such line. */
export function graph(_recipe: Recipe): Artifact<Graph> {
  throw new Error('being written')
}

export function entitiesTable(_recipe: Recipe): Artifact<Entities> {
  throw new Error('being written')
}

export function relationshipsTable(_recipe: Recipe): Artifact<Relationships> {
  throw new Error('being written')
}
