import type { ChatParams, Finish, Message, Usage } from '../chat-model.ts'

/** Wire format of a provider's chat. Retries, limits and the hiding of secrets are in src/models/http. */
export interface Wire {
  /** Longest completion if a config names none; absent if the server decides. */
  readonly maxTokens?: number
  /** Follows the base address. */
  path(model: string, stream: boolean): string
  headers(key: string | undefined): Readonly<Record<string, string>>
  body(request: WireRequest): Readonly<Record<string, unknown>>
  /** State of the completion after one more piece: an event of a stream, or the whole response. */
  fold(draft: CompletionDraft, piece: Fields): CompletionDraft
  /** True if a status other than 200 refuses the content of the request. */
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
  /** Reasoning that is sent apart from the text. */
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

export function partSystem(messages: readonly Message[]) {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const others = messages.filter(({ role }) => role !== 'system')
  return { system: system.length === 0 ? undefined : system.join('\n\n'), others }
}

/** `words`: the provider's reasons; null while there is none. */
export function finishOf(words: Readonly<Record<string, Finish>>, reason: unknown): Finish | null {
  if (typeof reason !== 'string') return null
  return Object.hasOwn(words, reason) ? words[reason] : 'other'
}

export function keyHeader(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listed(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter((item) => item !== null && item !== undefined) : []
}

/** No call takes so many tokens. */
const NO_COUNT = 1e8

/** A count of tokens; 0 unless the field is a whole number that can be one. */
export function tokenCount(value: unknown): number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < NO_COUNT
    ? (value as number)
    : 0
}
