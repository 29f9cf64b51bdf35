import type { Artifact } from '../../../store/artifact.ts'
import type { Recipe } from '../../recipe.ts'

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
