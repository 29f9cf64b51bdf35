import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { hashFile } from '../../../store/input.ts'
import { readForeignTable } from '../../../tables/foreign.ts'
import { entityRows } from '../graph.ts'
import type { NestedCommunity } from '../leiden/hierarchy.ts'
import { defineFinder } from './define.ts'

/**
 * Reads Microsoft GraphRAG's `communities.parquet`; entities are found by title. A community without an entity of the graph
 * is left out and counted; its children go to its nearest parent that is there.
 */
export const graphragCommunities = defineFinder({
  name: 'graphrag',
  version: 2,
  summary: 'the communities of a Microsoft GraphRAG index',
  params: z.strictObject({ path: z.string().min(1).describe("GraphRAG's output folder") }),
  files: ({ path }) => ({
    communities: hashFile(join(path, 'communities.parquet'), 'prepare.communities: graphrag'),
    entities: hashFile(join(path, 'entities.parquet'), 'prepare.communities: graphrag'),
  }),
  async find({ entities }, { path }) {
    const rowOf = entityRows(entities)
    const stored = await readForeignTable(join(path, 'entities.parquet'), ['id', 'title'])
    const titles = stored.strings('title')
    const rowOfId = new Map(stored.strings('id').map((id, row) => [id, rowOf(titles[row])]))
    const file = join(path, 'communities.parquet')
    const table = await readForeignTable(file, ['community', 'level', 'parent', 'entity_ids'])
    const numbers = table.numbers('community')
    const levels = table.numbers('level')
    const parents = table.numbers('parent')
    const unknown = new Set<string>()
    const found = table.lists('entity_ids').map((ids, row) => {
      const members = new Set<number>()
      for (const id of ids) {
        const entity = rowOfId.get(id)
        if (entity === undefined) unknown.add(id)
        else members.add(entity)
      }
      return {
        number: numbers[row],
        level: levels[row],
        parentNumber: parents[row],
        members: Uint32Array.from(members).sort(),
      }
    })
    const known = found.filter(({ members }) => members.length > 0)
    if (known.length === 0)
      throw new UserError({ file, message: 'belongs to another graph: none of its entities is one here' })
    known.sort((a, b) => a.level - b.level || a.members[0] - b.members[0] || a.number - b.number)
    const rowByNumber = new Map(known.map(({ number }, row) => [number, row]))
    const parentOf = new Map(found.map(({ number, parentNumber }) => [number, parentNumber]))
    let withoutParent = 0
    const communities = known.map(({ level, parentNumber, members }): NestedCommunity => {
      let parent: number | undefined = parentNumber
      // A file may name a community its own ancestor.
      for (let steps = 0; steps <= level && parent !== undefined && !rowByNumber.has(parent); steps++)
        parent = parentOf.get(parent)
      const row = parent === undefined ? undefined : rowByNumber.get(parent)
      if (row === undefined && level > 0) withoutParent++
      return { level, parent: row ?? -1, members }
    })
    return {
      communities,
      notices: {
        communitiesWithoutEntities: found.length - known.length,
        communitiesWithoutParent: withoutParent,
        unknownEntities: unknown.size,
      },
    }
  },
})
