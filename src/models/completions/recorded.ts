import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Definition, Registry } from '../../registry.ts'
import { canonical, sha256 } from '../../store/hash.ts'
import type { Json } from '../../types.ts'
import type { ChatModel } from '../chat/chat-model.ts'
import { quoted } from '../embedder.ts'
import { formatCompletion, parseCompletion, type StoredCompletion } from './request.ts'
import type { CompletionStore } from './store.ts'

/** Completions in one file, one per line, sorted by key: the same completions give the same bytes in any order. */
export interface CompletionRecording {
  readonly text: string
  readonly sha256: string
  readonly completions: number
}

export function recordingOf(completions: Iterable<StoredCompletion>): CompletionRecording {
  const byKey = new Map([...completions].map((completion) => [completion.key, completion]))
  const lines = [...byKey.keys()]
    .sort()
    .map((key) => `${formatCompletion(byKey.get(key) as StoredCompletion)}\n`)
  const text = lines.join('')
  return { text, sha256: sha256(text), completions: lines.length }
}

/** Reads a recording. Throws a UserError with every line that is no stored completion. */
export function readCompletionRecording(file: string): ReadonlyMap<string, StoredCompletion> {
  const diagnostics: UserError[] = []
  const completions = new Map<string, StoredCompletion>()
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    try {
      const completion = parseCompletion(line, file, index + 1)
      const above = completions.get(completion.key)
      if (above && above.sha256 !== completion.sha256)
        throw new UserError({
          file,
          line: index + 1,
          message: `holds another completion of a request above (${completion.key}); keep one of the two lines`,
        })
      completions.set(completion.key, completion)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      diagnostics.push(error)
    }
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics.flatMap((diagnostic) => diagnostic.diagnostics))
  return completions
}

const shape = z.strictObject({
  path: z.string().min(1).describe('a file of stored completions, as `export --to recording` writes it'),
  of: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .default({})
    .describe(
      'fields of the model to replay (`provider`, `model`, `temperature`, ...), if the file holds several; the others are filled in',
    ),
})

type Fields = z.output<typeof shape>['of']

/** A choice that replays a recording, with further params. Its params do not change what is replayed. */
export function defineRecorded(summary: string, more: z.ZodRawShape): Definition {
  return {
    name: 'recorded',
    summary,
    params: z.strictObject({ ...shape.shape, ...more }),
    only: 'path',
    pin: (params) => ({ ...params, of: recordedFields(params.path as string, params.of as Fields) }),
  }
}

/** All fields of the model in a recording that has these. Throws a UserError unless there is exactly one. */
function recordedFields(file: string, fields: Fields): Fields {
  if (!existsSync(file)) throw new UserError(`there is no file ${file}`)
  const models = new Map(
    [...readCompletionRecording(file).values()].map(({ request: { model } }) => [
      canonical(model as Json),
      model,
    ]),
  )
  const fits = [...models.values()].filter((model) =>
    Object.entries(fields).every(([name, value]) => model[name] === value),
  )
  if (fits.length === 1) return fits[0] as Fields
  const contents = [...models.keys()].sort().join(', ') || 'no completions'
  throw new UserError(
    `holds ${contents}; ${fits.length === 0 ? 'none of them fits `of`' : 'choose one by `of`'}`,
    file,
  )
}

/** A choice of the provider that a recording was made with, and its file. `params` are pinned. */
export function replayed(registry: Registry<Definition>, params: Readonly<Record<string, Json>>) {
  const { path, of, ...more } = params
  const { provider, ...fields } = of as Record<string, Json>
  const definition = registry.byName.get(String(provider))
  if (!definition)
    throw new UserError(
      `holds completions of ${JSON.stringify(provider)}, which is no ${registry.word}`,
      String(path),
    )
  // Nothing is sent to it; a provider without an address of its own needs one.
  const needsAddress = !definition.params.shape.baseUrl?.safeParse(undefined).success
  const address: Record<string, Json> = needsAddress ? { baseUrl: 'http://localhost' } : {}
  return { name: definition.name, params: { ...fields, ...more, ...address }, recording: String(path) }
}

export class Unrecorded extends UserError {}

export function openRecording(file: string): CompletionStore {
  const completions = readCompletionRecording(file)
  return {
    get: (key) => completions.get(key),
    put() {
      throw new Error('a recording does not grow')
    },
  }
}

/** Stands in for the model of a recording: throws an Unrecorded for every request. */
export function unrecorded(file: string, name: string): ChatModel {
  return {
    async complete(messages) {
      const text = messages[messages.length - 1].content.trim()
      throw new Unrecorded({
        file,
        message: `holds no completion of the model \`${name}\` for ${quoted(text.length > 60 ? `...${text.slice(-57)}` : text)}`,
      })
    },
  }
}
