import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import type { CachedModel, CompletionRequest } from '../models/completions/cached-model.ts'
import { type Chat, withChat } from '../models/completions/chat.ts'
import { observe } from '../models/completions/observe.ts'
import { recordingOf } from '../models/completions/recording.ts'
import type { StoredCompletion } from '../models/completions/request.ts'
import { type Artifact, defineArtifact, type Inputs, type Opened } from '../store/artifact.ts'
import type { Json } from '../types.ts'

/** Value that a language model wrote about a corpus. */
export interface FromModel<T> {
  readonly value: T
  /** SHA-256 of the completions that it is based on, as in a recording. */
  readonly completions: string
}

interface ModelArtifactDefinition<I extends Inputs, T> {
  readonly name: string
  readonly version: number
  /** `name` says which choice of the config asks. */
  readonly params: { readonly name: string } & Readonly<Record<string, Json | undefined>>
  readonly inputs: I
  readonly model: Artifact<CachedModel>
  /** Depends only on its inputs and on the model's completions. The result is stored as JSON. */
  write(chat: Chat, inputs: Opened<I>): Promise<T>
}

const FILE = 'heard.json'

/**
 * Artifact written by a language model. `write` runs twice: ahead of the build, when models are asked within limits and
 * budget (src/experiment/plan/ask-artifacts.ts), and in the build, when it only reads stored completions.
 */
export function modelArtifact<I extends Inputs, T>({
  name,
  version,
  params,
  inputs,
  model,
  write,
}: ModelArtifactDefinition<I, T>): Artifact<FromModel<T>> {
  async function opened(lazy: Record<string, () => Promise<unknown>>): Promise<Opened<I>> {
    const found: Record<string, unknown> = {}
    for (const input of Object.keys(inputs)) found[input] = await lazy[input]()
    return found as Opened<I>
  }
  return defineArtifact({
    name,
    version,
    params: params as Json,
    inputs: { ...inputs, model } as Inputs,
    async asks(lazy) {
      const inputs = await opened(lazy)
      await withChat((await lazy.model()) as CachedModel, (chat) => write(chat, inputs))
    },
    async build(folder, lazy) {
      const read = new Map<string, StoredCompletion>()
      const stored = observe((await lazy.model()) as CachedModel, {
        before: storedCompletionOf,
        after: (completion) => void read.set(completion.key, completion),
      })
      const inputs = await opened(lazy)
      const { value } = await withChat(stored, (chat) => write(chat, inputs))
      const completions = recordingOf(read.values()).sha256
      writeFileSync(join(folder, FILE), `${JSON.stringify({ completions, value } satisfies FromModel<T>)}\n`)
    },
    open(folder): FromModel<T> {
      // Earlier versions wrote `answers`.
      const { value, answers, completions = answers } = JSON.parse(readFileSync(join(folder, FILE), 'utf8'))
      return { value, completions }
    },
  })
}

/** The stored completion. Throws a UserError if it is missing. */
function storedCompletionOf(model: CachedModel, request: CompletionRequest): StoredCompletion {
  const stored = model.stored(request)
  if (!stored)
    throw new UserError(
      `completions of the model \`${model.name}\` are missing; run \`touchstone prepare\` first`,
    )
  return stored
}
