import { existsSync } from 'node:fs'
import { UserError } from '../../errors.ts'
import { rankPairs } from '../../ranking/order.ts'
import { readColumns } from '../../results/columns.ts'
import type { Run } from '../../runs/types.ts'
import { foundFile, type Scattered } from './layout.ts'

/** A list of the whole corpus, merged from the parts' best. Throws a UserError with the parts that are missing. */
export async function gather(
  folder: string,
  { parts, lists, queries }: Scattered,
  list: number,
): Promise<Run> {
  const files = Array.from({ length: parts }, (_, part) => foundFile(folder, part, list))
  const missing = files.flatMap((file, part) => (existsSync(file) ? [] : [part]))
  if (missing.length > 0)
    throw new UserError({
      file: folder,
      message: `lacks what ${missing.length} of ${parts} parts find, as ${missing.slice(0, 5).join(', ')}; \`touchstone search-part\` makes it`,
    })
  const found = queries.map((): { rows: number[]; scores: number[] } => ({ rows: [], scores: [] }))
  const ids = new Map<number, string>()
  for (const file of files) {
    const { rows, query, row, chunk, score } = await readColumns(file, {
      ...{ query: 'integer', row: 'integer', chunk: 'words', score: 'number' },
    } as const)
    for (let at = 0; at < rows; at++) {
      found[query[at]].rows.push(row[at])
      found[query[at]].scores.push(score[at])
      ids.set(row[at], chunk.words[chunk.codes[at]])
    }
  }
  const merged = found.map(({ rows, scores }) => rankPairs(rows, scores, lists[list].depth))
  return {
    name: lists[list].trial,
    queries: new Map(
      merged.map(({ rows, scores }, query) => [
        queries[query],
        { ids: Array.from(rows, (row) => ids.get(row) as string), scores },
      ]),
    ),
  }
}
