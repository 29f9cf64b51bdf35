import { modelHeaders } from '../../corpus/chunks/contexts.ts'
import { chunkColumns } from '../../corpus/corpus.ts'
import { communitiesTable } from '../../corpus/graph/communities/assemble.ts'
import { modelExtractions } from '../../corpus/graph/extraction.ts'
import { modelReports } from '../../corpus/graph/reports/assemble.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { modelTree } from '../../corpus/summaries/tree.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import { nameInConfig } from './ask-artifacts.ts'
import type { OpenExperiment } from './open.ts'

const NAMED = 5

/** Incomplete model work on the corpus. */
interface Lack {
  readonly artifact: Artifact<unknown>
  /** Names of the items without a readable completion. */
  readonly unread: readonly string[]
  /** Number of items that a model was asked about. */
  readonly of: number
  /** Text such as `chunks are not in the graph`. */
  readonly what: string
}

type Look = (recipe: Recipe, open: Pick<OpenExperiment, 'store'>, isRead: IsRead) => Promise<Lack[]>
type IsRead = (artifact: Artifact<unknown>) => boolean

/** Lines about incomplete model work on the corpus: items whose completions could not be read. */
export async function unreadLines({
  recipes,
  artifacts,
  store,
}: Pick<OpenExperiment, 'recipes' | 'artifacts' | 'store'>): Promise<string[]> {
  const below = new Set(artifactsBelow(artifacts).map(({ key }) => key))
  const isRead: IsRead = (artifact) => below.has(artifact.key) && store.has(artifact)
  const lines = new Set<string>()
  for (const recipe of recipes)
    for (const look of [extractions, headers, reports, layers])
      for (const lack of await look(recipe, { store }, isRead))
        if (lack.unread.length > 0) lines.add(lineOf(lack))
  return [...lines]
}

function lineOf({ artifact, unread, of, what }: Lack): string {
  const more = unread.length > NAMED ? ` and ${number(unread.length - NAMED)} more` : ''
  return `${nameInConfig(artifact)}: ${number(unread.length)} of ${number(of)} ${what}, since no answer on them could be read: ${unread.slice(0, NAMED).join(', ')}${more}`
}

const extractions: Look = async (recipe, { store }, isRead) => {
  const lacks: Lack[] = []
  for (const artifact of modelExtractions(recipe).filter(isRead)) {
    const { unread = [] } = (await store.open(artifact)).value
    if (unread.length === 0) continue
    const chunks = await store.open(chunkColumns(recipe, 'id'))
    const named = unread.map(({ chunk, reason }) => `${chunks[chunk].id} (${reason})`)
    lacks.push({ artifact, unread: named, of: chunks.length, what: 'chunks are not in the graph' })
  }
  return lacks
}

const headers: Look = async (recipe, { store }, isRead) => {
  const artifact = modelHeaders(recipe)
  if (!artifact || !isRead(artifact)) return []
  const said = (await store.open(artifact)).value
  const chunks = await store.open(chunkColumns(recipe, 'id'))
  const unread = said.flatMap((header, row) => (header === null ? [chunks[row].id] : []))
  return [{ artifact, unread, of: said.length, what: 'chunks have no header' }]
}

const layers: Look = async (recipe, { store }, isRead) => {
  const lacks: Lack[] = []
  for (const artifact of modelTree(recipe).filter(isRead)) {
    const said = (await store.open(artifact)).value
    const unread = said.flatMap((summary, row) => (summary === null ? [`cluster ${row + 1}`] : []))
    lacks.push({ artifact, unread, of: said.length, what: 'clusters have no summary' })
  }
  return lacks
}

const reports: Look = async (recipe, { store }, isRead) => {
  const artifact = modelReports(recipe)
  if (!artifact || !isRead(artifact)) return []
  const written = new Set((await store.open(artifact)).value.map(({ community }) => community))
  const { titles } = await store.open(communitiesTable(recipe))
  const unread = titles.filter((_, community) => !written.has(community))
  return [{ artifact, unread, of: titles.length, what: 'communities have no report' }]
}

function number(value: number): string {
  return value.toLocaleString('en')
}
