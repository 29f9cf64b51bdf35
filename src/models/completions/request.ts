import { UserError } from '../../errors.ts'
import { hashOf, sha256 } from '../../store/hash.ts'
import type { Json } from '../../types.ts'
import type { Completion, Message } from '../chat/chat-model.ts'

/** All that an answer depends on; its hash is the answer's key. No address, no header and no key of a provider is in it. */
export interface KeyedRequest {
  /** Provider, model and parameters, as far as they decide the answer. */
  readonly model: Readonly<Record<string, Json | undefined>>
  /** SHA-256 of the prompt, before anything was filled in. */
  readonly prompt: string
  readonly messages: readonly Message[]
  /** Which of several answers to the same, from 0. */
  readonly repeat: number
  /** The JSON schema that the answer was asked to keep. */
  readonly schema?: Json
}

/** A question and its answer, as they are kept and exchanged. */
export interface StoredCompletion {
  readonly key: string
  readonly request: KeyedRequest
  readonly completion: Completion
  /** SHA-256 of the answer. */
  readonly sha256: string
}

export function keyOfRequest(request: KeyedRequest): string {
  return hashOf(request).slice(0, 32)
}

export function storedCompletion(request: KeyedRequest, completion: Completion): StoredCompletion {
  return { key: keyOfRequest(request), request: request, completion: completion, sha256: hashOf(completion) }
}

/** One line of JSON. */
export function formatCompletion({ key, request, completion, sha256 }: StoredCompletion): string {
  return JSON.stringify({ key, request, completion, sha256 })
}

/**
 * Reads a line of `formatCompletion`, also under the names of earlier versions (`question`, `answer`): a stored completion
 * was paid for. Throws a UserError if the text is something else, or was altered.
 */
export function parseCompletion(text: string, file: string, line?: number): StoredCompletion {
  try {
    const stored = JSON.parse(text)
    const { key, request = stored.question, completion = stored.answer, sha256 } = stored
    if (key === keyOfRequest(request) && sha256 === hashOf(completion))
      return { key, request, completion, sha256 }
  } catch {
    // Reported below.
  }
  throw new UserError({ file, line, message: 'is not a stored completion: it was altered or cut' })
}

/** Of a prompt's text. */
export function promptHash(template: string): string {
  return sha256(template)
}

/** In place of a prompt's hash in what rerankers are asked: the first message is the query, every other a passage. */
export const RERANKING = promptHash('rerank')
