import type { Json, Progress, TextReader } from '../types.ts'
import { hashOf } from './hash.ts'

/**
 * An artifact is to the corpus what a step is to a query: a named pure computation with a key. Tables, fitted
 * embedders and indexes are artifacts. Its key is the hash of its name, its version, its params and its inputs' keys;
 * so a change of chunking rebuilds what depends on it and nothing else. An artifact is a value: making one costs
 * nothing, `store.prepare` builds it, `store.open` reads it.
 */
export interface Artifact<T> {
  readonly name: string
  /** Raised whenever the content for the same inputs would differ. */
  readonly version: number
  readonly params: Json
  readonly inputs: Readonly<Record<string, Artifact<unknown>>>
  readonly key: string
  /** Writes the artifact's files into `folder` (empty, temporary). Absent where nothing needs to be kept. */
  readonly build?: (
    folder: string,
    inputs: Record<string, () => Promise<unknown>>,
    tools: BuildTools,
  ) => Promise<void>
  /**
   * Asks the language model that is its input `model` all that `build` will read of its answers: called before, in the
   * thread that asks, with inputs that are prepared. What opens says by which answers it was made.
   */
  readonly asks?: (inputs: Record<string, () => Promise<unknown>>) => Promise<void>
  /** Reads what `build` wrote. Opened once a process, where it is not `copied`. */
  readonly open: (folder: string, inputs: Record<string, () => Promise<unknown>>) => Promise<T> | T
  /** Its only readers make copies of their own: it is opened for each of them and not kept in memory. */
  readonly copied?: boolean
  /** Set where this opens less of the folder than the artifact itself (`viewOf`). */
  readonly view?: string
  /** On models that cut long texts: opens the tokenizer alone. Part of no key. */
  readonly reader?: () => Promise<TextReader>
  /** Ends what opening began, where that goes on by itself, as a process does. */
  close?(content: T): void
}

/** The same artifact, of which less is opened: as columns of a table. `view` names what, as `tokens`. */
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
/** Inputs are opened on demand: `await inputs.chunks()`. */
export type Lazy<I extends Inputs> = { readonly [K in keyof I]: () => Promise<ContentOf<I[K]>> }
export type Opened<I extends Inputs> = { readonly [K in keyof I]: ContentOf<I[K]> }
type ContentOf<A> = A extends Artifact<infer T> ? T : never

interface ArtifactDefinition<I extends Inputs, T> {
  readonly name: string
  readonly version: number
  readonly params: Json
  readonly inputs: I
  readonly build?: (folder: string, inputs: Lazy<I>, tools: BuildTools) => Promise<void>
  readonly asks?: (inputs: Lazy<I>) => Promise<void>
  readonly open: (folder: string, inputs: Lazy<I>) => Promise<T> | T
  readonly copied?: boolean
  readonly reader?: () => Promise<TextReader>
  close?(content: T): void
}

/** Makes an artifact from its definition: computes the key, checks nothing, builds nothing. */
export function defineArtifact<I extends Inputs, T>(definition: ArtifactDefinition<I, T>): Artifact<T> {
  const { name, version, params, inputs } = definition
  const inputKeys = Object.fromEntries(
    Object.entries(inputs).map(([input, artifact]) => [input, artifact.key]),
  )
  const key = hashOf({ name, version, params, inputs: inputKeys })
  return { ...definition, key } as Artifact<T>
}

/** An artifact of which nothing is kept: made of what it reads whenever it is opened. */
export function derived<I extends Inputs, T>(
  name: string,
  inputs: I,
  make: (opened: Opened<I>) => Promise<T> | T,
  params: Json = null,
): Artifact<T> {
  return defineArtifact({
    ...{ name, version: 1, params, inputs },
    async open(_folder, lazy) {
      const opened: Record<string, unknown> = {}
      for (const [input, open] of Object.entries(lazy)) opened[input] = await open()
      return make(opened as Opened<I>)
    },
  })
}

/** Every artifact that these are made of and they themselves, each once, in the order in which they are prepared. */
export function artifactsBelow(artifacts: readonly Artifact<unknown>[]): Artifact<unknown>[] {
  const found = new Map<string, Artifact<unknown>>()
  const visit = (artifact: Artifact<unknown>) => {
    if (found.has(artifact.key)) return
    for (const input of Object.values(artifact.inputs)) visit(input)
    found.set(artifact.key, artifact)
  }
  for (const artifact of artifacts) visit(artifact)
  return [...found.values()]
}
