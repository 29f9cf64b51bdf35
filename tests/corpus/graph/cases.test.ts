import { join } from 'node:path'
import { describe } from 'vitest'
import { UserError } from '../../../src/errors.ts'
import { folderOf, testCases } from '../../case-files.ts'
import { read } from './read-foreign.ts'

/** Each line of a case names an extractor and a file, which is read over the chunks of `TOWNS`. */
const golden = join(import.meta.dirname, '../../golden/graphs')

async function outcome(extractor: string, path: string): Promise<string[]> {
  const { graph, edges, at, counts, notices = [] } = await read(extractor, path)
  const { entities, relationships } = graph
  return [
    ...at.map((text) => `in chunks: ${text.trim()}`),
    ...entities.names.map((name, row) => `${name} (${entities.types[row]}): ${entities.descriptions[row]}`),
    ...edges,
    ...relationships.keywords.filter((text) => text !== '').map((text) => `keywords: ${text}`),
    `counts: ${JSON.stringify(counts)}`,
    ...notices.map((notice) => `notice: ${notice}`),
  ]
}

describe('a graph of another program', () => {
  testCases(golden, async ({ lines, files }) => {
    const folder = folderOf(files)
    const texts: string[] = []
    for (const line of lines) {
      const [extractor, file] = line.split(' ')
      const result = await outcome(extractor, join(folder, file)).catch((error: unknown) => {
        if (!(error instanceof UserError)) throw error
        return [`refused: ${error.message}`]
      })
      texts.push(line, ...result.map((text) => text.replaceAll(`${folder}/`, '')))
    }
    return texts
  })
})
