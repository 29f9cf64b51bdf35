import { embeddedAs } from '../../corpus/dense/embeddings.ts'
import type { FromModel } from '../../corpus/model-artifact.ts'
import { UserError } from '../../errors.ts'
import type { CachedModel } from '../../models/completions/cached-model.ts'
import { recordingOf } from '../../models/completions/recording.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { Progress } from '../../types.ts'
import type { Forecast } from './forecast.ts'
import type { OpenExperiment } from './open.ts'

type Open = Pick<OpenExperiment, 'artifacts' | 'store'>

/** What of a corpus language models say, in the order in which it is prepared. */
export function askingArtifacts({ artifacts }: Pick<OpenExperiment, 'artifacts'>): Artifact<unknown>[] {
  return artifactsBelow(artifacts).filter(({ asks }) => asks)
}

/**
 * Asks models all that preparing the corpus will read of their answers; what that takes is prepared, and nothing else.
 * `after` is called when an artifact has asked, and may throw. Throws a UserError where the store holds an artifact that
 * was made of other answers, as of another recording.
 */
export async function askArtifacts(
  open: Open,
  wrap: (model: CachedModel) => CachedModel,
  { progress, after }: { readonly progress: Progress; readonly after: () => void },
): Promise<void> {
  const { store } = open
  for (const artifact of askingArtifacts(open)) {
    const heard = new Map<string, StoredCompletion>()
    await ask(store, artifact, (model) => noting(wrap(model), heard), progress)
    after()
    if (!store.has(artifact)) continue
    const { completions: answers } = (await store.open(artifact)) as FromModel<unknown>
    if (answers !== recordingOf(heard.values()).sha256)
      throw new UserError({
        file: store.root,
        message: `holds what ${asker(artifact)} made of other answers than those of this run; take another store (\`--store DIR\`)`,
      })
  }
}

/**
 * What preparing would still ask, without asking it: goes to `forecast`. Gives the artifacts that lack answers, of
 * which more may be asked than can be told now.
 */
export async function estimateArtifacts(
  open: Open,
  { wrap }: Forecast,
  progress: Progress = () => {},
): Promise<Artifact<unknown>[]> {
  const { store } = open
  const lacking: Artifact<unknown>[] = []
  for (const artifact of askingArtifacts(open)) {
    if (reads(artifact, lacking) || waitsForVectors(store, artifact)) lacking.push(artifact)
    else {
      let asked = false
      const watching = (model: CachedModel): CachedModel => ({
        ...wrap(model),
        ask: (asking) => {
          asked ||= model.stored(asking) === undefined
          return wrap(model).ask(asking)
        },
      })
      await ask(store, artifact, watching, progress)
      if (asked) lacking.push(artifact)
    }
  }
  return lacking
}

/** Whether what an artifact asks is only known when texts are embedded, which a plan does not. */
export function waitsForVectors(store: Store, artifact: Artifact<unknown>): boolean {
  return store.missing([artifact]).some((missing) => embeddedAs(missing) !== undefined)
}

/** An experiment without the artifacts that cannot be prepared, since they read what models did not say yet. */
export function without<O extends Open>(open: O, lacking: readonly Artifact<unknown>[]): O {
  return { ...open, artifacts: open.artifacts.filter((artifact) => !reads(artifact, lacking)) }
}

/** What has a model asked for an artifact, by its name in the config. */
export function asker({ params }: Artifact<unknown>): string {
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

/** The model, its answers noted in `heard`. */
function noting(model: CachedModel, heard: Map<string, StoredCompletion>): CachedModel {
  return {
    ...model,
    fallback: model.fallback && noting(model.fallback, heard),
    async ask(asking) {
      const answered = await model.ask(asking)
      heard.set(answered.key, answered)
      return answered
    },
  }
}
