import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../store/write.ts'
import { describeGraphs, type Walked } from '../inspect-graphs.ts'
import type { OpenExperiment } from '../plan/open.ts'
import type { PartRankings } from '../shard/parts.ts'

/** Notes that name the entities of a walk, and the names in them: entities of one path are joined by an arrow. */
const WALKS: Readonly<Record<string, (text: string) => string[][]>> = {
  paths: (text) => text.split(' | ').map((path) => path.split(' → ')),
  'activated entities': (text) => text.split('; ').map((name) => [name]),
}

/** Writes `graphs.json`: descriptions and pictures of the graphs that trials read. No file without a graph. */
export async function writeGraphs(
  folder: string,
  open: OpenExperiment,
  finalists: readonly number[],
  kept: readonly PartRankings[],
): Promise<void> {
  const walked = finalists.flatMap((trial, at): Walked[] => {
    const byQuery = (kept[at].notes ?? []).map((notes) =>
      Object.entries(WALKS).flatMap(([note, names]) => (notes?.[note] ? names(notes[note]) : [])),
    )
    const { name, ranking } = open.trials[trial]
    return byQuery.some((paths) => paths.length > 0) ? [{ trial: name, recipe: ranking.recipe, byQuery }] : []
  })
  const graphs = await describeGraphs(open, walked)
  const file = join(folder, 'graphs.json')
  if (graphs.length === 0) rmSync(file, { force: true })
  else writeWhole(file, `${JSON.stringify(graphs)}\n`)
}
