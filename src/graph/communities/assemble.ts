import { createHash } from 'node:crypto'
import type { Communities, Graph } from '../graph.ts'
import { buildIncidence, type Incidence, membersOf } from '../incidence.ts'
import type { NestedCommunity } from '../leiden/hierarchy.ts'

/** What is kept of communities; the rest follows from it and the graph. */
export interface CommunityColumns {
  readonly levels: Uint32Array
  readonly parents: Int32Array
  /** Community -> entity rows. */
  readonly entities: Incidence
}

export function communityColumns(found: readonly NestedCommunity[], entityCount: number): CommunityColumns {
  const rows: number[] = []
  const members: number[] = []
  found.forEach((community, row) => {
    for (const entity of community.members) {
      rows.push(row)
      members.push(entity)
    }
  })
  return {
    levels: Uint32Array.from(found, ({ level }) => level),
    parents: Int32Array.from(found, ({ parent }) => parent),
    entities: buildIncidence(found.length, { rows, members }, entityCount),
  }
}

/** Adds children, titles, and where a community's relationships and chunks are. */
export function assembleCommunities(columns: CommunityColumns, graph: Graph): Communities {
  const { levels, parents, entities } = columns
  const size = levels.length
  const children: number[][] = Array.from({ length: size }, () => [])
  parents.forEach((parent, row) => {
    if (parent >= 0) children[parent].push(row)
  })
  return {
    size,
    ids: Array.from({ length: size }, (_, row) => idOf(levels[row], membersOf(entities, row), graph)),
    levels,
    parents,
    children,
    titles: Array.from({ length: size }, (_, row) => `Community ${row}`),
    entities,
    relationships: innerRelationships(columns, graph),
    chunks: chunksOf(entities, graph),
    depth: size === 0 ? 0 : levels[size - 1] + 1,
  }
}

/** The same level and entities have the same id. */
function idOf(level: number, members: Uint32Array, { entities }: Graph): string {
  const hash = createHash('sha256').update(`community\0${level}`)
  for (const entity of members) hash.update(`\0${entities.keys[entity]}`)
  return hash.digest('hex').slice(0, 32)
}

function innerRelationships(
  { levels, entities }: CommunityColumns,
  { relationships, ...graph }: Graph,
): Incidence {
  const rows: number[] = []
  const members: number[] = []
  const own = new Int32Array(graph.entities.size).fill(-1)
  for (let community = 0; community < levels.length; community++) {
    const inside = membersOf(entities, community)
    for (const entity of inside) own[entity] = community
    for (const entity of inside)
      for (const relationship of membersOf(graph.relationshipsOfEntity, entity)) {
        // Each relationship is met at both ends; it is taken at its source.
        if (relationships.sources[relationship] !== entity) continue
        if (own[relationships.targets[relationship]] !== community) continue
        rows.push(community)
        members.push(relationship)
      }
  }
  return buildIncidence(levels.length, { rows, members }, relationships.size)
}

function chunksOf(entities: Incidence, graph: Graph): Incidence {
  const size = entities.offsets.length - 1
  const rows: number[] = []
  const members: number[] = []
  for (let community = 0; community < size; community++)
    for (const entity of membersOf(entities, community))
      for (const chunk of membersOf(graph.chunksOfEntity, entity)) {
        rows.push(community)
        members.push(chunk)
      }
  return buildIncidence(size, { rows, members }, graph.chunks)
}
