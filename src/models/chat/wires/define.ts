import type { ChatParams, Finish, Message, Usage } from '../chat-model.ts'

/**
 * How a provider's chat is written on the wire. One small file each, by hand: what differs is a path, a header and the
 * names of some fields, which is less to read than a library around it, and retries, limits and what a message may show
 * stay in one place (src/models/http).
 */
export interface Wire {
  /** The longest answer where a config names none; absent where the server decides. */
  readonly maxTokens?: number
  /** Follows the base address. */
  path(model: string, stream: boolean): string
  headers(key: string | undefined): Readonly<Record<string, string>>
  body(request: WireRequest): Readonly<Record<string, unknown>>
  /** What is known after one more piece: an event of a stream, or the whole answer. */
  fold(draft: CompletionDraft, piece: unknown): CompletionDraft
  /** Whether a status other than 200 refuses what the request says, and no more. */
  refuses(status: number, text: string): boolean
}

export interface WireRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly params: ChatParams
  readonly stream: boolean
}

/** An answer in the making. */
export interface CompletionDraft {
  readonly text: string
  /** Reasoning that the provider sends apart from the text. */
  readonly reasoning: string
  readonly model: string | null
  readonly finish: Finish | null
  readonly usage: Usage | null
}

export const EMPTY_DRAFT: CompletionDraft = {
  text: '',
  reasoning: '',
  model: null,
  finish: null,
  usage: null,
}

/** The system's messages as one text, for providers that take them apart from the others; undefined where there are none. */
export function systemOf(messages: readonly Message[]): string | undefined {
  const system = messages.filter(({ role }) => role === 'system')
  return system.length === 0 ? undefined : system.map(({ content }) => content).join('\n\n')
}

/** `words` has the provider's reasons by name; null while there is none. */
export function finishOf(words: Readonly<Record<string, Finish>>, reason: unknown): Finish | null {
  if (typeof reason !== 'string') return null
  return Object.hasOwn(words, reason) ? words[reason] : 'other'
}

/** Nothing where there is no key, as on most local servers. */
export function keyHeader(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}

/** A field as text; '' where it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** No call takes so many tokens. */
const NO_COUNT = 1e8

/** A field as a count of tokens; 0, which counts nothing, unless it is a whole number that can be one. */
export function tokenCount(value: unknown): number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < NO_COUNT
    ? (value as number)
    : 0
}
