import { UserError } from '../../errors.ts'
import { buildIncidence, type Incidence } from './csr.ts'
import type { Communities, Reports } from './graph.ts'

/** The level that is read where none is asked for, or the deepest where there are fewer: GraphRAG's own. */
const COMMUNITY_LEVEL = 2

/** The level to read: the asked one, which must exist. 0 is the coarsest. */
export function communityLevel({ depth }: Communities, asked: number | undefined): number {
  const deepest = Math.max(0, depth - 1)
  if (asked !== undefined && asked > deepest)
    throw new UserError(
      `communityLevel ${asked} does not exist: the deepest level of communities is ${deepest}, 0 the coarsest`,
    )
  return asked ?? Math.min(COMMUNITY_LEVEL, deepest)
}

/** Reports as GraphRAG rolls them up to a level: each entity has the report of its deepest community down to it. */
export interface RolledReports {
  /** Entity -> report rows. */
  readonly reportsOfEntity: Incidence
  readonly ranks: Float64Array
  /** o200k tokens of each report's content. */
  readonly tokens: Uint32Array
}

/** Rolls reports up: of a community above `level` only where it was not divided any further. */
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
    const own = levels[community]
    if (own > level || (own < level && children[community].length > 0)) continue
    for (let i = entities.offsets[community]; i < entities.offsets[community + 1]; i++) {
      rows.push(entities.members[i])
      members.push(report)
    }
  }
  const reportsOfEntity = buildIncidence(entityCount, { rows, members }, reports.size)
  return { reportsOfEntity, ranks: reports.ranks, tokens: reports.tokens }
}
