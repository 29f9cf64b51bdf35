import type { z } from 'zod'
import type { Versioned } from '../../../registry.ts'
import type { Graph } from '../graph.ts'
import type { NestedCommunity } from '../leiden/hierarchy.ts'

/** Communities and counts of stored rows that were left out: `{communitiesWithoutEntities: 1}`. */
export interface FoundCommunities {
  /** Sorted by level, then by lowest member; parents precede their children. */
  readonly communities: readonly NestedCommunity[]
  readonly notices?: Readonly<Record<string, number>>
}

/** Finds communities in a graph. */
export interface CommunityFinder<S extends z.ZodObject = z.ZodObject> extends Versioned<S> {
  /** Opens the files before anything is built. Throws a UserError if one is no such file. */
  check?(params: z.output<S>): unknown
  find(graph: Graph, params: z.output<S>): FoundCommunities | Promise<FoundCommunities>
}

/** Types a finder's definition. */
export function defineFinder<S extends z.ZodObject>(finder: CommunityFinder<S>): CommunityFinder<S> {
  return finder
}
