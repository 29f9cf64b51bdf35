import { join } from 'node:path'
import { z } from 'zod'
import { hashFile } from '../../../store/input.ts'
import { NANO_REPORTS, readNanoCommunities } from '../foreign/nano-graphrag.ts'
import { nestForeign } from '../foreign/nested.ts'
import { defineFinder } from './index.ts'

export default defineFinder({
  name: 'nano-graphrag',
  version: 1,
  summary: 'the communities of a nano-graphrag working folder',
  params: z.strictObject({ path: z.string().min(1).describe('the working folder') }),
  only: 'path',
  files: ({ path }) => ({
    communities: hashFile(join(path, NANO_REPORTS), 'prepare.communities: nano-graphrag'),
  }),
  make: ({ path }) => ({
    check: () => readNanoCommunities(path),
    find({ entities }) {
      const { file, communities } = readNanoCommunities(path)
      const numberOf = new Map(communities.map(({ id }, number) => [id, number]))
      const parents = new Map(
        communities.flatMap(({ below }, number) => below.map((id) => [numberOf.get(id), number] as const)),
      )
      const numbered = communities.map(({ level, names }, number) => {
        const parent = parents.get(number)
        return { number, level, names, ...(parent !== undefined && { parent }) }
      })
      return nestForeign(file, numbered, entities)
    },
  }),
})
