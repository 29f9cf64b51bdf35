import type { Artifact } from '../../../store/artifact.ts'
import type { Recipe } from '../../recipe.ts'
import { graphml } from './graphml.ts'
import { graphrag } from './graphrag.ts'

export interface GraphExport {
  readonly name: string
  readonly summary: string
  readonly folder: boolean
  /** Function that writes a recipe's graph to a new path, and returns notes on what is left out. */
  writer(recipe: Recipe): Artifact<(path: string) => readonly string[]>
}

export const graphExports: readonly GraphExport[] = [graphrag, graphml]
