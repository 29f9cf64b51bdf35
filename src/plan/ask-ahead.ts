import type { AnsweringModel } from '../models/answers/answering.ts'
import { recordingOf } from '../models/answers/recording.ts'
import { embedTexts, givenTexts } from '../prepare/embeddings.ts'
import { createMemo } from '../retrieve/evaluate.ts'
import { type Expression, expressionsOf } from '../retrieve/step.ts'
import type { Store } from '../store/store.ts'
import type { Progress, Query } from '../types.ts'
import { rootsOf } from './compile.ts'
import type { OpenExperiment } from './open.ts'
import { requireKeys, watchModels } from './watched-models.ts'

export interface AskingOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly clock: () => number
}

/**
 * Asks models everything that the trials will read, in this thread and before any shard runs: one limit holds for all,
 * what it costs is known as it goes, and shards, here or on machines without a network, only replay. The steps that ask
 * are run for that, with what they read; answers that are kept are asked for again by nobody; of a choice between inputs (a
 * router's arms) only the chosen one is asked. Gives the experiment with its answers; what they rewrote is embedded by
 * then too. Throws a UserError where a key is missing, a recording lacks an answer, or the budget is used up; the reason
 * of `signal` where that is aborted.
 */
export async function askAhead(open: OpenExperiment, options: AskingOptions): Promise<OpenExperiment> {
  const { store, dataset, experiment } = open
  const roots = rootsOf([...open.trials, ...open.repeats])
  const all = expressionsOf(roots)
  const asking = all.filter(({ step }) => step.asks)
  if (asking.length === 0) return open
  // Inputs come first in the list.
  const above = new Set(asking.map(({ key }) => key))
  for (const { key, inputs } of all) if (inputs.some((input) => above.has(input.key))) above.add(key)

  const modelOf = ({ artifacts }: Expression<unknown>) =>
    store.open(artifacts.model) as Promise<AnsweringModel>
  const watch = watchModels({
    ...options,
    dollars: experiment.budget?.dollars ?? Number.POSITIVE_INFINITY,
    begin: async () => requireKeys(await Promise.all(asking.map(modelOf)), experiment.modelLocations),
  })
  const models = new Set(asking.map(({ artifacts }) => artifacts.model.key))
  const watching: Store = {
    ...store,
    async open<T>(artifact: Parameters<typeof store.open<T>>[0]) {
      const content = await store.open(artifact)
      return models.has(artifact.key) ? (watch.watched(content as AnsweringModel) as T) : content
    },
  }
  const memo = createMemo(watching, dataset.queries, options.clock)
  const asked = new Map<string, Set<number>>()

  /** Has `expression`, and what it reads, ask for the queries at `indexes`. */
  async function ask(expression: Expression<unknown>, indexes: readonly number[]): Promise<void> {
    const { key, step, inputs, params } = expression
    const done = asked.get(key) ?? new Set()
    asked.set(key, done)
    const here = indexes.filter((index) => !done.has(index))
    if (!above.has(key) || here.length === 0) return
    for (const index of here) done.add(index)
    if (step.pick) {
      await ask(inputs[0], here)
      const first = await memo.cells(inputs[0], here)
      const arms = new Map<number, number[]>()
      for (const index of here) {
        const cell = first[index]
        if (!cell || cell.failure) continue
        const arm = step.pick(cell.value, params)
        arms.set(arm, [...(arms.get(arm) ?? []), index])
      }
      for (const [arm, chosen] of arms) if (inputs[arm + 1]) await ask(inputs[arm + 1], chosen)
      return
    }
    for (const input of inputs) await ask(input, here)
    if (!step.asks) return
    await memo.cells(expression, here)
    watch.throwIfEnded()
  }

  /** Embeds the queries that a model rewrote, where `expression` does: here too one thread holds all limits. */
  async function embed({ key, step, inputs, params, recipe }: Expression<unknown>): Promise<void> {
    const choice = step.embeds?.(recipe, params)
    const indexes = [...(asked.get(key) ?? [])]
    if (!choice || indexes.length === 0) return
    const cells = await memo.cells(inputs[0], indexes)
    const queries = indexes.flatMap((index) => (cells[index]?.failure ? [] : [cells[index]?.value as Query]))
    const texts = givenTexts([...new Set(queries.map(({ text }) => text))].sort())
    await store.prepare(embedTexts(recipe, 'queries', texts, choice, 'query'), options.progress)
  }

  for (const root of roots)
    await ask(
      root,
      dataset.queries.map((_, index) => index),
    )
  for (const expression of all) await embed(expression)
  return { ...open, answers: recordingOf(watch.answers.values()) }
}
