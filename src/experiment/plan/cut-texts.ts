import { type CutTexts, cutTexts } from '../../corpus/cut-texts.ts'
import { embeddedAs, givenTexts } from '../../corpus/dense/embeddings.ts'
import { UserError } from '../../errors.ts'
import type { CutSummary, IndexSummary } from '../../results/summary.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { Progress, Query } from '../../types.ts'
import { artifactsOf, type CompiledTrial } from './compile.ts'
import type { OpenExperiment } from './open.ts'
import { queryVectors } from './query-vectors.ts'
import { takesEmbedder } from './texts-to-embed.ts'

/** Texts that a model reads, with the number that it truncates. */
interface CountedTexts {
  /** `chunks`, `queries`, `entities`, ... */
  readonly what: string
  readonly artifact: Artifact<CutTexts>
  readonly paired: boolean
}

type Texts = Artifact<readonly string[]>

/** Token counts of the texts that the trials' models read: chunks, graph texts and the dataset's queries. */
function countsOf(trials: readonly CompiledTrial[], queries: readonly Pick<Query, 'text'>[]): CountedTexts[] {
  const found = new Map<string, CountedTexts>()
  const asked = givenTexts(queries.map(({ text }) => text))
  const add = (what: string, texts: Texts, model: Artifact<unknown>, options: Options = {}) => {
    if (!model.reader) return
    const artifact = cutTexts(texts, model, options)
    found.set(artifact.key, { what, artifact, paired: options.beside !== undefined })
  }
  for (const artifact of readBy(trials, queries)) {
    const { name, inputs } = artifact
    const what = embeddedAs(artifact)
    if (what !== undefined) add(what, inputs.texts as Texts, ...modelOf(inputs.embedder))
    else if (name === 'cross_encoder' && queries.length > 0) {
      add('queries', asked, artifact)
      add('chunks', inputs.texts as Texts, artifact, { beside: medianQuery(queries) })
    }
  }
  return [...found.values()]
}

type Options = { readonly prefix?: string; readonly beside?: string }

/** Model behind an embedder, and the prefix it adds to each text. */
function modelOf({ inputs, params }: Artifact<unknown>): [Artifact<unknown>, Options] {
  const { prefix } = (params ?? {}) as { readonly prefix?: string }
  return [inputs.base, prefix === undefined ? {} : { prefix }]
}

/** Query of median length: a cross-encoder reads a chunk together with a query, and chunks are counted once. */
function medianQuery(queries: readonly Pick<Query, 'text'>[]): string {
  const texts = queries.map(({ text }) => text).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return texts[texts.length >> 1]
}

function readBy(trials: readonly CompiledTrial[], queries: readonly Pick<Query, 'text'>[]) {
  return artifactsBelow([...artifactsOf(trials), ...queryVectors(trials, queries)])
}

/**
 * Counts truncated texts that are not counted yet. With `before`, only texts that need no embedder, so no model is opened.
 * Returns a line for each model without an available tokenizer: stored vectors need none.
 */
export async function prepareCuts(
  { trials, dataset, store, artifacts }: OpenExperiment,
  progress?: Progress,
  before = false,
): Promise<string[]> {
  const lines = new Set<string>()
  const own = new Set(artifactsBelow(artifacts).map(({ key }) => key))
  for (const { artifact } of countsOf(trials, dataset.queries)) {
    const { texts } = artifact.inputs
    // Texts that wait for completions are not among the experiment's artifacts.
    if (texts.name !== 'texts' && !own.has(texts.key)) continue
    if (before && takesEmbedder(texts)) continue
    try {
      await store.prepare(artifact, progress)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      lines.add(`texts that a model cuts are not counted: ${error.message}`)
    }
  }
  return [...lines]
}

/** Truncated texts of the trials' models, from the counts in the store; undefined if there are none. */
export async function describeCuts(
  store: Store,
  trials: readonly CompiledTrial[],
  queries: readonly Pick<Query, 'text'>[],
): Promise<CutSummary[] | undefined> {
  const cuts: CutSummary[] = []
  for (const { what, artifact, paired } of countsOf(trials, queries)) {
    if (!store.has(artifact)) continue
    const found = await store.open(artifact)
    if (found.cut > 0) cuts.push({ what, ...(paired && { paired }), ...found })
  }
  return cuts.length > 0 ? cuts : undefined
}

/** Truncated texts by variant of an experiment. */
export async function describeCutsOf(open: OpenExperiment): Promise<Pick<IndexSummary, 'name' | 'cut'>[]> {
  const { recipes, trials, store, dataset } = open
  const described: Pick<IndexSummary, 'name' | 'cut'>[] = []
  for (const index of recipes.keys()) {
    const own = trials.filter((trial) => trial.recipe === index)
    const cut = await describeCuts(store, own, dataset.queries)
    if (cut) described.push({ name: `variant ${index + 1}`, cut })
  }
  return described
}

/** True if models of the experiment may truncate texts that are not counted yet. */
export function lacksCuts({ trials, dataset, store }: OpenExperiment): boolean {
  return countsOf(trials, dataset.queries).some(({ artifact }) => !store.has(artifact))
}
