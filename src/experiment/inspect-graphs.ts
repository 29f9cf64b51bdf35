import { performance } from 'node:perf_hooks'
import { chunkSpans, documentIds } from '../corpus/corpus.ts'
import { graph, statisticsOfGraph } from '../corpus/graph/artifacts.ts'
import { extraction } from '../corpus/graph/extraction.ts'
import type { Graph } from '../corpus/graph/graph.ts'
import { entitiesIn, pictureOf } from '../corpus/graph/picture.ts'
import { findNamed, goldReach, graphShape, type QueryGold } from '../corpus/graph/shape.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { relevantSpans, spanId } from '../dataset/collapse.ts'
import type { GraphDescription, GraphPart } from '../results/graphs.ts'
import { artifactsBelow } from '../store/artifact.ts'
import type { Progress } from '../types.ts'
import { costOfArtifacts, modelArtifactsOf } from './plan/ask-artifacts.ts'
import { artifactsOf } from './plan/compile.ts'
import type { OpenExperiment } from './plan/open.ts'
import { judgedUnits } from './shard/judged-units.ts'

type Open = Pick<OpenExperiment, 'recipes' | 'store' | 'dataset'>

/** Graph of one variant of `prepare`. */
export interface InspectedGraph extends GraphDescription {
  /** Seconds that building took; absent if it was prepared already. */
  readonly seconds?: number
  readonly graph: Graph
}

/** Prepares and describes each distinct graph of an experiment over one dataset. */
export async function inspectGraphs(
  open: Open,
  hops: number,
  progress?: Progress,
): Promise<InspectedGraph[]> {
  const found: InspectedGraph[] = []
  for (const recipe of distinctGraphs(open.recipes)) {
    const { store } = open
    const isMissing = store.missing([extraction(recipe)]).length > 0
    const begun = performance.now()
    await store.prepare(extraction(recipe), progress)
    const seconds = (performance.now() - begun) / 1000
    const opened = await store.open(graph(recipe))
    const described = await describe(open, recipe, opened, { hops, queries: Number.POSITIVE_INFINITY })
    found.push({ ...described, ...(isMissing && { seconds }), graph: opened, pictures: [] })
  }
  return found
}

/** Recipes with a graph, one for each distinct extraction. */
function distinctGraphs(recipes: readonly Recipe[]): Recipe[] {
  const own = recipes.filter(({ graph }) => graph?.length)
  return [
    ...new Map(own.toReversed().map((recipe) => [extraction(recipe).key, recipe])).values(),
  ].toReversed()
}

/** Names along the paths that a trial walked, by query row. */
export interface Walked {
  readonly trial: string
  readonly recipe: Recipe
  readonly byQuery: readonly (readonly (readonly string[])[])[]
}

/** Hops, and the number of queries over which reach is measured, of a report. */
const REPORTED = { hops: 2, queries: 200 }
/** Pictures of a report: of queries that name entities, with the first paths of each trial, and of the entities with most neighbours. */
const PICTURED = { queries: 20, entities: 5, nodes: 32, paths: 6 }

/** Describes the graphs that trials read, with pictures; `walked` are the trials that say where they went. */
export async function describeGraphs(
  open: Open & Pick<OpenExperiment, 'trials'>,
  walked: readonly Walked[],
): Promise<GraphDescription[]> {
  const read = new Set(artifactsBelow(artifactsOf(open.trials)).map(({ key }) => key))
  const found: GraphDescription[] = []
  for (const recipe of distinctGraphs(open.recipes)) {
    const { key } = extraction(recipe)
    if (!read.has(key)) continue
    const opened = await open.store.open(graph(recipe))
    const own = walked.filter(({ recipe }) => recipe.graph?.length && extraction(recipe).key === key)
    const queries = await goldOf(open, recipe)
    const described = await describe(open, recipe, opened, REPORTED)
    found.push({
      ...described,
      pictures: [
        ...picturesOfQueries(opened, queries, own),
        ...described.shape.largest
          .slice(0, PICTURED.entities)
          .filter(({ neighbors }) => neighbors > 0)
          .map(({ name }) => neighborhoodOf(opened, opened.entities.names.indexOf(name))),
      ],
    })
  }
  return found
}

/** An entity with its neighbours, those with most neighbours first. */
function neighborhoodOf(graph: Graph, row: number): GraphPart {
  const picture = pictureOf(graph, { starts: [row], goals: [], paths: [] }, PICTURED.nodes)
  return { title: graph.entities.names[row], ...picture, paths: [] }
}

interface GoldQuery extends QueryGold {
  /** Row of the query in the dataset. */
  readonly row: number
}

function picturesOfQueries(
  graph: Graph,
  queries: readonly GoldQuery[],
  walked: readonly Walked[],
): GraphPart[] {
  const named = findNamed(graph)
  const rowOf = new Map(graph.entities.names.map((name, row) => [name, row]))
  const rowsOf = (path: readonly string[]) => path.flatMap((name) => rowOf.get(name) ?? [])
  const linked = queries.flatMap((query) => {
    const paths = walked
      .map(({ trial, byQuery }) => ({ trial, names: (byQuery[query.row] ?? []).slice(0, PICTURED.paths) }))
      .filter(({ names }) => names.length > 0)
    const starts = named(query.text)
    return starts.length + paths.length > 0 ? [{ ...query, starts, paths }] : []
  })
  return evenly(linked, PICTURED.queries).map(({ row, text, gold, starts, paths }) => {
    const walks = paths.flatMap(({ names }) => names.map(rowsOf))
    const goals = gold.map((chunks) => entitiesIn(chunks, graph))
    const about = starts.length > 0 ? starts : [...new Set(walks.flatMap((walk) => walk.slice(0, 1)))]
    const picture = pictureOf(graph, { starts: about, goals, paths: walks }, PICTURED.nodes)
    return { query: row, title: text, ...picture, paths }
  })
}

/** At most `most` items, evenly spread. */
function evenly<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, items.length / most)
  return Array.from({ length: Math.min(most, items.length) }, (_, i) => items[Math.floor(i * step)])
}

async function describe(
  open: Open,
  recipe: Recipe,
  opened: Graph,
  { hops, queries }: { readonly hops: number; readonly queries: number },
): Promise<Omit<GraphDescription, 'pictures'>> {
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

async function goldOf({ store, dataset }: Open, recipe: Recipe): Promise<GoldQuery[]> {
  const { queries, qrels, spans, judgedUnit } = dataset
  const chunks = await store.open(chunkSpans(recipe))
  const documents = judgedUnit === 'chunk' ? [] : await store.open(documentIds(recipe.documents))
  const { unitOf, placed } = judgedUnits(judgedUnit, chunks, documents)
  const rowsOf = new Map<number, number[]>()
  unitOf.forEach((unit, row) => {
    const known = rowsOf.get(unit)
    if (known) known.push(row)
    else rowsOf.set(unit, [row])
  })
  return queries.flatMap(({ id, text, answerable }, row) => {
    if (!answerable) return []
    const ids =
      judgedUnit === 'span'
        ? relevantSpans(spans.get(id)).map(spanId)
        : [...(qrels.get(id) ?? [])].filter(([, grade]) => grade >= 1).map(([judged]) => judged)
    const gold = ids.map((judged) => {
      const { units, holders } = placed([judged])
      const own = holders ? [...holders.units] : [...units].filter((unit) => unit >= 0)
      return new Set(own.flatMap((unit) => rowsOf.get(unit) ?? []))
    })
    return [{ row, text, gold }]
  })
}
