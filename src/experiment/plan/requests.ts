import { embeddedAs } from '../../corpus/dense/embeddings.ts'
import type { Written } from '../../corpus/written.ts'
import { UserError } from '../../errors.ts'
import { addTo } from '../../maps.ts'
import { type CachedModel, observe } from '../../models/completions/cached-model.ts'
import { recordingOf } from '../../models/completions/recorded.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import { createMemo, type Memo } from '../../retrieve/evaluate.ts'
import type { Expression } from '../../retrieve/step.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { Progress } from '../../types.ts'
import { keysBelow, rootsOf, stepsOf, withSeeds } from './compile.ts'
import type { OpenExperiment } from './open.ts'

type Open = Pick<OpenExperiment, 'artifacts' | 'store'>

export function modelArtifactsOf({ artifacts }: Pick<OpenExperiment, 'artifacts'>): Artifact<unknown>[] {
  return artifactsBelow(artifacts).filter(({ asks }) => asks)
}

/**
 * Makes the requests that preparing the corpus needs. `after` is called per artifact, and may throw. Throws a UserError
 * if the store holds an artifact made of other completions.
 */
export async function askArtifacts(
  open: Open,
  wrap: (model: CachedModel) => CachedModel,
  { progress, after }: { readonly progress: Progress; readonly after: () => void },
): Promise<void> {
  const { store } = open
  for (const artifact of modelArtifactsOf(open)) {
    const read = new Map<string, StoredCompletion>()
    const noting = (model: CachedModel) =>
      observe(wrap(model), { after: (completion) => void read.set(completion.key, completion) })
    await ask(store, artifact, noting, progress)
    after()
    if (!store.has(artifact)) continue
    const { completions } = (await store.open(artifact)) as Written<unknown>
    if (completions !== recordingOf(read.values()).sha256)
      throw new UserError(
        `holds what ${nameInConfig(artifact)} made of other completions than those of this run; use another store (\`--store DIR\`)`,
        store.root,
      )
  }
}

/**
 * Makes the requests that preparing still needs, to models that send none. Returns the artifacts that lack completions:
 * they may need more requests than can be counted now.
 */
export async function estimateArtifacts(
  open: Open,
  wrap: (model: CachedModel) => CachedModel,
  progress?: Progress,
): Promise<Artifact<unknown>[]> {
  const { store } = open
  const lacking: Artifact<unknown>[] = []
  for (const artifact of modelArtifactsOf(open)) {
    if (reads(artifact, lacking) || waitsForVectors(store, artifact)) lacking.push(artifact)
    else {
      let lacks = false
      const watching = (model: CachedModel) =>
        observe(wrap(model), {
          before(model, request) {
            lacks ||= model.stored(request) === undefined
            return undefined
          },
        })
      await ask(store, artifact, watching, progress)
      if (lacks) lacking.push(artifact)
    }
  }
  return lacking
}

/**
 * Cost of the stored completions behind artifacts; dollars are null without a price. Throws a UserError if a completion
 * is no longer stored.
 */
export async function costOfArtifacts(
  store: Store,
  artifacts: readonly Artifact<unknown>[],
): Promise<{ calls: number; inputTokens: number; outputTokens: number; dollars: number | null }> {
  const cost = { calls: 0, inputTokens: 0, outputTokens: 0, dollars: 0 as number | null }
  const counting = (model: CachedModel) =>
    observe(model, {
      before(model, request) {
        const stored = model.stored(request)
        if (stored) return stored
        throw new UserError(`holds a completion of \`${model.name}\` no more`, store.root)
      },
      after(completion, model) {
        const { usage } = completion.completion
        const dollars = model.cost(completion)
        cost.calls++
        cost.inputTokens += usage?.input ?? 0
        cost.outputTokens += usage?.output ?? 0
        cost.dollars = cost.dollars === null || dollars === null ? null : cost.dollars + dollars
      },
    })
  for (const artifact of artifacts) await ask(store, artifact, counting)
  return cost
}

/** True if requests depend on embeddings, which `plan` does not compute. */
function waitsForVectors(store: Store, artifact: Artifact<unknown>): boolean {
  return store.missing([artifact]).some((missing) => embeddedAs(missing) !== undefined)
}

export function without<O extends Open>(open: O, lacking: readonly Artifact<unknown>[]): O {
  return { ...open, artifacts: open.artifacts.filter((artifact) => !reads(artifact, lacking)) }
}

export function nameInConfig({ params }: Artifact<unknown>): string {
  return (params as { readonly name: string }).name
}

function reads(artifact: Artifact<unknown>, others: readonly Artifact<unknown>[]): boolean {
  const below = keysBelow([artifact])
  return others.some(({ key }) => below.has(key))
}

async function ask(
  store: Store,
  artifact: Artifact<unknown>,
  wrap: (model: CachedModel) => CachedModel,
  progress?: Progress,
): Promise<void> {
  const inputs = Object.entries(artifact.inputs)
  for (const [, input] of inputs) await store.prepare(input, progress)
  const lazy = inputs.map(([name, input]) => {
    const open = async () => {
      const content = await store.open(input)
      return name === 'model' ? wrap(content as CachedModel) : content
    }
    return [name, open] as const
  })
  await artifact.asks?.(Object.fromEntries(lazy))
}

interface WalkOptions {
  readonly wrap: (model: CachedModel) => CachedModel
  readonly clock: () => number
  readonly after?: () => void
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
  const all = stepsOf(withSeeds(trials))
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
  const above = new Set(requests.map(({ key }) => key))
  for (const { key, inputs } of all) if (inputs.some((input) => above.has(input.key))) above.add(key)

  const models = requests.map(({ artifacts }) => artifacts.model)
  const memo = createMemo(wrapModels(store, models, wrap), dataset.queries, clock)
  const positionsByKey = new Map<string, Set<number>>()

  async function ask(expression: Expression<unknown>, indexes: readonly number[]): Promise<void> {
    const { key, step, inputs, params } = expression
    const done = positionsByKey.get(key) ?? new Set()
    positionsByKey.set(key, done)
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
        addTo(chosen, arm, index)
      }
      for (const [arm, positions] of chosen) if (arms[arm]) await ask(arms[arm], positions)
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
  return { asked: positionsByKey, memo }
}
