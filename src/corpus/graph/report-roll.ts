import { UserError } from '../../errors.ts'
import { buildIncidence, type Incidence } from './csr.ts'
import type { Communities, Reports } from './graph.ts'

/** GraphRAG's default level; the deepest level if there are fewer. */
const COMMUNITY_LEVEL = 2

/** Level to read; 0 is the coarsest. Throws a UserError if a requested level does not exist. */
export function communityLevel({ depth }: Communities, asked: number | undefined): number {
  const deepest = Math.max(0, depth - 1)
  if (asked !== undefined && asked > deepest)
    throw new UserError(
      `communityLevel ${asked} does not exist: the deepest level of communities is ${deepest}, 0 the coarsest`,
    )
  return asked ?? Math.min(COMMUNITY_LEVEL, deepest)
}

/**
 * Reports rolled up to a level as in GraphRAG: each entity has the report of its deepest community down to that level.
 */
export interface RolledReports {
  /** Entity -> report rows. */
  readonly reportsOfEntity: Incidence
  readonly ranks: Float64Array
  /** o200k tokens of each report's content. */
  readonly tokens: Uint32Array
}

/** Rolls reports up: a community above `level` counts only if it has no children. */
export function rollReports(
  reports: Reports,
  { levels, children, entities }: Communities,
  level: number,
  entityCount: number,
): RolledReports {
  const rows: number[] = []
  const members: number[] = []
  for (let report = 0; report < reports.size; report++) {
    const community = reports.communities[report]
    const current = levels[community]
    if (current > level || (current < level && children[community].length > 0)) continue
    for (let i = entities.offsets[community]; i < entities.offsets[community + 1]; i++) {
      rows.push(entities.members[i])
      members.push(report)
    }
  }
  const reportsOfEntity = buildIncidence(entityCount, { rows, members }, reports.size)
  return { reportsOfEntity, ranks: reports.ranks, tokens: reports.tokens }
}
