import { UserError } from '../errors.ts'
import { createRegistry, find } from '../registry.ts'
import { compareIds } from '../text/ids.ts'
import { RUN_FORMATS } from './formats.ts'
import type { FileKind, QrelsFile, Run, RunFormat, WrittenRow } from './types.ts'

/** Format by name that writes such files. Throws a UserError that names the nearest, or those that do. */
export function formatThatWrites(kind: FileKind, name: string): RunFormat {
  const able = RUN_FORMATS.filter(({ writes }) => writes.includes(kind))
  return find(createRegistry(`${kind} format`, able), name)
}

/** Writes a run: queries by id, each ranking best first, equal scores by id bytes descending. */
export async function writeRun(path: string, { name, queries }: Run, format: string): Promise<void> {
  const rows = byId(queries).flatMap(([query, { ids, scores }]) =>
    [...ids.keys()]
      .sort((a, b) => scores[b] - scores[a] || compareIds(ids[b], ids[a]))
      .map((at): WrittenRow => ({ query, id: ids[at], value: scores[at], extra: name })),
  )
  await formatThatWrites('run', format).write(path, rows, 'run')
}

/** Writes qrels by id. Without a place for OR-groups every measure would change, so such a format is refused. */
export async function writeQrels(path: string, { qrels, groups }: QrelsFile, format: string): Promise<void> {
  const { hasGroups, write } = formatThatWrites('qrels', format)
  if (groups.size > 0 && !hasGroups)
    throw new UserError({
      file: path,
      message: 'cannot hold OR-groups of gold in this format; write csv, parquet or beir',
    })
  const rows = byId(qrels).flatMap(([query, judged]) =>
    byId(judged).map(
      ([id, value]): WrittenRow => ({ query, id, value, extra: groups.get(query)?.get(id) ?? '' }),
    ),
  )
  await write(path, rows, 'qrels')
}

/** The entries of a map in byte order of their keys. */
function byId<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => compareIds(a, b))
}
