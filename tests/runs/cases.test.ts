import { join } from 'node:path'
import { describe } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { kindOfFile, linesOf, readQrels, readRun } from '../../src/runs/formats.ts'
import { readRecorded } from '../../src/runs/recorded.ts'
import type { ReadOptions } from '../../src/runs/types.ts'
import { folderOf, testCases } from '../case-files.ts'

/** Cases of tests/golden/runs: `run: FILE OPTIONS` or `qrels: FILE OPTIONS`; `answer: FILE` or `contexts: FILE` of another system. */
const golden = join(import.meta.dirname, '../golden/runs')

async function read(how: string, path: string, { format, ...options }: ReadOptions & { format?: string }) {
  if (how === 'answer' || how === 'contexts')
    return [...readRecorded(path, how).values()].map((record) => JSON.stringify(record))
  if (how === 'run') {
    const { value, ...rest } = await readRun(path, options, format)
    const queries = [...value.queries].map(
      ([query, { ids, scores }]) => `${query}: ${ids.map((id, at) => `${id} ${scores[at]}`).join(', ')}`,
    )
    return [`run ${value.name}`, ...queries, ...linesOf(rest)]
  }
  const { value, ...rest } = await readQrels(path, options, format)
  const queries = [...value.qrels].map(([query, grades]) => {
    const groups = value.groups.get(query)
    return `${query}: ${[...grades].map(([id, grade]) => `${id} ${grade}${groups?.has(id) ? ` (${groups.get(id)})` : ''}`).join(', ')}`
  })
  return [...queries, ...linesOf(rest)]
}

describe('a file of rankings or judgements', () => {
  testCases(golden, async ({ lines, files }) => {
    const folder = folderOf(files)
    const texts: string[] = []
    for (const line of lines) {
      const [, how, file, options = '{}'] = /^(run|qrels|answer|contexts): (\S+)(?: (.*))?$/.exec(line) ?? []
      const path = join(folder, file)
      const hasKind = how === 'run' || how === 'qrels'
      const outcome = await read(how, path, JSON.parse(options)).catch((error: unknown) => {
        if (!(error instanceof UserError)) throw error
        const message = error.message.replaceAll(`${folder}/`, '')
        return [`refused: ${message.replace(/(is not valid JSON): .*$/gm, '$1: ...')}`]
      })
      const kind = hasKind && !outcome[0].startsWith('refused: ') ? kindOfFile(path) : how
      texts.push(line, ...(kind === how ? [] : [`looks like ${kind ?? 'neither'}`]), ...outcome)
    }
    return texts
  })
})
