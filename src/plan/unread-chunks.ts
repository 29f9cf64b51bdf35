import { chunkColumns } from '../prepare/corpus.ts'
import { heardExtractions } from '../prepare/graph.ts'
import { artifactsBelow } from '../store/artifact.ts'
import { asker } from './ask-artifacts.ts'
import type { OpenExperiment } from './open.ts'

const NAMED = 5

/** A line for each extraction by a model that left chunks out, as no answer on them could be read: which, and why. */
export async function unreadChunkLines({
  recipes,
  artifacts,
  store,
}: Pick<OpenExperiment, 'recipes' | 'artifacts' | 'store'>): Promise<string[]> {
  const read = new Set(artifactsBelow(artifacts).map(({ key }) => key))
  const lines = new Map<string, string>()
  for (const recipe of recipes)
    for (const artifact of heardExtractions(recipe)) {
      if (!read.has(artifact.key) || !store.has(artifact)) continue
      const { unread = [] } = (await store.open(artifact)).value
      if (unread.length === 0) continue
      const chunks = await store.open(chunkColumns(recipe, 'id'))
      const named = unread.slice(0, NAMED).map(({ chunk, reason }) => `${chunks[chunk].id} (${reason})`)
      const more = unread.length > NAMED ? ` and ${(unread.length - NAMED).toLocaleString('en')} more` : ''
      lines.set(
        artifact.key,
        `${asker(artifact)}: ${unread.length.toLocaleString('en')} of ${chunks.length.toLocaleString('en')} chunks are not in the graph, since no answer on them could be read: ${named.join(', ')}${more}`,
      )
    }
  return [...lines.values()]
}
