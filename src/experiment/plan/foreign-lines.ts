import { communitiesTable } from '../../corpus/graph/communities/assemble.ts'
import { isForeign } from '../../corpus/graph/extract.ts'
import { extraction } from '../../corpus/graph/extraction.ts'
import { extractors } from '../../corpus/graph/extractors/index.ts'
import { mergedInWords } from '../../corpus/graph/merge-entities.ts'
import { communityReports } from '../../corpus/graph/reports/assemble.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import { textLines } from './foreign-texts.ts'
import type { OpenExperiment } from './open.ts'

/** Counts of an extractor that are no loss. */
const NO_LOSS = ['entities', 'relationships', 'mergedNames', 'passagesWithout']

/** Counts of an extractor of rows that became one with others, or facts without an edge. */
const JOINED = ['repeatedNames', 'repeatedRelationships']
const NO_EDGE = ['selfRelationships']

/** Counts of an extractor by kind of match of a foreign chunk, and of what it keeps though it lacks something. */
const MATCHES = ['chunksById', 'chunksByHash', 'chunksByOverlap']
const LACKING = ['entitiesWithoutChunks', 'entitiesWithoutDescription']

/**
 * Sentences on foreign files of an experiment, each once: rows that the prepared graphs left out or merged, and texts that match
 * no chunk.
 */
export async function foreignLinesOf(open: OpenExperiment): Promise<string[]> {
  const { recipes, artifacts, store } = open
  const below = artifactsBelow(artifacts)
  const keys = new Set(below.map(({ key }) => key))
  const lines = new Set<string>()
  for (const recipe of recipes) {
    const isRead = (artifact: Artifact<unknown>) => keys.has(artifact.key) && store.has(artifact)
    for (const line of await linesOf(store, recipe, isRead)) lines.add(line)
  }
  return [...lines, ...(await textLines(open))]
}

/** Lines for one recipe whose artifacts of the names `read` are prepared. */
export function foreignLines(store: Store, recipe: Recipe, read: ReadonlySet<string>): Promise<string[]> {
  return linesOf(store, recipe, ({ name }) => read.has(name))
}

async function linesOf(
  store: Store,
  recipe: Recipe,
  isRead: (artifact: Artifact<unknown>) => boolean,
): Promise<string[]> {
  if (!recipe.graph?.length) return []
  const lines: string[] = []
  const extracted = extraction(recipe)
  if (isRead(extracted)) {
    const { counts, merged } = await store.open(extracted)
    for (const choice of recipe.graph) {
      const { definition } = resolve(extractors, choice)
      if (!isForeign(definition)) continue
      const { name } = definition
      const some = (isWanted: (counter: string) => boolean) =>
        Object.fromEntries(Object.entries(counts[name]).filter(([counter]) => isWanted(counter)))
      const told = [...NO_LOSS, ...MATCHES, ...LACKING, ...JOINED, ...NO_EDGE]
      lines.push(
        ...countsInWords(
          `${name}: matched`,
          some((counter) => MATCHES.includes(counter)),
        ),
        ...countsInWords(
          `${name}: kept`,
          some((counter) => LACKING.includes(counter)),
        ),
        ...countsInWords(
          `${name}: joined`,
          some((counter) => JOINED.includes(counter)),
        ),
        ...countsInWords(
          `${name}: kept as facts, not as edges`,
          some((counter) => NO_EDGE.includes(counter)),
        ),
        ...lossInWords(
          name,
          some((counter) => !told.includes(counter)),
        ),
      )
      lines.push(...mergedInWords(merged[name] ?? []).map((words) => `${name}: ${words}`))
    }
  }
  for (const [key, artifactOf] of [
    ['communities', communitiesTable],
    ['reports', communityReports],
  ] as const) {
    const choice = recipe[key]
    if (!choice || !recipe.communities) continue
    const artifact: Artifact<{ readonly notices: Readonly<Record<string, number>> }> = artifactOf(recipe)
    if (isRead(artifact))
      lines.push(...lossInWords(`${key}: ${choice.name}`, (await store.open(artifact)).notices))
  }
  return lines
}

function lossInWords(source: string, counts: Readonly<Record<string, number>>): string[] {
  return countsInWords(`${source}: left out of the files`, counts)
}

function countsInWords(what: string, counts: Readonly<Record<string, number>>): string[] {
  const found = Object.entries(counts).filter(([, count]) => count > 0)
  if (found.length === 0) return []
  const inWords = (counter: string) => counter.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return [
    `${what}: ${found.map(([counter, count]) => `${count.toLocaleString('en')} ${inWords(counter)}`).join(', ')}`,
  ]
}
