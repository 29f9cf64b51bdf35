import { statisticsOfGraph } from '../../corpus/graph/artifacts.ts'
import { extraction } from '../../corpus/graph/extraction.ts'
import { titleStatistics } from '../../corpus/graph/statistics.ts'
import { titleLinks } from '../../corpus/graph/title-links.ts'
import type { IndexSummary } from '../../results/summary.ts'
import { artifactsBelow } from '../../store/artifact.ts'
import { artifactsOf } from './compile.ts'
import type { OpenExperiment } from './open.ts'

/** Counts of the graphs that trials read, from what the store already has. */
export async function describeGraphs({
  recipes,
  trials,
  store,
}: OpenExperiment): Promise<Pick<IndexSummary, 'name' | 'counts'>[]> {
  const described: Pick<IndexSummary, 'name' | 'counts'>[] = []
  for (const [index, recipe] of recipes.entries()) {
    const own = trials.filter((trial) => trial.recipe === index)
    const read = artifactsBelow(artifactsOf(own))
    const holds = (name: string) => read.some((artifact) => artifact.name === name && store.has(artifact))
    const counts: Record<string, number> = {}
    if (holds('graph') && store.has(extraction(recipe))) {
      const { extractors: _, ...graph } = await store.open(statisticsOfGraph(recipe))
      Object.assign(counts, graph)
    }
    if (holds('title_links')) {
      const { csr } = await store.open(titleLinks(recipe))
      Object.assign(counts, { chunks: csr.nodes, ...titleStatistics(csr) })
    }
    if (Object.keys(counts).length > 0) described.push({ name: `variant ${index + 1}`, counts })
  }
  return described
}
