import type { ChatParams, Finish, Message, Usage } from '../chat-model.ts'

/**
 * Wire format of a provider's chat: a path, a header and some field names; retries, limits and the hiding of secrets
 * stay in one place (src/models/http).
 */
export interface Wire {
  /** The longest answer where a config names none; absent where the server decides. */
  readonly maxTokens?: number
  /** Follows the base address. */
  path(model: string, stream: boolean): string
  headers(key: string | undefined): Readonly<Record<string, string>>
  body(request: WireRequest): Readonly<Record<string, unknown>>
  /** State of the completion after one more piece: an event of a stream, or the whole response. */
  fold(draft: CompletionDraft, piece: Fields): CompletionDraft
  /** True if a status other than 200 refuses the content of the request; none does if absent. */
  refuses?(status: number, text: string): boolean
}

/** JSON of a response, unchecked. */
// biome-ignore lint/suspicious/noExplicitAny: every field is checked where it is used.
export type Fields = any

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

/** The system's messages as one text (undefined without any), and the others. */
export function partSystem(messages: readonly Message[]) {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const others = messages.filter(({ role }) => role !== 'system')
  return { system: system.length === 0 ? undefined : system.join('\n\n'), others }
}

/** `words` has the provider's reasons by name; null while there is none. */
export function finishOf(words: Readonly<Record<string, Finish>>, reason: unknown): Finish | null {
  if (typeof reason !== 'string') return null
  return Object.hasOwn(words, reason) ? words[reason] : 'other'
}

/** Header with the key; no header without a key, as on most local servers. */
export function keyHeader(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Parts of a message; none if the field is no list. */
export function listed(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter((one) => one !== null && one !== undefined) : []
}

/** No call takes so many tokens. */
const NO_COUNT = 1e8

/** A field as a count of tokens; 0, which counts nothing, unless it is a whole number that can be one. */
export function tokenCount(value: unknown): number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < NO_COUNT
    ? (value as number)
    : 0
}
