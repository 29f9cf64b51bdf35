import { performance } from 'node:perf_hooks'
import { chunkSpans, documentIds } from '../corpus/corpus.ts'
import { graph, statisticsOfGraph } from '../corpus/graph/artifacts.ts'
import { extraction } from '../corpus/graph/extraction.ts'
import {
  type GoldReach,
  type GraphShape,
  goldReach,
  graphShape,
  type QueryGold,
} from '../corpus/graph/shape.ts'
import type { GraphStatistics } from '../corpus/graph/statistics.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { spanId } from '../dataset/collapse.ts'
import type { OpenExperiment } from '../experiment/plan/open.ts'
import { judgedUnits } from '../experiment/shard/judged-units.ts'
import type { Progress } from '../types.ts'

/** Graph of one variant of `prepare`. */
export interface InspectedGraph {
  /** Names of the extractors. */
  readonly extractors: readonly string[]
  /** Seconds that building took; absent if it was prepared already. */
  readonly seconds?: number
  readonly statistics: GraphStatistics
  readonly shape: GraphShape
  readonly reach: GoldReach
}

/** Prepares and describes each distinct graph of an experiment over one dataset. */
export async function inspectGraphs(
  open: Pick<OpenExperiment, 'recipes' | 'store' | 'dataset'>,
  hops: number,
  progress?: Progress,
): Promise<InspectedGraph[]> {
  const found: InspectedGraph[] = []
  const seen = new Set<string>()
  for (const recipe of open.recipes) {
    if (!recipe.graph?.length || seen.has(extraction(recipe).key)) continue
    seen.add(extraction(recipe).key)
    const { store } = open
    const isMissing = store.missing([extraction(recipe)]).length > 0
    const begun = performance.now()
    await store.prepare(extraction(recipe), progress)
    const seconds = (performance.now() - begun) / 1000
    const opened = await store.open(graph(recipe))
    found.push({
      extractors: recipe.graph.map(({ name }) => name),
      ...(isMissing && { seconds }),
      statistics: await store.open(statisticsOfGraph(recipe)),
      shape: graphShape(opened),
      reach: goldReach(opened, await goldOf(open, recipe), hops),
    })
  }
  return found
}

async function goldOf(
  { store, dataset }: Pick<OpenExperiment, 'store' | 'dataset'>,
  recipe: Recipe,
): Promise<QueryGold[]> {
  const { queries, qrels, spans, judgedUnit } = dataset
  const chunks = await store.open(chunkSpans(recipe))
  const documents = judgedUnit === 'document' ? await store.open(documentIds(recipe.documents)) : []
  const { unitOf, placed } = judgedUnits(judgedUnit, chunks, documents)
  const rowsOf = new Map<number, number[]>()
  unitOf.forEach((unit, row) => {
    const known = rowsOf.get(unit)
    if (known) known.push(row)
    else rowsOf.set(unit, [row])
  })
  return queries
    .filter(({ answerable }) => answerable)
    .map(({ id, text }) => {
      const ids =
        judgedUnit === 'span'
          ? (spans.get(id) ?? []).map(spanId)
          : [...(qrels.get(id) ?? [])].filter(([, grade]) => grade >= 1).map(([judged]) => judged)
      const gold = ids.map((judged) => {
        const { units, holders } = placed([judged])
        const own = holders ? [...holders.units] : [...units].filter((unit) => unit >= 0)
        return new Set(own.flatMap((unit) => rowsOf.get(unit) ?? []))
      })
      return { text, gold }
    })
}
