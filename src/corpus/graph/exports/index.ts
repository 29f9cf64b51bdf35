import type { Artifact } from '../../../store/artifact.ts'
import type { Recipe } from '../../recipe.ts'
import { graphml } from './graphml.ts'
import { graphrag } from './graphrag.ts'

export interface GraphExport {
  readonly name: string
  readonly summary: string
  /** True if a folder is written, false for one file. */
  readonly folder: boolean
  /**
   * Function that writes a recipe's graph to a path that is new: a folder that is there, or a file that is not. Returns notes
   * on what is left out.
   */
  writer(recipe: Recipe): Artifact<(path: string) => readonly string[]>
}

/** Forms in which a graph is written, in the order of the docs. */
export const graphExports: readonly GraphExport[] = [graphrag, graphml]
