import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../../errors.ts'
import { resolve } from '../../../registry.ts'
import { readArrays, writeArrays } from '../../../store/arrays.ts'
import { type Artifact, defineArtifact, derived } from '../../../store/artifact.ts'
import { type CommunityTableColumns, writeCommunities } from '../../../tables/graph.ts'
import type { Chunk } from '../../../types.ts'
import { textUnits } from '../../corpus.ts'
import { keyOf, LacksPreparation, oncePerRecipe, type Recipe } from '../../recipe.ts'
import { type Incidence, incidenceOf, memberIds, membersOf, rowSizes } from '../csr.ts'
import { graph } from '../extraction.ts'
import { type Communities, type Graph, hashId } from '../graph.ts'
import { communityFinders, type NestedCommunity } from './index.ts'

const ARRAYS = 'communities.safetensors'

export const communitiesTable = oncePerRecipe((recipe): Artifact<Communities> => {
  if (!recipe.communities) throw new LacksPreparation('communities')
  const { definition: finder, params } = resolve(communityFinders, recipe.communities)
  return defineArtifact({
    name: 'communities',
    version: 1,
    params: { finder: finder.name, ...keyOf(finder, params) },
    inputs: { graph: graph(recipe), chunks: textUnits(recipe) },
    async build(folder, inputs) {
      const opened = await inputs.graph()
      const { communities: nested, notices } = await finder.make(params).find(opened)
      const columns = communityColumns(nested, opened.entities.size)
      const communities = assembleCommunities(columns, opened)
      const table = communityTable(communities, opened, await inputs.chunks())
      writeCommunities(join(folder, 'communities.parquet'), table)
      const { levels, parents, entities } = columns
      writeArrays(join(folder, ARRAYS), { levels, parents, ...entities })
      writeNotices(folder, notices)
    },
    async open(folder, inputs) {
      const { arrays } = readArrays<Omit<CommunityColumns, 'entities'> & Incidence>(join(folder, ARRAYS))
      const columns = { ...arrays, entities: arrays }
      return { ...assembleCommunities(columns, await inputs.graph()), notices: readNotices(folder) }
    },
  })
})

export function communityTable(
  communities: Communities,
  { entities, relationships }: Graph,
  chunks: readonly Chunk[],
): CommunityTableColumns {
  return {
    ...communities,
    entityIds: memberIds(communities.entities, entities.ids),
    relationshipIds: memberIds(communities.relationships, relationships.ids),
    chunkIds: memberIds(
      communities.chunks,
      chunks.map(({ id }) => id),
    ),
  }
}

const NOTICES = 'notices.json'

export function writeNotices(folder: string, notices: Readonly<Record<string, number>> | undefined): void {
  if (notices) writeFileSync(join(folder, NOTICES), `${JSON.stringify(notices)}\n`)
}

export function readNotices(folder: string): Readonly<Record<string, number>> {
  const path = join(folder, NOTICES)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/** Stored columns of communities; all others are derived from them and the graph. */
interface CommunityColumns {
  readonly levels: Uint32Array
  readonly parents: Int32Array
  readonly entities: Incidence
}

export function communityColumns(nested: readonly NestedCommunity[], entityCount: number): CommunityColumns {
  return {
    levels: Uint32Array.from(nested, ({ level }) => level),
    parents: Int32Array.from(nested, ({ parent }) => parent),
    entities: incidenceOf(
      nested.map(({ members }) => members),
      entityCount,
    ),
  }
}

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
    notices: {},
  }
}

function idOf(level: number, members: Uint32Array, { entities }: Graph): string {
  return hashId([`community\0${level}`, ...Array.from(members, (entity) => entities.keys[entity])].join('\0'))
}

function innerRelationships(
  { levels, entities }: CommunityColumns,
  { relationships, ...graph }: Graph,
): Incidence {
  const { sources, targets } = relationships
  const communityOf = new Int32Array(graph.entities.size).fill(-1)
  const lists = Array.from(levels, (_, community) => {
    const inside = Array.from(membersOf(entities, community))
    for (const entity of inside) communityOf[entity] = community
    return inside.flatMap((entity) =>
      Array.from(membersOf(graph.relationshipsOfEntity, entity)).filter(
        (row) => sources[row] === entity && communityOf[targets[row]] === community,
      ),
    )
  })
  return incidenceOf(lists, relationships.size)
}

function chunksOf(entities: Incidence, { chunksOfEntity, chunks }: Graph): Incidence {
  const lists = Array.from(rowSizes(entities), (_, community) =>
    Array.from(membersOf(entities, community)).flatMap((entity) => [...membersOf(chunksOfEntity, entity)]),
  )
  return incidenceOf(lists, chunks)
}

/** Level of communities that a trial names. Opening it throws a UserError if the level does not exist. */
export function askedLevel(recipe: Recipe, level: number | undefined): Artifact<number> | undefined {
  if (level === undefined) return undefined
  const reads = { communities: communitiesTable(recipe) }
  return derived('community_level', reads, ({ communities }) => communityLevel(communities, level), { level })
}

/** GraphRAG's default level. */
const COMMUNITY_LEVEL = 2

/** Level to read, at most the deepest. Throws a UserError if a requested level does not exist. */
export function communityLevel({ depth }: Communities, level: number | undefined): number {
  const deepest = Math.max(0, depth - 1)
  if (level !== undefined && level > deepest)
    throw new UserError(
      `communityLevel ${level} does not exist: the deepest level of communities is ${deepest}, 0 the coarsest`,
    )
  return level ?? Math.min(COMMUNITY_LEVEL, deepest)
}
