/** A language model, wherever it is: what every role (query writer, extractor, judge, ...) asks. */
export interface ChatModel {
  /**
   * One answer. Tried again where the way to it or the server fails; a UserError where it cannot be had. What the model
   * itself does, refusing or ending too early, is an answer: `finish` says so.
   */
  complete(messages: readonly Message[], params: ChatParams, options?: CallOptions): Promise<Completion>
}

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What decides an answer beside the messages. What is absent is not sent, and the server's own default holds. */
export interface ChatParams {
  readonly temperature?: number
  readonly topP?: number
  readonly maxTokens?: number
  readonly seed?: number
  /** How long a model that reasons may do so, by the provider's own word. */
  readonly reasoningEffort?: string
  /** A JSON schema that the answer keeps, on servers that can hold it to one; others are told by the prompt alone. */
  readonly schema?: Readonly<Record<string, unknown>>
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Streams: hears the answer so far whenever it grew. */
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
  /** The model's name as the server gives it. */
  readonly model: string
  readonly finish: Finish
  /** Why the request failed; with the finish `failed` alone. */
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
  /** All tokens read, also those from a cache. */
  readonly input: number
  /** Of these, from the provider's cache, which costs less; absent where that was not counted, as in older answers. */
  readonly cachedInput?: number
  /** All tokens written, also those of reasoning that nobody sees. */
  readonly output: number
  /** Of these, of reasoning; absent where a server does not tell these apart. */
  readonly reasoning?: number
  /** Of a reranker: what its provider bills by in place of tokens. */
  readonly searches?: number
}
