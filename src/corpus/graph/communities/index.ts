import { listParts, type Part, typeParts } from '../../../registry.ts'
import type { Graph } from '../graph.ts'

/** A community of a hierarchy; `members` ascending. */
export interface NestedCommunity {
  readonly level: number
  readonly parent: number
  readonly members: Uint32Array
}

export interface FoundCommunities {
  /** Sorted by level, then by lowest member; parents precede their children. */
  readonly communities: readonly NestedCommunity[]
  readonly notices?: Readonly<Record<string, number>>
}

export type CommunityFinder = Part<CommunitySource>

export interface CommunitySource {
  /** Opens the files before anything is built. Throws a UserError if one is unusable. */
  check?(): unknown
  find(graph: Graph): FoundCommunities | Promise<FoundCommunities>
}

export const defineFinder = typeParts<CommunitySource>()

export const communityFinders = listParts<CommunityFinder>('community finder', {
  graphrag: () => import('./graphrag.ts'),
  leiden: () => import('./leiden.ts'),
})
