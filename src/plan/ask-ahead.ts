import type { AnsweringModel } from '../models/answers/answering.ts'
import { recordingOf } from '../models/answers/recording.ts'
import { embedTexts, givenTexts } from '../prepare/embeddings.ts'
import type { Expression } from '../retrieve/step.ts'
import type { Progress, Query } from '../types.ts'
import { foreseeAskings } from './foresee.ts'
import { type Ledger, OverBudget } from './ledger.ts'
import type { OpenExperiment } from './open.ts'
import { leftInWords } from './render-askings.ts'
import { askingsOf, walkAskings } from './walk-askings.ts'
import { requireKeys, watchModels } from './watched-models.ts'

export interface AskingOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly clock: () => number
  /** What the answers of the whole experiment take. */
  readonly ledger: Ledger
}

/**
 * Asks models everything that the trials will read, over all of an experiment's datasets, in this thread and before any
 * shard runs: one limit holds for all, what it costs is known as it goes, and shards, here or on machines without a
 * network, only replay. Answers that are kept are asked for again by nobody; they count for the budget before the first
 * call begins. Gives the datasets with their answers; what these rewrote is embedded by then too. Throws a UserError where a
 * key is missing, a recording lacks an answer, or the budget is used up; the reason of `signal` where that is aborted.
 */
export async function askAhead(
  opened: readonly OpenExperiment[],
  options: AskingOptions,
): Promise<OpenExperiment[]> {
  const asking = opened.filter((open) => askingsOf(open).asking.length > 0)
  const budget = asking[0]?.experiment.budget ?? null
  const { clock, ledger } = options
  const foresee = (open: OpenExperiment, noting?: Ledger) =>
    foreseeAskings(open, { clock, ledger: noting, preparedOnly: false })
  if (budget?.dollars !== undefined || budget?.tokens !== undefined)
    for (const open of asking) if (open.experiment.recording === null) await foresee(open, ledger)
  try {
    const answered: OpenExperiment[] = []
    for (const open of opened) answered.push(asking.includes(open) ? await askOne(open, options) : open)
    return answered
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    const left = await Promise.all(asking.map((open) => foresee(open)))
    throw new OverBudget(`${error.message}; ${leftInWords(left)}`)
  }
}

async function askOne(
  open: OpenExperiment,
  { signal, progress, clock, ledger }: AskingOptions,
): Promise<OpenExperiment> {
  const { store, experiment } = open
  const { all, asking } = askingsOf(open)
  const modelOf = ({ artifacts }: Expression<unknown>) =>
    store.open(artifacts.model) as Promise<AnsweringModel>
  const watch = watchModels({
    ...{ signal, progress, ledger },
    begin: async () => requireKeys(await Promise.all(asking.map(modelOf)), experiment.modelLocations),
  })
  const { asked, memo } = await walkAskings(open, {
    ...{ wrap: watch.watched, clock, after: watch.throwIfEnded },
  })

  /** Embeds the queries that a model rewrote, where `expression` does: here too one thread holds all limits. */
  async function embed({ key, step, inputs, params, recipe }: Expression<unknown>): Promise<void> {
    const choice = step.embeds?.(recipe, params)
    const indexes = [...(asked.get(key) ?? [])]
    if (!choice || indexes.length === 0) return
    const cells = await memo.cells(inputs[0], indexes)
    const queries = indexes.flatMap((index) => (cells[index]?.failure ? [] : [cells[index]?.value as Query]))
    const texts = givenTexts([...new Set(queries.map(({ text }) => text))].sort())
    await store.prepare(embedTexts(recipe, 'queries', texts, choice, 'query'), progress)
  }

  for (const expression of all) await embed(expression)
  return { ...open, answers: recordingOf(watch.answers.values()) }
}
