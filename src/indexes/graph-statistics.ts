import { type GraphStatistics, graphStatistics } from '../graph/statistics.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { extraction, graph } from './graph.ts'
import type { Recipe } from './recipe.ts'

/** What the graph of `prepare.graph` is like. The number of synonym edges is `synonymy(recipe)`'s length: finding them needs embeddings. */
export function statisticsOfGraph(recipe: Recipe): Artifact<GraphStatistics> {
  return defineArtifact({
    name: 'graph_statistics',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe), extracted: extraction(recipe) },
    open: async (_folder, inputs) => graphStatistics(await inputs.graph(), (await inputs.extracted()).counts),
  })
}
