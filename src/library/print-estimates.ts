import { availableParallelism, freemem, totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { extraction, statisticsOfGraph } from '../corpus/graph/extraction.ts'
import { titleStatistics } from '../corpus/graph/statistics.ts'
import { titleLinks } from '../corpus/graph/titles.ts'
import { UserError } from '../errors.ts'
import { allArtifactsOf } from '../experiment/plan/compile.ts'
import {
  estimateMemory,
  memoryInWords,
  memoryRefusal,
  memoryWarnings,
  type Room,
} from '../experiment/plan/estimate-memory.ts'
import type { OpenExperiment } from '../experiment/plan/open.ts'
import { unreadLines } from '../experiment/plan/unread.ts'
import { thinGraphs } from '../report/findings/trials.ts'
import type { IndexSummary } from '../results/summary.ts'
import type { OpenConfigDataset } from './open-config.ts'

/** Estimated needs of a run, and warnings; each names its dataset if there are several. */
export async function printEstimates(opened: readonly OpenConfigDataset[], workers = availableParallelism()) {
  const needs: string[] = []
  const warnings: string[] = []
  const room = roomHere()
  for (const { dataset, open } of opened) {
    const over = opened.length > 1 ? `${dataset}: ` : ''
    const estimate = estimateMemory(open, workers)
    needs.push(over + memoryInWords(estimate))
    const lacks = [...memoryWarnings(estimate, room), ...(await dataLines(open))]
    warnings.push(...lacks.map((line) => `warning: ${over}${line}`))
  }
  return { needs, warnings }
}

export function requireMemory(opened: readonly OpenConfigDataset[], workers = availableParallelism()): void {
  const room = roomHere()
  const diagnostics = opened.flatMap(({ dataset, open }) => {
    const refusal = memoryRefusal(estimateMemory(open, workers), room)
    const over = opened.length > 1 ? `${dataset}: ` : ''
    return refusal ? [{ file: open.experiment.file, message: `${over}${refusal}` }] : []
  })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
}

/** Memory limit of the container, if there is one (Node reports 0 or more than the machine's memory without a limit). */
function roomHere(): Room {
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY
  return {
    total: Math.min(limit, totalmem()),
    free: process.availableMemory?.() ?? freemem(),
    heap: getHeapStatistics().heap_size_limit,
  }
}

/** Lines on thin graphs and texts without effect, from what is stored already. */
export async function dataLines(open: OpenExperiment): Promise<string[]> {
  const thin = thinGraphs(await describeGraphs(open)).map(({ text }) => text)
  return [...thin, ...(await unreadLines(open))]
}

async function describeGraphs({
  recipes,
  trials,
  store,
}: OpenExperiment): Promise<Pick<IndexSummary, 'name' | 'counts'>[]> {
  const described: Pick<IndexSummary, 'name' | 'counts'>[] = []
  for (const [index, recipe] of recipes.entries()) {
    const recipeTrials = trials.filter((trial) => trial.recipe === index)
    const read = allArtifactsOf(recipeTrials)
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
