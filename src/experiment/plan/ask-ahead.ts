import { embedTexts, givenTexts } from '../../corpus/dense/embeddings.ts'
import { UserError } from '../../errors.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import { recordingOf } from '../../models/completions/recording.ts'
import { RefusedText } from '../../models/embedder.ts'
import type { Expression } from '../../retrieve/step.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Progress, Query } from '../../types.ts'
import { askArtifacts, modelArtifactsOf } from './ask-artifacts.ts'
import { countCalls, leftInWords, openTally } from './estimates/calls.ts'
import type { OpenExperiment } from './open.ts'
import { adviceAfter, type Spending } from './spending.ts'
import { requestsOf, walkRequests } from './walk-requests.ts'
import { type Watch, watchAll } from './watched-models.ts'

interface RequestOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly clock: () => number
  readonly spending: Spending
}

/** Asks models what preparing the corpora needs, as extractions. Throws as `askAhead` does. */
export async function askAboutCorpora(
  opened: readonly OpenExperiment[],
  options: RequestOptions,
): Promise<void> {
  const withRequests = opened.filter((open) => modelArtifactsOf(open).length > 0)
  await withinBudget(withRequests, { ...options, preparedOnly: true }, async () => {
    for (const open of withRequests) await askOne(open, options)
  })
}

/**
 * Asks models what the trials need, in this thread and before any shard: one limit holds for all, and shards only
 * replay. Stored completions count for the budget before the first call. Rewritten queries are embedded too. Throws a
 * UserError if a key is missing, a recording lacks a completion, or the budget is used up; the reason of `signal` if
 * aborted.
 */
export async function askAhead(
  opened: readonly OpenExperiment[],
  options: RequestOptions,
): Promise<OpenExperiment[]> {
  const withRequests = opened.filter((open) => asksModels(open))
  return withinBudget(withRequests, { ...options, preparedOnly: false }, async () => {
    const completed: OpenExperiment[] = []
    for (const open of opened)
      completed.push(withRequests.includes(open) ? await askForTrials(open, options) : open)
    return completed
  })
}

function asksModels(open: OpenExperiment): boolean {
  return requestsOf(open).requests.length > 0 || modelArtifactsOf(open).length > 0
}

/** Counts stored completions first; if the budget is used up, names what is left. */
async function withinBudget<T>(
  withRequests: readonly OpenExperiment[],
  { clock, spending, preparedOnly }: RequestOptions & { readonly preparedOnly: boolean },
  run: () => Promise<T>,
): Promise<T> {
  const budget = withRequests[0]?.experiment.budget ?? null
  const estimate = async (open: OpenExperiment, noting?: Spending) => {
    const tally = openTally(noting)
    const later = await countCalls(open, tally, { clock, preparedOnly })
    return { calls: tally.rows(), later }
  }
  if (budget?.dollars !== undefined || budget?.tokens !== undefined)
    for (const open of withRequests) await estimate(open, spending)
  try {
    return await run()
  } catch (error) {
    const advice = adviceAfter(error)
    const left = await Promise.all(withRequests.map((open) => estimate(open)))
    throw new UserError(`${(error as Error).message}; left undone: ${leftInWords(left)}. ${advice}`)
  }
}

async function askOne(open: OpenExperiment, { signal, progress, spending }: RequestOptions): Promise<Watch> {
  const models = [
    ...requestsOf(open).requests.map(({ artifacts }) => artifacts.model),
    ...modelArtifactsOf(open).map(({ inputs }) => inputs.model),
  ]
  const watch = watchAll(open, models as Artifact<CachedModel>[], { signal, progress, spending })
  const after = () => {
    watch.throwIfEnded()
    watch.keepFailures()
  }
  await askArtifacts(open, watch.watched, { progress, after })
  return watch
}

async function askForTrials(open: OpenExperiment, options: RequestOptions): Promise<OpenExperiment> {
  const { store } = open
  const { clock, progress } = options
  const watch = await askOne(open, options)
  const { asked, memo } = await walkRequests(open, { wrap: watch.watched, clock, after: watch.throwIfEnded })
  watch.keepFailures()

  /** Embeds queries that a model rewrote. */
  async function embed({ key, step, inputs, params, recipe }: Expression<unknown>): Promise<void> {
    const choice = step.embeds?.(recipe, params)
    const indexes = [...(asked.get(key) ?? [])]
    if (!choice || indexes.length === 0) return
    const cells = await memo.cells(inputs[0], indexes)
    const queries = indexes.flatMap((index) => (cells[index]?.failure ? [] : [cells[index]?.value as Query]))
    const distinct = [...new Set(queries.map(({ text }) => text))].sort()
    const texts = givenTexts(distinct)
    await store
      .prepare(embedTexts(recipe, 'queries', texts, choice, 'query'), progress)
      .catch((error: unknown) => {
        if (!(error instanceof RefusedText)) throw error
        const { position, text, reason } = error
        const index = indexes.find((index) => (cells[index]?.value as Query)?.text === distinct[position])
        throw new RefusedText(
          position,
          text,
          reason,
          index === undefined ? undefined : `query ${open.dataset.queries[index].id}`,
        )
      })
  }

  for (const expression of requestsOf(open).all) await embed(expression)
  return { ...open, answers: recordingOf(watch.completions.values()) }
}
