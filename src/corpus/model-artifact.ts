import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import type { CachedModel } from '../models/completions/cached-model.ts'
import { type Chat, withChat as hearFrom } from '../models/completions/chat.ts'
import { recordingOf } from '../models/completions/recording.ts'
import type { StoredCompletion } from '../models/completions/request.ts'
import { type Artifact, defineArtifact, type Inputs, type Opened } from '../store/artifact.ts'
import type { Json } from '../types.ts'

/** What a language model says of a corpus. */
export interface FromModel<T> {
  readonly value: T
  /** SHA-256 of the answers that it was made of, as a recording has them. */
  readonly completions: string
}

interface ModelArtifactDefinition<I extends Inputs, T> {
  readonly name: string
  readonly version: number
  /** `name`: who asks, as the config has it. */
  readonly params: { readonly name: string } & Readonly<Record<string, Json | undefined>>
  readonly inputs: I
  readonly model: Artifact<CachedModel>
  /** Decides on its inputs and on what it hears alone. What it gives is kept as JSON. */
  write(chat: Chat, inputs: Opened<I>): Promise<T>
}

const FILE = 'heard.json'

/**
 * An artifact that a language model has said. `hear` runs twice: ahead, where models are asked within their limits and
 * the budget (src/experiment/plan/ask-artifacts.ts), and to build, where it reads the answers that are kept by then.
 */
export function modelArtifact<I extends Inputs, T>({
  name,
  version,
  params,
  inputs,
  model,
  write: hear,
}: ModelArtifactDefinition<I, T>): Artifact<FromModel<T>> {
  async function opened(lazy: Record<string, () => Promise<unknown>>): Promise<Opened<I>> {
    const found: Record<string, unknown> = {}
    for (const input of Object.keys(inputs)) found[input] = await lazy[input]()
    return found as Opened<I>
  }
  return defineArtifact({
    ...{ name, version, params: params as Json },
    inputs: { ...inputs, model } as Inputs,
    async asks(lazy) {
      const inputs = await opened(lazy)
      await hearFrom((await lazy.model()) as CachedModel, (chat) => hear(chat, inputs))
    },
    async build(folder, lazy) {
      const heard = new Map<string, StoredCompletion>()
      const kept = keptOnly((await lazy.model()) as CachedModel, heard)
      const inputs = await opened(lazy)
      const { value } = await hearFrom(kept, (chat) => hear(chat, inputs))
      const answers = recordingOf(heard.values()).sha256
      writeFileSync(
        join(folder, FILE),
        `${JSON.stringify({ completions: answers, value } satisfies FromModel<T>)}\n`,
      )
    },
    open: (folder): FromModel<T> => JSON.parse(readFileSync(join(folder, FILE), 'utf8')),
  })
}

/** A model that gives the answers that are kept, and notes them in `heard`. */
function keptOnly(model: CachedModel, heard: Map<string, StoredCompletion>): CachedModel {
  return {
    ...model,
    fallback: model.fallback && keptOnly(model.fallback, heard),
    async ask(asking) {
      const known = model.stored(asking)
      if (!known)
        throw new UserError(
          `the model \`${model.name}\` was not asked yet what is to be prepared; run \`touchstone prepare\` first`,
        )
      heard.set(known.key, known)
      return known
    },
  }
}
