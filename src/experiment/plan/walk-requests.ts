import type { CachedModel } from '../../models/completions/cached-model.ts'
import { createMemo, type Memo } from '../../retrieve/evaluate.ts'
import { type Expression, expressionsOf } from '../../retrieve/step.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import { rootsOf, withSeeds } from './compile.ts'
import type { OpenExperiment } from './open.ts'

interface WalkOptions {
  readonly wrap: (model: CachedModel) => CachedModel
  readonly clock: () => number
  /** May throw. */
  readonly after?: () => void
  /** Steps that are skipped, with their readers. */
  readonly skips?: (expression: Expression<unknown>) => boolean
  /** Called if a choice depends on a missing completion. */
  readonly undecided?: (inputs: readonly Expression<unknown>[], indexes: readonly number[]) => void
}

interface RequestWalk {
  /** Queries by key of an expression that calls a model or reads one that does. */
  readonly asked: ReadonlyMap<string, ReadonlySet<number>>
  readonly memo: Memo
}

export function requestsOf({ trials }: Pick<OpenExperiment, 'trials'>) {
  const all = expressionsOf(rootsOf(withSeeds(trials)))
  return { all, requests: all.filter(({ step }) => step.asks) }
}

export function wrapModels(
  store: Store,
  models: readonly Artifact<unknown>[],
  wrap: (model: CachedModel) => CachedModel,
): Store {
  const keys = new Set(models.map(({ key }) => key))
  return {
    ...store,
    async open<T>(artifact: Artifact<T>) {
      const content = await store.open(artifact)
      return keys.has(artifact.key) ? (wrap(content as CachedModel) as T) : content
    },
  }
}

/** Runs the steps that call a model, and their inputs. Of a choice (a router's arms) only the chosen input is run. */
export async function walkRequests(
  open: OpenExperiment,
  { wrap, clock, after, skips, undecided }: WalkOptions,
): Promise<RequestWalk> {
  const { store, dataset, trials } = open
  const { all, requests } = requestsOf(open)
  // Inputs come first.
  const above = new Set(requests.map(({ key }) => key))
  for (const { key, inputs } of all) if (inputs.some((input) => above.has(input.key))) above.add(key)

  const models = requests.map(({ artifacts }) => artifacts.model)
  const memo = createMemo(wrapModels(store, models, wrap), dataset.queries, clock)
  const asked = new Map<string, Set<number>>()

  async function ask(expression: Expression<unknown>, indexes: readonly number[]): Promise<void> {
    const { key, step, inputs, params } = expression
    const done = asked.get(key) ?? new Set()
    asked.set(key, done)
    const here = indexes.filter((index) => !done.has(index))
    if (!above.has(key) || here.length === 0) return
    for (const index of here) done.add(index)
    if (step.pick) {
      const [first, ...arms] = inputs
      await ask(first, here)
      const cells = skips?.(first) ? [] : await memo.cells(first, here)
      const chosen = new Map<number, number[]>()
      for (const index of here) {
        const cell = cells[index]
        if (!cell || cell.failure) continue
        const arm = step.pick(cell.value, params)
        chosen.set(arm, [...(chosen.get(arm) ?? []), index])
      }
      for (const [arm, own] of chosen) if (arms[arm]) await ask(arms[arm], own)
      undecided?.(
        arms,
        here.filter((index) => !cells[index] || cells[index].failure),
      )
      return
    }
    for (const input of inputs) await ask(input, here)
    if (!step.asks || skips?.(expression)) return
    await memo.cells(expression, here)
    after?.()
  }

  for (const root of rootsOf(withSeeds(trials)))
    await ask(
      root,
      dataset.queries.map((_, index) => index),
    )
  return { asked, memo }
}
