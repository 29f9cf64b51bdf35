import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { hashTables, readGraphragCommunities } from '../foreign/graphrag.ts'
import { type Entities, entityRows } from '../graph.ts'
import { defineFinder, type FoundCommunities, type NestedCommunity } from './index.ts'

/** A community without an entity of the graph is left out; its children go to its nearest parent that is there. */
export default defineFinder({
  name: 'graphrag',
  version: 3,
  summary: 'the communities of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  only: 'path',
  files: ({ path }) =>
    hashTables(path, ['communities', 'entities'], 'prepare.communities: graphrag', ['nodes']),
  make: ({ path }) => ({
    check: () => readGraphragCommunities(path),
    find: async ({ entities }) => nest(await readGraphragCommunities(path), entities),
  }),
})

function nest(
  { file, communities, unknown }: Awaited<ReturnType<typeof readGraphragCommunities>>,
  entities: Entities,
): FoundCommunities {
  const rowOf = entityRows(entities)
  const missing = new Set<string>()
  const matched = communities.map(({ names, ...community }) => {
    const members = new Set<number>()
    for (const name of names) {
      const entity = rowOf(name)
      if (entity === undefined) missing.add(name)
      else members.add(entity)
    }
    return { ...community, members: Uint32Array.from(members).sort() }
  })
  const present = matched.filter(({ members }) => members.length > 0)
  if (present.length === 0)
    throw new UserError(
      `belongs to another graph: none of the entities of its ${matched.length} communities is one here`,
      file,
    )
  present.sort((a, b) => a.level - b.level || a.members[0] - b.members[0] || a.number - b.number)
  const rowByNumber = new Map(present.map(({ number }, row) => [number, row]))
  const parentOf = new Map(matched.map(({ number, parent }) => [number, parent]))
  let withoutParent = 0
  const nested = present.map(({ level, parent: firstParent, members }): NestedCommunity => {
    let parent = firstParent
    for (let steps = 0; steps <= level && parent !== undefined && !rowByNumber.has(parent); steps++)
      parent = parentOf.get(parent)
    const row = parent === undefined ? undefined : rowByNumber.get(parent)
    if (row === undefined && level > 0) withoutParent++
    return { level, parent: row ?? -1, members }
  })
  return {
    communities: nested,
    notices: {
      communitiesWithoutEntities: matched.length - present.length,
      communitiesWithoutParent: withoutParent,
      unknownEntities: missing.size + unknown,
    },
  }
}
