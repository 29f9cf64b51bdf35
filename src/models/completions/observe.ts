import type { OnText } from '../chat/chat-model.ts'
import type { CachedModel, CompletionRequest } from './cached-model.ts'
import type { StoredCompletion } from './request.ts'

/** Calls around every request to a model and to its fallbacks. `model` is the one that is asked; any of them may throw. */
interface Observer {
  /** Gives a completion in place of the request's; undefined lets the request through. */
  readonly before?: (
    model: CachedModel,
    request: CompletionRequest,
  ) => StoredCompletion | undefined | Promise<StoredCompletion | undefined>
  /** Sends a request that was let through; `model.ask` if absent. */
  readonly send?: (model: CachedModel, request: CompletionRequest) => Promise<StoredCompletion>
  readonly after?: (completion: StoredCompletion, model: CachedModel) => void
}

export function observe(model: CachedModel, observer: Observer): CachedModel {
  const { before, send, after } = observer
  return {
    ...model,
    fallback: model.fallback && observe(model.fallback, observer),
    async ask(request: CompletionRequest, signal?: AbortSignal, onText?: OnText) {
      const replaced = await before?.(model, request)
      const completion =
        replaced ?? (await (send ? send(model, request) : model.ask(request, signal, onText)))
      after?.(completion, model)
      return completion
    },
  }
}
