import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { chunkSpans, documentIds } from '../corpus/corpus.ts'
import { extraction, graph, statisticsOfGraph } from '../corpus/graph/extraction.ts'
import type { Graph } from '../corpus/graph/graph.ts'
import { goldReach, graphShape, type QueryGold } from '../corpus/graph/statistics.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { relevantSpans, spanId } from '../dataset/collapse.ts'
import { addTo } from '../maps.ts'
import type { GraphDescription } from '../results/graphs.ts'
import { writeWhole } from '../store/write.ts'
import type { Progress } from '../types.ts'
import { evenly } from './latency.ts'
import { artifactsOf, keysBelow } from './plan/compile.ts'
import type { OpenExperiment } from './plan/open.ts'
import { costOfArtifacts, modelArtifactsOf } from './plan/requests.ts'
import { judgedUnits } from './shard/judged-units.ts'

type Open = Pick<OpenExperiment, 'recipes' | 'store' | 'dataset'>

export interface InspectedGraph extends GraphDescription {
  /** Absent if it was prepared already. */
  readonly seconds?: number
  readonly graph: Graph
}

export async function inspectGraphs(
  open: Open,
  hops: number,
  progress?: Progress,
): Promise<InspectedGraph[]> {
  const graphs: InspectedGraph[] = []
  for (const recipe of distinctGraphs(open.recipes)) {
    const { store } = open
    const isMissing = store.missing([extraction(recipe)]).length > 0
    const begun = performance.now()
    await store.prepare(extraction(recipe), progress)
    const seconds = (performance.now() - begun) / 1000
    const opened = await store.open(graph(recipe))
    const described = await describe(open, recipe, opened, { hops, queries: Number.POSITIVE_INFINITY })
    graphs.push({ ...described, ...(isMissing && { seconds }), graph: opened })
  }
  return graphs
}

function distinctGraphs(recipes: readonly Recipe[]): Recipe[] {
  const withGraph = recipes.filter(({ graph }) => graph?.length)
  return [
    ...new Map(withGraph.toReversed().map((recipe) => [extraction(recipe).key, recipe])).values(),
  ].toReversed()
}

const REPORTED = { hops: 2, queries: 200 }

export async function writeGraphs(folder: string, open: OpenExperiment): Promise<void> {
  const read = keysBelow(artifactsOf(open.trials))
  const graphs: GraphDescription[] = []
  for (const recipe of distinctGraphs(open.recipes))
    if (read.has(extraction(recipe).key))
      graphs.push(await describe(open, recipe, await open.store.open(graph(recipe)), REPORTED))
  const file = join(folder, 'graphs.json')
  if (graphs.length === 0) rmSync(file, { force: true })
  else writeWhole(file, `${JSON.stringify(graphs)}\n`)
}

async function describe(
  open: Open,
  recipe: Recipe,
  opened: Graph,
  { hops, queries }: { readonly hops: number; readonly queries: number },
): Promise<GraphDescription> {
  const { store } = open
  const asking = modelArtifactsOf({ artifacts: [extraction(recipe)] })
  return {
    extractors: (recipe.graph ?? []).map(({ name }) => name),
    statistics: await store.open(statisticsOfGraph(recipe)),
    shape: graphShape(opened),
    reach: goldReach(opened, evenly(await goldOf(open, recipe), queries), hops),
    ...(asking.length > 0 && { cost: await costOfArtifacts(store, asking) }),
  }
}

async function goldOf({ store, dataset }: Open, recipe: Recipe): Promise<QueryGold[]> {
  const { queries, qrels, spans, judgedUnit } = dataset
  const chunks = await store.open(chunkSpans(recipe))
  const documents = judgedUnit === 'chunk' ? [] : await store.open(documentIds(recipe.documents))
  const { unitOf, placed } = judgedUnits(judgedUnit, chunks, documents)
  const rowsOf = new Map<number, number[]>()
  unitOf.forEach((unit, row) => void addTo(rowsOf, unit, row))
  return queries.flatMap(({ id, text, answerable }) => {
    if (!answerable) return []
    const ids =
      judgedUnit === 'span'
        ? relevantSpans(spans.get(id)).map(spanId)
        : [...(qrels.get(id) ?? [])].filter(([, grade]) => grade >= 1).map(([judged]) => judged)
    const gold = ids.map((judged) => {
      const { units, holders } = placed([judged])
      const goldUnits = holders ? [...holders.units] : [...units].filter((unit) => unit >= 0)
      return new Set(goldUnits.flatMap((unit) => rowsOf.get(unit) ?? []))
    })
    return [{ text, gold }]
  })
}
