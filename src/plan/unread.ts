import type { Summaries } from '../graph/describers.ts'
import { communitiesTable } from '../prepare/communities.ts'
import { chunkColumns } from '../prepare/corpus.ts'
import { heardSummaries } from '../prepare/descriptions.ts'
import { heardExtractions } from '../prepare/extraction.ts'
import { entitiesTable, relationshipsTable } from '../prepare/graph.ts'
import { heardReports } from '../prepare/reports.ts'
import { type Artifact, artifactsBelow } from '../store/artifact.ts'
import { asker } from './ask-artifacts.ts'
import type { OpenExperiment } from './open.ts'

const NAMED = 5

/** A line for each model's work on the corpus that is not whole, as answers could not be read: what is lacking. */
export async function unreadLines({
  recipes,
  artifacts,
  store,
}: Pick<OpenExperiment, 'recipes' | 'artifacts' | 'store'>): Promise<string[]> {
  const below = new Set(artifactsBelow(artifacts).map(({ key }) => key))
  const isRead = (artifact: Artifact<unknown>) => below.has(artifact.key) && store.has(artifact)
  const lines = new Set<string>()
  const note = (artifact: Artifact<unknown>, unread: readonly string[], of: number, what: string) => {
    if (unread.length === 0) return
    const more = unread.length > NAMED ? ` and ${number(unread.length - NAMED)} more` : ''
    lines.add(
      `${asker(artifact)}: ${number(unread.length)} of ${number(of)} ${what}, since no answer on them could be read: ${unread.slice(0, NAMED).join(', ')}${more}`,
    )
  }
  for (const recipe of recipes) {
    for (const artifact of heardExtractions(recipe).filter(isRead)) {
      const { unread = [] } = (await store.open(artifact)).value
      if (unread.length === 0) continue
      const chunks = await store.open(chunkColumns(recipe, 'id'))
      const named = unread.map(({ chunk, reason }) => `${chunks[chunk].id} (${reason})`)
      note(artifact, named, chunks.length, 'chunks are not in the graph')
    }
    const summaries = heardSummaries(recipe)
    if (summaries && isRead(summaries)) {
      const { names } = await store.open(entitiesTable(recipe))
      const { sources, targets } = await store.open(relationshipsTable(recipe))
      const { entities, relationships } = (await store.open(summaries)).value
      const unread = (said: Summaries, nameOf: (row: number) => string) =>
        said.flatMap(([row, summary]) => (summary === null ? [nameOf(row)] : []))
      const named = [
        ...unread(entities, (row) => names[row]),
        ...unread(relationships, (row) => `${names[sources[row]]} -> ${names[targets[row]]}`),
      ]
      note(summaries, named, entities.length + relationships.length, 'descriptions stay joined')
    }
    const reports = heardReports(recipe)
    if (!reports || !isRead(reports)) continue
    const written = new Set((await store.open(reports)).value.map(({ community }) => community))
    const { titles } = await store.open(communitiesTable(recipe))
    const without = titles.filter((_, community) => !written.has(community))
    note(reports, without, titles.length, 'communities have no report')
  }
  return [...lines]
}

function number(value: number): string {
  return value.toLocaleString('en')
}
