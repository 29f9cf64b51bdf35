/** A language model, wherever it is: what every role (query writer, extractor, judge, ...) asks. */
export interface ChatModel {
  /**
   * One completion. Retried if the connection or the server fails; a UserError if no completion comes. A refusal and
   * an early end are completions: see `finish`.
   */
  complete(messages: readonly Message[], params: ChatParams, options?: CallOptions): Promise<Completion>
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** Parameters that decide a completion, with the messages. The server's defaults hold for absent ones. */
export interface ChatParams {
  readonly temperature?: number
  readonly maxTokens?: number
  readonly seed?: number
  /** Limit of the reasoning, in the provider's own words. */
  readonly reasoningEffort?: string
  /** JSON schema of the completion, on servers that can enforce one; elsewhere the prompt alone describes it. */
  readonly schema?: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Called with the text so far whenever it grew; a request with it streams. */
  readonly onText?: OnText
}

/**
 * Hears a text that grows. `anew` says why a text is not the last one and more: `broken` if a stream broke off and begins
 * again, `reasoning` if the text so far turned out to be reasoning.
 */
export type OnText = (text: string, anew?: 'broken' | 'reasoning') => void

export interface Completion {
  /** The answer alone; empty if the reasoning before it did not end. */
  readonly text: string
  /** Reasoning that the server sent with the text, or between marks before it; absent if there is none. */
  readonly reasoning?: string
  readonly model: string
  readonly finish: Finish
  /** Reason why the request failed; only with the finish `failed`. */
  readonly failure?: string
  /** Null where the server does not say. */
  readonly usage: Usage | null
}

/**
 * `length`: cut at `maxTokens`; `refusal`: by the model or a filter; `other`: what the provider alone has a word for;
 * `failed`: the server refuses the request or answers it badly, and a run goes on without it.
 */
export type Finish = 'stop' | 'length' | 'refusal' | 'other' | 'failed'

export interface Usage {
  /** Tokens read, including cached ones. */
  readonly input: number
  /** Tokens read from the provider's cache, which cost less; absent if not counted, as in older completions. */
  readonly cachedInput?: number
  /** Tokens written, including reasoning that is not sent. */
  readonly output: number
  /** Tokens of reasoning; absent if the server does not count them apart. */
  readonly reasoning?: number
  /** Searches of a reranker, which some providers bill in place of tokens. */
  readonly searches?: number
}
