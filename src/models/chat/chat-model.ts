/** A language model behind a server. */
export interface ChatModel {
  /**
   * One completion, asked again if the connection or the server fails. Throws a UserError if none comes. A refusal
   * and an early end are completions: see `finish`.
   */
  complete(messages: readonly Message[], params: ChatParams, options?: CallOptions): Promise<Completion>
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** Parameters that decide a completion; the server's defaults hold for absent ones. */
export interface ChatParams {
  readonly temperature?: number
  readonly maxTokens?: number
  readonly seed?: number
  /** Limit of the reasoning, in the provider's own words. */
  readonly reasoningEffort?: string
  /** JSON schema of the completion, for servers that enforce one. */
  readonly schema?: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Called whenever the text grew; a request with it streams. */
  readonly onText?: OnText
}

/**
 * Hears a text that grows. `broken`: the stream broke off and begins again; `reasoning`: the text so far was
 * reasoning.
 */
export type OnText = (text: string, anew?: 'broken' | 'reasoning') => void

export interface Completion {
  /** Empty if the reasoning before it did not end. */
  readonly text: string
  /** Absent if there is none. */
  readonly reasoning?: string
  readonly model: string
  readonly finish: Finish
  readonly failure?: string
  /** Null where the server does not say. */
  readonly usage: Usage | null
}

/**
 * `length`: cut at `maxTokens`; `refusal`: by the model or a filter; `failed`: the server refuses the request or
 * answers it badly, and a run goes on without it.
 */
export type Finish = 'stop' | 'length' | 'refusal' | 'other' | 'failed'

export interface Usage {
  /** Tokens read, including cached ones. */
  readonly input: number
  /** Tokens from the provider's cache, which cost less; absent if not counted. */
  readonly cachedInput?: number
  /** Includes reasoning that is not sent. */
  readonly output: number
  /** Absent if not counted apart. */
  readonly reasoning?: number
  /** Searches of a reranker, which some providers bill in place of tokens. */
  readonly searches?: number
}
