import { embedTexts, givenTexts } from '../../corpus/dense/embeddings.ts'
import { collectDiagnostics, UserError } from '../../errors.ts'
import { type CachedModel, type CompletionRequest, observe } from '../../models/completions/cached-model.ts'
import { recordingOf } from '../../models/completions/recorded.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import { RefusedText } from '../../models/embedder.ts'
import { createLimiter, realClock } from '../../models/http/limiter.ts'
import { FailedRequest } from '../../models/http/server.ts'
import type { Expression } from '../../retrieve/step.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Progress, Query } from '../../types.ts'
import { countCalls, leftInWords, openTally } from './estimates/calls.ts'
import type { OpenExperiment } from './open.ts'
import { askArtifacts, modelArtifactsOf, requestsOf, walkRequests } from './requests.ts'
import { adviceAfter, type Spending } from './spending.ts'

export interface RequestOptions {
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
 * Asks models what the trials need, before any shard: one limit holds for all, and shards only replay. Stored
 * completions count for the budget first. Throws a UserError if a key is missing, a recording lacks a completion, or the
 * budget is used up; the reason of `signal` if aborted.
 */
export async function askAhead(
  opened: readonly OpenExperiment[],
  options: RequestOptions,
): Promise<OpenExperiment[]> {
  const withRequests = opened.filter(
    (open) => requestsOf(open).requests.length > 0 || modelArtifactsOf(open).length > 0,
  )
  return withinBudget(withRequests, { ...options, preparedOnly: false }, async () => {
    const completed: OpenExperiment[] = []
    for (const open of opened)
      completed.push(withRequests.includes(open) ? await askForTrials(open, options) : open)
    return completed
  })
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
  const watch = watchModels(open, models as Artifact<CachedModel>[], { signal, progress, spending })
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

interface OpenModel {
  readonly model: CachedModel
  readonly limiter: ReturnType<typeof createLimiter>
  done: number
  waiting: number
}

/** Models within one budget, and their completions. */
interface Watch {
  watched(model: CachedModel): CachedModel
  readonly completions: ReadonlyMap<string, StoredCompletion>
  keepFailures(): void
  /** Throws the error that ended the watch: a step may have reported it as a query's failure. */
  throwIfEnded(): void
}

/**
 * Lets steps ask models. No request begins after the budget is used up, the signal is aborted or a request threw; those
 * under way are stored.
 */
export function watchModels(
  open: Pick<OpenExperiment, 'store' | 'experiment'>,
  artifacts: readonly Artifact<CachedModel>[],
  { signal, progress, spending }: Omit<RequestOptions, 'clock'>,
): Watch {
  const completions = new Map<string, StoredCompletion>()
  const models = new Map<string, OpenModel>()
  let begun: Promise<void> | undefined
  let ended: { readonly reason: unknown } | undefined

  function note(model: CachedModel, completion: StoredCompletion): StoredCompletion {
    completions.set(completion.key, completion)
    spending.note(completion, model.cost(completion))
    return completion
  }

  async function endingAll<T>(task: () => T | Promise<T>): Promise<T> {
    if (ended) throw ended.reason
    try {
      return await task()
    } catch (reason) {
      ended ??= { reason }
      throw reason
    }
  }

  function openedOf(model: CachedModel): OpenModel {
    const { name, concurrency } = model
    const limiter = createLimiter({ concurrency }, realClock)
    const opened = models.get(name) ?? { model, limiter, done: 0, waiting: 0 }
    models.set(name, opened)
    return opened
  }

  async function send(model: CachedModel, request: CompletionRequest): Promise<StoredCompletion> {
    const opened = openedOf(model)
    opened.waiting++
    const leave = await opened.limiter.enter()
    try {
      return await endingAll(async () => {
        signal.throwIfAborted()
        begun ??= requireKeys(open, artifacts)
        await begun
        spending.check()
        const completion = note(model, await complete(model, request))
        progress(`asking ${model.name}`, ++opened.done, opened.done + opened.waiting - 1)
        return completion
      })
    } finally {
      opened.waiting--
      leave()
    }
  }

  /** A failed request is one query's failure, up to a limit. */
  async function complete(model: CachedModel, request: CompletionRequest): Promise<StoredCompletion> {
    try {
      const completion = await model.ask(request)
      spending.noteRequest()
      model.keepFailures()
      return completion
    } catch (error) {
      if (!(error instanceof FailedRequest)) throw error
      spending.noteRequest(error.message)
      return model.fail(request, error.reason)
    }
  }

  return {
    watched: (model) =>
      observe(model, {
        async before(model, request) {
          openedOf(model)
          const stored = await endingAll(() => model.stored(request))
          return stored && note(model, stored)
        },
        send,
      }),
    completions,
    keepFailures() {
      if (!ended) for (const { model } of models.values()) model.keepFailures()
    },
    throwIfEnded() {
      if (ended) throw ended.reason
    },
  }
}

/** Throws a UserError with every model without a key. */
async function requireKeys(
  { store, experiment }: Pick<OpenExperiment, 'store' | 'experiment'>,
  artifacts: readonly Artifact<CachedModel>[],
): Promise<void> {
  const diagnostics = collectDiagnostics()
  for (const artifact of artifacts) {
    const model = await store.open(artifact)
    const location = experiment.modelLocations[model.name]
    diagnostics.attempt(
      () => model.requireKey(),
      ({ message }) => ({ ...location, message }),
    )
  }
  diagnostics.throwIfAny()
}
