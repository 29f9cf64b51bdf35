import { embeddedAs } from '../../corpus/dense/embeddings.ts'
import type { Written } from '../../corpus/written.ts'
import { UserError } from '../../errors.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import { observe } from '../../models/completions/observe.ts'
import { recordingOf } from '../../models/completions/recording.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { Progress } from '../../types.ts'
import type { OpenExperiment } from './open.ts'

type Open = Pick<OpenExperiment, 'artifacts' | 'store'>

/** In the order in which they are prepared. */
export function modelArtifactsOf({ artifacts }: Pick<OpenExperiment, 'artifacts'>): Artifact<unknown>[] {
  return artifactsBelow(artifacts).filter(({ asks }) => asks)
}

/**
 * Makes the requests that preparing the corpus needs, and prepares their inputs. `after` is called per artifact, and may
 * throw. Throws a UserError if the store holds an artifact made of other completions, as of another recording.
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
      throw new UserError({
        file: store.root,
        message: `holds what ${nameInConfig(artifact)} made of other completions than those of this run; use another store (\`--store DIR\`)`,
      })
  }
}

/**
 * Makes the requests that preparing still needs, to models that send none. Returns the artifacts that lack completions:
 * they may need more requests than can be counted now.
 */
export async function estimateArtifacts(
  open: Open,
  wrap: (model: CachedModel) => CachedModel,
  progress: Progress = () => {},
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
  progress: Progress = () => {},
): Promise<{ calls: number; inputTokens: number; outputTokens: number; dollars: number | null }> {
  const cost = { calls: 0, inputTokens: 0, outputTokens: 0, dollars: 0 as number | null }
  const counting = (model: CachedModel) =>
    observe(model, {
      before(model, request) {
        const stored = model.stored(request)
        if (stored) return stored
        throw new UserError({ file: store.root, message: `holds a completion of \`${model.name}\` no more` })
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
  for (const artifact of artifacts) await ask(store, artifact, counting, progress)
  return cost
}

/** True if requests depend on embeddings, which `plan` does not compute. */
function waitsForVectors(store: Store, artifact: Artifact<unknown>): boolean {
  return store.missing([artifact]).some((missing) => embeddedAs(missing) !== undefined)
}

/** The experiment without artifacts that lack completions. */
export function without<O extends Open>(open: O, lacking: readonly Artifact<unknown>[]): O {
  return { ...open, artifacts: open.artifacts.filter((artifact) => !reads(artifact, lacking)) }
}

export function nameInConfig({ params }: Artifact<unknown>): string {
  return (params as { readonly name: string }).name
}

function reads(artifact: Artifact<unknown>, others: readonly Artifact<unknown>[]): boolean {
  const below = new Set(artifactsBelow([artifact]).map(({ key }) => key))
  return others.some(({ key }) => below.has(key))
}

async function ask(
  store: Store,
  artifact: Artifact<unknown>,
  wrap: (model: CachedModel) => CachedModel,
  progress: Progress,
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
