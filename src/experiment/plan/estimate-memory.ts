import { embeddedAs } from '../../corpus/dense/embeddings.ts'
import type { Choice } from '../../corpus/recipe.ts'
import { allArtifactsOf, withSeeds } from './compile.ts'
import type { OpenExperiment } from './open.ts'

/** Bytes at the peak, measured on corpora of 50,000 to a million passages of 60 words (Node 20; docs/scale.md). */
const PROCESS = 150e6
/** Bytes per document and per UTF-16 unit: reading, chunking, counting terms. */
const READ = { document: 700, letter: 3 }
const SEARCH = { chunk: 700, letter: 2.5 }
/** Bytes per number of the chunks' vectors. */
const FIT_LSA = 29
const EMBED = 12
const SEARCH_DENSE = 16
/** Dimensions if the config does not say. */
const DIMS = 768

interface MemoryEstimate {
  readonly prepare: number
  readonly run: number
  /** Part of `prepare` in Node's heap. */
  readonly heap: number
  readonly advice: readonly string[]
}

/** Estimates memory from the corpus: right within a factor of two, without graphs. */
export function estimateMemory(open: OpenExperiment, workers: number): MemoryEstimate {
  const { documents, letters } = open.dataset
  const read = documents * READ.document + letters * READ.letter
  let [fit, dense] = [0, 0]
  const advice = new Set<string>()
  for (const [index, recipe] of open.recipes.entries()) {
    const recipeTrials = withSeeds(open.trials).filter((trial) => trial.recipe === index)
    const below = allArtifactsOf(recipeTrials)
    if (!below.some((artifact) => embeddedAs(artifact) === 'chunks')) continue
    const numbers = documents * dimsOf(recipe.embedder, documents)
    const lsa = recipe.embedder.name === 'lsa'
    // Recipes are prepared one by one, and all stay in memory in the run.
    fit = Math.max(fit, numbers * (lsa ? FIT_LSA : EMBED))
    dense += numbers * SEARCH_DENSE
    if (lsa) advice.add('prepare.embedder: {lsa: {dims: 100}}')
  }
  const each = documents * SEARCH.chunk + letters * SEARCH.letter + dense
  if (workers > 1) advice.add('--workers 1')
  return { prepare: PROCESS + read + fit, run: PROCESS + workers * each, heap: read, advice: [...advice] }
}

function dimsOf({ name, params }: Choice, documents: number): number {
  const dims = typeof params.dims === 'number' ? params.dims : DIMS
  return name === 'lsa' ? Math.min(dims, Math.ceil(documents / 3)) : dims
}

/** Bytes of the machine, and the limit of Node's heap. */
export interface Room {
  readonly total: number
  readonly free: number
  readonly heap: number
}

export function memoryInWords({ prepare, run }: MemoryEstimate): string {
  return `peak memory: about ${gigabytes(prepare)} to prepare, ${gigabytes(run)} to run`
}

/** Reason to refuse: even half of the estimate is more than the machine has. */
export function memoryRefusal(estimate: MemoryEstimate, { total }: Room): string | undefined {
  const { prepare, run, advice } = estimate
  if (Math.max(prepare, run) <= 2 * total) return undefined
  const less = advice.length > 0 ? `; less with ${advice.join(' or ')}` : ''
  return `${memoryInWords(estimate)}, and this machine has less than half of that (${gigabytes(total)})${less}`
}

export function memoryWarnings(estimate: MemoryEstimate, room: Room): string[] {
  const { prepare, run, heap, advice } = estimate
  const warnings: string[] = []
  if (Math.max(prepare, run) > room.free) {
    const less = advice.length > 0 ? `; less with ${advice.join(' or ')}` : ''
    warnings.push(`${memoryInWords(estimate)}, but only ${gigabytes(room.free)} are free${less}`)
  }
  if (heap > room.heap) {
    const megabytes = Math.ceil((1.5 * heap) / 2 ** 20)
    warnings.push(
      `Node's heap is limited to ${gigabytes(room.heap)}, but preparing needs about ${gigabytes(heap)}: set NODE_OPTIONS=--max-old-space-size=${megabytes}`,
    )
  }
  return warnings
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}
