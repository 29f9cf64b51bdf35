import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { WalkLink } from '../../retrieve/walked.ts'
import { writeWhole } from '../../store/write.ts'
import { describeGraphs, type Walked } from '../inspect-graphs.ts'
import type { OpenExperiment } from '../plan/open.ts'
import type { PartRankings } from '../shard/parts.ts'

/** Notes that name the entities of a walk, and the names in them: entities of one path are joined by an arrow. */
const WALKS: Readonly<Record<string, (text: string) => string[][]>> = {
  paths: (text) => text.split(' | ').map((path) => path.split(' → ')),
  'activated entities': (text) => text.split('; ').map((name) => [name]),
}

/**
 * Entities along the links of a walk: from each start, the heaviest first, over the links that leave it; a start without links
 * is a path of its own. Chunks are no part of a path.
 */
function pathsOf(links: readonly WalkLink[]): string[][] {
  const next = new Map<string, string[]>()
  for (const [from, to] of links)
    if (typeof from === 'string' && typeof to === 'string') next.set(from, [...(next.get(from) ?? []), to])
  const follow = (path: readonly string[]): string[][] => {
    const further = (next.get(path[path.length - 1]) ?? []).filter((name) => !path.includes(name))
    return further.length === 0 ? [[...path]] : further.flatMap((name) => follow([...path, name]))
  }
  return links.flatMap(([from, to]) => (from === null && typeof to === 'string' ? follow([to]) : []))
}

/** Writes `graphs.json`: descriptions and pictures of the graphs that trials read. No file without a graph. */
export async function writeGraphs(
  folder: string,
  open: OpenExperiment,
  finalists: readonly number[],
  kept: readonly PartRankings[],
): Promise<void> {
  const walked = finalists.flatMap((trial, at): Walked[] => {
    const notes = kept[at].notes ?? []
    const walks = kept[at].walks ?? []
    const byQuery = Array.from({ length: Math.max(notes.length, walks.length) }, (_, query) => {
      const named = Object.entries(WALKS).flatMap(([note, names]) => {
        const text = notes[query]?.[note]
        return text ? names(text) : []
      })
      return named.length > 0 ? named : Object.values(walks[query] ?? {}).flatMap(pathsOf)
    })
    const { name, ranking } = open.trials[trial]
    return byQuery.some((paths) => paths.length > 0) ? [{ trial: name, recipe: ranking.recipe, byQuery }] : []
  })
  const graphs = await describeGraphs(open, walked)
  const file = join(folder, 'graphs.json')
  if (graphs.length === 0) rmSync(file, { force: true })
  else writeWhole(file, `${JSON.stringify(graphs)}\n`)
}
