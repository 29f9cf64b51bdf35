import type { Range } from './order.ts'
import type { Candidates } from './settled.ts'
import type { LANES, Sweep } from './sweep.ts'
import type { SparseReset, Walk } from './walk.ts'

/** Where a walk restarts. */
export interface BlockReset extends SparseReset {
  /** What the ranked nodes weigh, besides those in `nodes`; nothing if absent. */
  readonly ranked?: ArrayLike<number>
}

/** Only the nodes of the range are ranked; the others only carry the walk. */
export interface BlockOptions extends Range {
  readonly damping: number
  /** How many of the ranked nodes must stand in their final order. */
  readonly depth: number
  /** Where every query starts: scores of all nodes, as `power` gives them for ranked nodes; 0 everywhere if absent. */
  readonly start?: Float64Array
}

/** A query on its way, in its own lane. */
export interface Walker {
  readonly query: number
  readonly reset: BlockReset
  /** Unknown before the first look. */
  contenders?: Contenders
  sweeps: number
  /** The bound after the last sweep. */
  bound: number
  /** The bound at which looking at the order makes sense again. */
  checkBelow: number
}

/** The ranked nodes that may still be among the best, ascending; rows count from the first ranked node. */
export type Contenders = Omit<Candidates, 'scores'>

/** A block's graph, its sweep, and how many lanes of it are walked. */
export interface Course {
  readonly walk: Walk
  readonly sweep: Sweep
  readonly lanes: 1 | typeof LANES
  readonly omega: number
  readonly options: BlockOptions
  /** What a query's weights are multiplied with to be its (1 - damping) v. */
  readonly shares: readonly number[]
}
