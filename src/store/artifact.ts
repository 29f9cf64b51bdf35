import type { Json, Progress, TextReader } from '../types.ts'
import { hashOf } from './hash.ts'

/**
 * A named pure computation over a corpus. Its key is the hash of name, version, params and the inputs' keys, so a change
 * of chunking rebuilds only what depends on it.
 */
export interface Artifact<T> {
  readonly name: string
  /** Raised whenever the content for the same inputs would differ. */
  readonly version: number
  readonly params: Json
  readonly inputs: Readonly<Record<string, Artifact<unknown>>>
  readonly key: string
  /** Writes the artifact's files into `folder`, which is empty and temporary. Absent if nothing is stored. */
  readonly build?: (
    folder: string,
    inputs: Record<string, () => Promise<unknown>>,
    tools: BuildTools,
  ) => Promise<void>
  /**
   * Requests all completions that `build` reads from its input `model`. Called before `build`, in the thread that
   * calls models, with prepared inputs.
   */
  readonly asks?: (inputs: Record<string, () => Promise<unknown>>) => Promise<void>
  /** Reads what `build` wrote. Opened once per process unless `copied`. */
  readonly open: (folder: string, inputs: Record<string, () => Promise<unknown>>) => Promise<T> | T
  /** True if content outside of the store is gone, so that it must be built again. */
  readonly isGone?: (folder: string) => Promise<boolean>
  /** Program that holds content outside of the store, with its version. */
  readonly holder?: (folder: string) => string | undefined
  /** Set if all readers make copies: the content does not stay in memory. */
  readonly copied?: boolean
  readonly view?: string
  /** Set for models that truncate long texts: opens only the tokenizer. Not part of the key. */
  readonly reader?: () => Promise<TextReader>
  close?(content: T): void
}

/** View of an artifact that opens less, such as some columns of a table, named `view`. */
export function viewOf<T>(
  { close: _, ...artifact }: Artifact<unknown>,
  view: string,
  open: (folder: string) => Promise<T> | T,
): Artifact<T> {
  return { ...artifact, view, open }
}

interface BuildTools {
  readonly progress: Progress
}

export type Inputs = Readonly<Record<string, Artifact<unknown>>>
/** Inputs that are opened on demand: `await inputs.chunks()`. */
export type Lazy<I extends Inputs> = { readonly [K in keyof I]: () => Promise<ContentOf<I[K]>> }
export type Opened<I extends Inputs> = { readonly [K in keyof I]: ContentOf<I[K]> }
type ContentOf<A> = A extends Artifact<infer T> ? T : never

type ArtifactDefinition<I extends Inputs, T> = Omit<
  Artifact<T>,
  'key' | 'inputs' | 'build' | 'asks' | 'open'
> & {
  readonly inputs: I
  readonly build?: (folder: string, inputs: Lazy<I>, tools: BuildTools) => Promise<void>
  readonly asks?: (inputs: Lazy<I>) => Promise<void>
  readonly open: (folder: string, inputs: Lazy<I>) => Promise<T> | T
}

export function defineArtifact<I extends Inputs, T>(definition: ArtifactDefinition<I, T>): Artifact<T> {
  const { name, version, params, inputs } = definition
  const inputKeys = Object.fromEntries(
    Object.entries(inputs).map(([input, artifact]) => [input, artifact.key]),
  )
  const key = hashOf({ name, version, params, inputs: inputKeys })
  return { ...definition, key } as Artifact<T>
}

/** Artifact without stored files, computed from its inputs whenever it is opened. */
export function derived<I extends Inputs, T>(
  name: string,
  inputs: I,
  make: (opened: Opened<I>) => Promise<T> | T,
  params: Json = null,
): Artifact<T> {
  return defineArtifact({
    name,
    version: 1,
    params,
    inputs,
    async open(_folder, lazy) {
      const opened: Record<string, unknown> = {}
      for (const [input, open] of Object.entries(lazy)) opened[input] = await open()
      return make(opened as Opened<I>)
    },
  })
}

/** Artifacts and all their inputs, each once, in order of preparation. */
export function artifactsBelow(artifacts: readonly Artifact<unknown>[]): Artifact<unknown>[] {
  const byKey = new Map<string, Artifact<unknown>>()
  const visit = (artifact: Artifact<unknown>) => {
    if (byKey.has(artifact.key)) return
    for (const input of Object.values(artifact.inputs)) visit(input)
    byKey.set(artifact.key, artifact)
  }
  for (const artifact of artifacts) visit(artifact)
  return [...byKey.values()]
}
