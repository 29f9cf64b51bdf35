import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { hashOf, sha256 } from '../../store/hash.ts'
import type { Json } from '../../types.ts'
import type { Completion, Message } from '../chat/chat-model.ts'

/**
 * All that a completion depends on: its hash is the completion's key. It has no address, header or API key.
 */
export interface KeyedRequest {
  readonly model: Readonly<Record<string, Json | undefined>>
  /** SHA-256 of the prompt template. */
  readonly prompt: string
  readonly messages: readonly Message[]
  /** Index among repeated completions of the same request, from 0. */
  readonly repeat: number
  readonly schema?: Json
  /** True for the record of an outage, after which a fallback served. */
  readonly outage?: true
}

export interface StoredCompletion {
  readonly key: string
  readonly request: KeyedRequest
  readonly completion: Completion
  /** SHA-256 of the completion. */
  readonly sha256: string
  /** Absent in a recording. */
  readonly took?: CallTime | undefined
}

export interface CallTime {
  readonly milliseconds: number
  /** ISO date, UTC. */
  readonly date: string
}

export function keyOfRequest(request: KeyedRequest): string {
  return hashOf(request).slice(0, 32)
}

export function storedCompletion(request: KeyedRequest, completion: Completion): StoredCompletion {
  return { key: keyOfRequest(request), request: request, completion: completion, sha256: hashOf(completion) }
}

/** One line of JSON, without the call's time. */
export function formatCompletion({ key, request, completion, sha256 }: StoredCompletion): string {
  return JSON.stringify({ key, request, completion, sha256 })
}

const TIME = z.object({ milliseconds: z.number().nonnegative(), date: z.iso.date() })

export function parseCompletion(text: string, file: string, line?: number): StoredCompletion {
  try {
    const { key, request, completion, sha256, took } = JSON.parse(text)
    if (key === keyOfRequest(request) && sha256 === hashOf(completion) && isCompletion(completion))
      return { key, request, completion, sha256, took: TIME.safeParse(took).data }
  } catch {}
  throw new UserError({ file, line, message: 'is not a stored completion: it was altered or cut' })
}

/** A recording written by hand may have right hashes and another form. */
function isCompletion(value: Partial<Completion> | null): boolean {
  return (
    typeof value?.text === 'string' &&
    typeof value.model === 'string' &&
    ['stop', 'length', 'refusal', 'other', 'failed'].includes(value.finish as string) &&
    (value.usage === null || typeof value.usage === 'object') &&
    ['string', 'undefined'].includes(typeof value.reasoning)
  )
}

export function promptHash(template: string): string {
  return sha256(template)
}

/** Prompt hash of every rerank request: the first message is the query, the others are passages. */
export const RERANKING = promptHash('rerank')
