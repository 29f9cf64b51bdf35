import { join } from 'node:path'
import { z } from 'zod'
import { hashFile } from '../../../store/input.ts'
import { NANO_REPORTS, readNanoCommunities } from '../foreign/nano-graphrag.ts'
import { communityRows, foreignReports } from '../foreign/reports.ts'
import { defineReportWriter } from './index.ts'

export default defineReportWriter({
  name: 'nano-graphrag',
  version: 1,
  summary: 'the community reports of a nano-graphrag working folder',
  params: z.strictObject({ path: z.string().min(1).describe('the working folder') }),
  only: 'path',
  files: ({ path }) => ({ reports: hashFile(join(path, NANO_REPORTS), 'prepare.reports: nano-graphrag') }),
  make: ({ path }) => ({
    check: () => readNanoCommunities(path),
    write({ graph, communities }) {
      const { file, communities: stored } = readNanoCommunities(path)
      const rows = communityRows(
        stored.map(({ level, names }, number) => ({ number, level, names })),
        { graph, communities },
      )
      const reports = stored.map(({ title, summary, findings, rank }, number) => {
        return { community: rows.get(number), title, summary, findings, rank }
      })
      return foreignReports(file, reports, communities)
    },
  }),
})
