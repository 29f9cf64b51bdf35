import type { Inputs, Opened } from '../../../store/artifact.ts'
import type { Recipe } from '../../recipe.ts'

/** A form in which a graph is written for other programs. */
export interface GraphExport<A extends Inputs = Inputs> {
  readonly name: string
  /** One line for the docs. */
  readonly summary: string
  /** True if a folder is written, false for one file. */
  readonly folder: boolean
  /** Artifacts that are written in addition to the graph. */
  readonly reads: (recipe: Recipe) => A
  /** Writes to a path that is new: a folder that is there, or a file that is not. Returns notes on what is left out. */
  readonly write: (path: string, opened: Opened<A>) => readonly string[]
}

/** Infers the types of a definition; callers open what it reads and hand that back to it. */
export function defineExport<A extends Inputs>(definition: GraphExport<A>): GraphExport {
  return definition as unknown as GraphExport
}
