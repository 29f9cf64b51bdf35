import { statisticsOfGraph } from '../indexes/graph-statistics.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { synonymy } from '../indexes/synonyms.ts'
import { textUnits } from '../indexes/text-units.ts'
import type { DatasetSummary, IndexSummary } from '../results/summary.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Store } from '../store/store.ts'
import type { Json } from '../types.ts'
import { artifactsOf, type CompiledTrial, describeChoice } from './compile.ts'
import type { OpenExperiment } from './open.ts'
import type { Session } from './session.ts'

/** Whether a query counts in retrieval means: it can have gold, and has. */
export function countsIn({ queries, corpora }: Session, query: number): boolean {
  return queries[query].answerable && corpora[0].labels[query].units.length > 0
}

/** The data set as the summary tells of it. */
export function describeDataset(session: Session, { dataset }: OpenExperiment): DatasetSummary {
  const { queries, corpora } = session
  let [gold, missing, whole, judged] = [0, 0, 0, 0]
  queries.forEach((_, query) => {
    if (!countsIn(session, query)) return
    const { grades, units } = corpora[0].labels[query]
    const relevant = [...units].filter((_, label) => grades[label] >= 1)
    const absent = relevant.filter((unit) => unit < 0).length
    judged++
    gold += relevant.length
    missing += absent
    if (absent === 0) whole++
  })
  return {
    name: dataset.name,
    documents: dataset.documents.length,
    judgedUnit: dataset.judgedUnit,
    queries: queries.length,
    judged,
    unanswerable: queries.filter(({ answerable }) => !answerable).length,
    categories: categoriesOf(session).map((name) => ({
      name,
      queries: queries.filter(({ category }) => category === name).length,
    })),
    gold,
    missing,
    evaluability: judged > 0 ? whole / judged : 0,
    notices: dataset.notices,
  }
}

/** The categories of the queries, in byte order. */
export function categoriesOf({ queries }: Session): string[] {
  return [...new Set(queries.flatMap(({ category }) => (category ? [category] : [])))].sort()
}

/** What stands behind each prepared variant, in counts. */
export async function describeIndexes({ plan, trials, store }: Session): Promise<IndexSummary[]> {
  const described: IndexSummary[] = []
  for (const [place, choices] of plan.experiment.recipes.entries()) {
    const own = trials.filter((trial) => trial.recipe === place)
    if (own.length === 0) continue
    const { recipe } = own[0].ranking
    const chunks = await store.open(textUnits(recipe))
    const prepare = Object.fromEntries(
      Object.entries(choices).map(([key, choice]): [string, Json] => [
        key,
        'name' in choice ? describeChoice(choice) : choice.map(describeChoice),
      ]),
    )
    const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
    const counts = { chunks: chunks.length, tokens, ...(await describeGraph(store, recipe, own)) }
    described.push({ name: `variant ${place + 1}`, prepare, counts })
  }
  return described
}

/** The graph's statistics, as far as the trials read it. */
async function describeGraph(
  store: Store,
  recipe: Recipe,
  trials: readonly CompiledTrial[],
): Promise<Record<string, number>> {
  const read = namesBelow(artifactsOf(trials))
  if (!read.has('graph')) return {}
  const { extractors, chunks: _, ...graph } = await store.open(statisticsOfGraph(recipe))
  const counts: Record<string, number> = { ...graph }
  if (read.has('synonyms')) counts.synonymyEdges = (await store.open(synonymy(recipe))).sources.length
  for (const [extractor, found] of Object.entries(extractors))
    for (const [name, count] of Object.entries(found)) if (count > 0) counts[`${extractor}: ${name}`] = count
  return counts
}

function namesBelow(artifacts: readonly Artifact<unknown>[], names = new Set<string>()): Set<string> {
  for (const { name, inputs } of artifacts) {
    names.add(name)
    namesBelow(Object.values(inputs), names)
  }
  return names
}
