import type { Finish, Usage } from '../chat-model.ts'
import {
  type CompletionDraft,
  finishOf,
  keyHeader,
  textOf,
  tokenCount,
  type Wire,
  type WireRequest,
} from './wire.ts'

/** Chat completions. https://platform.openai.com/docs/api-reference/chat */
interface Piece {
  readonly model?: unknown
  readonly choices?: readonly {
    readonly index?: unknown
    readonly message?: Spoken
    readonly delta?: Spoken
    readonly finish_reason?: unknown
  }[]
  readonly usage?: {
    readonly prompt_tokens?: unknown
    readonly completion_tokens?: unknown
    readonly total_tokens?: unknown
    readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null
    readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null
  } | null
}

interface Spoken {
  /** A text, or a list of parts. */
  readonly content?: unknown
  readonly refusal?: unknown
  /** Reasoning of DeepSeek and older vLLM. */
  readonly reasoning_content?: unknown
  /** Reasoning of Ollama, OpenRouter and newer vLLM. */
  readonly reasoning?: unknown
}

const FINISHES: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'refusal',
  // Servers of other makers that speak this format.
  max_tokens: 'length',
  MAX_TOKENS: 'length',
  eos_token: 'stop',
  stop_sequence: 'stop',
}

export const openaiWire: Wire = {
  path: () => '/chat/completions',
  headers: (key) => keyHeader('authorization', key && `Bearer ${key}`),
  body: (request) => bodyOf(request, 'max_completion_tokens'),
  fold,
  refuses: (status, text) => status === 400 && /"content_(filter|policy_violation)"/.test(text),
}

/** Other servers know the older name of one field only. */
export const compatibleWire: Wire = { ...openaiWire, body: (request) => bodyOf(request, 'max_tokens') }

/**
 * OpenAI's format with Azure's header, at `https://NAME.openai.azure.com/openai/v1`; the model is the deployment's
 * name.
 */
export const azureWire: Wire = { ...openaiWire, headers: (key) => keyHeader('api-key', key) }

function bodyOf({ model, messages, params, stream }: WireRequest, maxTokens: string) {
  const { temperature, seed, reasoningEffort, schema } = params
  return {
    model,
    messages,
    temperature,
    seed,
    reasoning_effort: reasoningEffort,
    [maxTokens]: params.maxTokens,
    ...(schema && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    }),
    ...(stream && { stream, stream_options: { include_usage: true } }),
  }
}

function fold(draft: CompletionDraft, piece: unknown): CompletionDraft {
  const { model, choices, usage } = piece as Piece
  // A server that writes several at once says which is which.
  const choice = Array.isArray(choices)
    ? choices.find((candidate) => (candidate?.index ?? 0) === 0)
    : undefined
  const spoken = choice?.message ?? choice?.delta
  const finish = spoken?.refusal ? 'refusal' : finishOf(FINISHES, choice?.finish_reason)
  return {
    text: draft.text + contentText(spoken?.content),
    reasoning:
      draft.reasoning +
      (textOf(spoken?.reasoning_content) || textOf(spoken?.reasoning)) +
      thinkingText(spoken?.content),
    model: textOf(model) || draft.model,
    // A refusal ends with `stop` too.
    finish: draft.finish === 'refusal' ? 'refusal' : (finish ?? draft.finish),
    usage: usage ? usageOf(usage) : draft.usage,
  }
}

/** Usage of a response. xAI and Gemini count reasoning in `total_tokens` and leave it out of `completion_tokens`. */
function usageOf(usage: NonNullable<Piece['usage']>): Usage {
  const input = tokenCount(usage.prompt_tokens)
  const written = tokenCount(usage.completion_tokens)
  const isCounted = input > 0 && written > 0
  const uncounted = isCounted ? Math.max(0, tokenCount(usage.total_tokens) - input - written) : 0
  return {
    input,
    cachedInput: tokenCount(usage.prompt_tokens_details?.cached_tokens),
    output: written + uncounted,
    reasoning: tokenCount(usage.completion_tokens_details?.reasoning_tokens) || uncounted,
  }
}

interface Part {
  readonly type?: unknown
  readonly text?: unknown
  /** Text of Mistral's part of type `thinking`. */
  readonly thinking?: unknown
}

function contentText(content: unknown): string {
  const isText = ({ type }: Part) => type === undefined || type === 'text' || type === 'output_text'
  return Array.isArray(content)
    ? partsOf(content)
        .filter(isText)
        .map(({ text }) => textOf(text))
        .join('')
    : textOf(content)
}

function thinkingText(content: unknown): string {
  return partsOf(content)
    .map(({ thinking }) => contentText(thinking))
    .join('')
}

function partsOf(content: unknown): readonly Part[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part) =>
    typeof part === 'string' ? [{ text: part }] : typeof part === 'object' && part !== null ? [part] : [],
  )
}
