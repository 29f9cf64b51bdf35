import { type Mistake, UserError } from '../errors.ts'
import { type AnsweringModel, type Asking, askInTurn } from '../models/answers/answering.ts'
import type { Answered } from '../models/answers/question.ts'
import { recordingOf } from '../models/answers/recording.ts'
import { embedTexts, givenTexts } from '../prepare/embeddings.ts'
import { type Cell, createMemo } from '../retrieve/evaluate.ts'
import { type Expression, expressionsOf } from '../retrieve/step.ts'
import type { Progress, Query } from '../types.ts'
import { rootsOf } from './compile.ts'
import type { OpenExperiment } from './open.ts'

export interface AskingOptions {
  readonly signal: AbortSignal
  readonly progress: Progress
  readonly clock: () => number
}

/**
 * Asks models everything that the trials will read, in this thread and before any shard runs: one limit holds for all,
 * what it costs is known as it goes, and shards, here or on machines without a network, only replay. Answers that are kept
 * are asked for again by nobody; of a choice between inputs (a router's arms) only the chosen one is asked. Gives the
 * experiment with its answers; what they rewrote is embedded by then too. Throws a UserError where a key is missing, a recording lacks an answer, or the budget is
 * used up; the reason of `signal` where that is aborted.
 */
export async function askAhead(open: OpenExperiment, options: AskingOptions): Promise<OpenExperiment> {
  const { store, dataset, experiment } = open
  const roots = rootsOf([...open.trials, ...open.repeats])
  const all = expressionsOf(roots)
  const asking = new Set(all.filter(({ step }) => step.asks).map(({ key }) => key))
  if (asking.size === 0) return open
  // Inputs come first in the list.
  const above = new Set<string>()
  for (const { key, inputs } of all)
    if (asking.has(key) || inputs.some((input) => above.has(input.key))) above.add(key)

  const memo = createMemo(store, dataset.queries, options.clock)
  const asked = new Map<string, Set<number>>()
  const answers: Answered[] = []
  const purse = { spent: 0, dollars: experiment.budget?.dollars ?? Number.POSITIVE_INFINITY }
  let keys = false

  const modelOf = async ({ artifacts }: Expression<unknown>) =>
    (await store.open(artifacts.model)) as AnsweringModel

  async function askingsOf({ step, params, inputs }: Expression<unknown>, indexes: readonly number[]) {
    const columns: (readonly (Cell | undefined)[])[] = []
    for (const input of inputs) columns.push(await memo.cells(input, indexes))
    return indexes.flatMap((index) => {
      const cells = columns.map((column) => column[index])
      // What it would be asked about has failed: there is nothing to ask.
      if (cells.some((cell) => cell?.failure)) return []
      return [step.asks?.(cells.map((cell) => cell?.value) as never, params) as Asking]
    })
  }

  /** Asks what `expression` reads for the queries at `indexes`, and it itself. */
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
    const model = await modelOf(expression)
    const askings = await askingsOf(expression, here)
    if (!keys && askings.some((one) => !model.kept(one))) await requireKeys()
    answers.push(...(await askAll(model, askings, purse, options)))
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

  /** The keys of all models that may yet be asked, before the first is. */
  async function requireKeys(): Promise<void> {
    keys = true
    const mistakes = new Map<string, Mistake>()
    for (const expression of all.filter(({ key }) => asking.has(key))) {
      const model = await modelOf(expression)
      try {
        model.requireKey()
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        const location = experiment.modelLocations[model.name]
        for (const { message } of error.mistakes) mistakes.set(model.name, { ...location, message })
      }
    }
    if (mistakes.size > 0) throw new UserError([...mistakes.values()])
  }

  for (const root of roots)
    await ask(
      root,
      dataset.queries.map((_, index) => index),
    )
  for (const expression of all) await embed(expression)
  return { ...open, answers: recordingOf(answers) }
}

/** What all answers of the experiment have cost so far, whoever paid for them, and what they may. */
interface Purse {
  spent: number
  readonly dollars: number
}

/** All answers to the askings: kept ones, then as many at once as the model's server takes. */
async function askAll(
  model: AnsweringModel,
  askings: readonly Asking[],
  purse: Purse,
  { signal, progress }: AskingOptions,
): Promise<Answered[]> {
  const answers: Answered[] = []
  const take = (asked: Awaited<ReturnType<typeof askInTurn>>) => {
    for (const { model: by, answered } of asked) {
      answers.push(answered)
      purse.spent += by.cost(answered) ?? 0
    }
  }
  const missing: Asking[] = []
  for (const asking of askings) {
    const known = model.kept(asking)
    // A refusal has a fallback's answer behind it, which may be missing still.
    if (known && (known.answer.finish !== 'refusal' || !model.fallback)) take([{ model, answered: known }])
    else missing.push(asking)
  }
  let next = 0
  let done = 0
  const lane = async () => {
    try {
      while (next < missing.length) {
        signal.throwIfAborted()
        if (purse.spent >= purse.dollars) throw usedUp(purse, model.name, missing.length - next)
        take(await askInTurn(model, missing[next++]))
        progress(`asking ${model.name}`, ++done, missing.length)
      }
    } catch (error) {
      next = missing.length
      throw error
    }
  }
  const lanes = Array.from({ length: Math.min(model.concurrency, missing.length) }, lane)
  // What is under way is paid for: it is waited for and kept, whatever else fails.
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason
  return answers
}

function usedUp({ spent, dollars }: Purse, name: string, left: number): UserError {
  const money = (amount: number) => `$${amount.toFixed(amount < 1 ? 4 : 2)}`
  return new UserError(
    `the budget of ${money(dollars)} is used up (${money(spent)}): ${left} answers of \`${name}\` are left undone. What was answered is kept; with a higher \`budget.dollars\` the same command goes on`,
  )
}
