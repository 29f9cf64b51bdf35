import { UserError } from '../errors.ts'
import type { ChatModel } from '../models/chat/chat-model.ts'
import {
  type ChatProviderParams,
  identityOf,
  openProvider,
  priceOf,
  providerParams,
} from '../models/chat/providers/define.ts'
import { chatProviders } from '../models/chat/providers/index.ts'
import { type CachedModel, type CachedModelOptions, cachedModel } from '../models/completions/cached-model.ts'
import { chatAtMost } from '../models/completions/cost.ts'
import { readCompletionRecording } from '../models/completions/recording.ts'
import { COMPLETIONS, openCompletions } from '../models/completions/store.ts'
import { resolve } from '../registry.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { isCoordinator } from '../threads.ts'
import type { Json } from '../types.ts'
import type { Recipe } from './recipe.ts'

/**
 * Opens the model of a name in `models`. Completions are stored in the model's folder of the store, or replayed from the
 * recording that the config names. Neither changes a key: a completion is the same from both.
 */
export function chatModel(recipe: Recipe, name: string): Artifact<CachedModel> {
  const choice = recipe.models?.[name]
  if (!choice) throw new UserError(`there is no model \`${name}\` in \`models\``)
  const { definition, params: given } = resolve(chatProviders, choice)
  const params = given as object as ChatProviderParams
  const identity = identityOf(definition, params)
  const answers = storedCompletions(recipe, identity)
  const { fallback } = params
  return defineArtifact({
    name: 'chat_model',
    version: 1,
    params: null,
    inputs: { answers, ...(fallback !== undefined && { fallback: chatModel(recipe, fallback) }) },
    async open(_folder, inputs) {
      return cachedModel({
        name,
        identity,
        params: providerParams(params),
        completions: await inputs.answers(),
        open: () => openHere(() => openProvider(definition, params, `the model \`${name}\``)),
        fallback: await inputs.fallback?.(),
        concurrency: params.concurrency,
        price: priceOf(definition, params),
        atMost: (request) => chatAtMost(request, params.maxTokens ?? definition.wire.maxTokens),
      })
    },
  })
}

/** The stored completions of one model, or the recording that replaces them. */
export function storedCompletions({ recording }: Recipe, identity: CachedModelOptions['identity']) {
  return defineArtifact({
    name: COMPLETIONS,
    version: 1,
    params: identity as Json,
    inputs: {},
    open(folder): CachedModelOptions['completions'] {
      if (recording !== undefined) return { file: recording, stored: readCompletionRecording(recording) }
      return openCompletions(folder)
    },
  })
}

/** Opens a model in the main thread only, so that limits hold for all workers and no completion is paid for twice. */
export function openHere(open: () => ChatModel): ChatModel {
  if (!isCoordinator())
    throw new Error('a worker thread needs a completion that the main thread did not store')
  return open()
}
