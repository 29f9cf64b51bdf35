import { UserError } from '../errors.ts'
import type { ChatModel } from '../models/chat/chat-model.ts'
import {
  type ChatProviderParams,
  chatProviders,
  identityOf,
  openProvider,
  priceOf,
  providerParams,
} from '../models/chat/providers.ts'
import { type CachedModel, type CachedModelOptions, cachedModel } from '../models/completions/cached-model.ts'
import { chatAtMost } from '../models/completions/cost.ts'
import { openRecording, unrecorded } from '../models/completions/recorded.ts'
import { COMPLETIONS, openCompletions } from '../models/completions/store.ts'
import { resolve } from '../registry.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { isCoordinator } from '../threads.ts'
import type { Json } from '../types.ts'
import type { Recipe } from './recipe.ts'

/** Model of a name in `models`, with stored completions or a recording, which give the same completions and keys. */
export function chatModel(recipe: Recipe, name: string): Artifact<CachedModel> {
  const choice = recipe.models?.[name]
  if (!choice) throw new UserError(`there is no model \`${name}\` in \`models\``)
  const { definition, params: chosen } = resolve(chatProviders, choice)
  const params = chosen as object as ChatProviderParams
  const identity = identityOf(definition, params)
  const { recording } = choice
  const answers = storedCompletions(identity, recording)
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
        isRecorded: recording !== undefined,
        open: () =>
          recording === undefined
            ? openHere(() => openProvider(definition, params, `the model \`${name}\``))
            : unrecorded(recording, name),
        fallback: await inputs.fallback?.(),
        fallbackOnOutage: params.fallbackOnOutage,
        concurrency: params.concurrency,
        price: priceOf(definition, params),
        atMost: (request) => chatAtMost(request, params.maxTokens ?? definition.wire.maxTokens),
      })
    },
  })
}

export function storedCompletions(identity: CachedModelOptions['identity'], recording?: string) {
  return defineArtifact({
    name: COMPLETIONS,
    version: 1,
    params: identity as Json,
    inputs: {},
    open: (folder) => (recording === undefined ? openCompletions(folder) : openRecording(recording)),
  })
}

/** Opens a model in the main thread only, so that limits hold for all workers. */
export function openHere(open: () => ChatModel): ChatModel {
  if (!isCoordinator())
    throw new Error('a worker thread needs a completion that the main thread did not store')
  return open()
}
