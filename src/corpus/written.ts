import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { type CachedModel, type CompletionRequest, observe } from '../models/completions/cached-model.ts'
import { withChat } from '../models/completions/chat.ts'
import { recordingOf } from '../models/completions/recorded.ts'
import type { StoredCompletion } from '../models/completions/request.ts'
import type { Definition, Resolved } from '../registry.ts'
import { type Artifact, defineArtifact, type Inputs, type Lazy, type Opened } from '../store/artifact.ts'
import { chatModel } from './chat-model.ts'
import { keyOf, type Recipe } from './recipe.ts'
import { type AskEach, askEachOf, asksModel } from './writer.ts'

export interface Written<T> {
  readonly value: T
  readonly completions: string
  readonly items: number
  readonly unread: number
  /** Consequence for these, such as `chunks are not in the graph`. */
  readonly lost: string
}

const FILE = 'written.json'

/**
 * Artifact that a language model writes; undefined if the choice works by rules. `write` runs twice: ahead of the
 * build, when models are asked within limits and budget (src/experiment/plan/requests.ts), and in the build,
 * when it only reads stored completions.
 */
export function writtenByModel<I extends Inputs, T>(
  recipe: Recipe,
  { definition, params }: Resolved<Definition & { readonly version?: number }>,
  {
    label,
    lost,
    inputs,
    write,
  }: {
    /** Choice in the config, such as `reports: llm`. */
    readonly label: string
    readonly lost: string
    readonly inputs: I
    write(inputs: Opened<I>, askEach: AskEach): T | Promise<T>
  },
): Artifact<Written<T>> | undefined {
  if (!asksModel(definition)) return undefined
  const model = chatModel(recipe, String(params.model))
  async function run(lazy: Lazy<I>, model: CachedModel) {
    const opened: Record<string, unknown> = {}
    for (const input of Object.keys(inputs)) opened[input] = await lazy[input]()
    const counts = { items: 0, unread: 0 }
    const { value } = await withChat(model, (chat) => write(opened as Opened<I>, askEachOf(chat, counts)))
    return { value, ...counts }
  }
  return defineArtifact<I & { readonly model: typeof model }, Written<T>>({
    name: 'written',
    version: 1,
    params: { name: label, ...keyOf(definition, params) },
    inputs: { ...inputs, model },
    async asks(lazy) {
      await run(lazy as Lazy<I>, await lazy.model())
    },
    async build(folder, lazy) {
      const read = new Map<string, StoredCompletion>()
      const stored = observe(await lazy.model(), {
        before: storedCompletionOf,
        after: (completion) => void read.set(completion.key, completion),
      })
      const written = await run(lazy as Lazy<I>, stored)
      const completions = recordingOf(read.values()).sha256
      writeFileSync(join(folder, FILE), `${JSON.stringify({ completions, ...written })}\n`)
    },
    open: (folder) => ({ lost, ...JSON.parse(readFileSync(join(folder, FILE), 'utf8')) }),
  })
}

function storedCompletionOf(model: CachedModel, request: CompletionRequest): StoredCompletion {
  const stored = model.stored(request)
  if (!stored)
    throw new UserError(
      `completions of the model \`${model.name}\` are missing; run \`touchstone prepare\` first`,
    )
  return stored
}
