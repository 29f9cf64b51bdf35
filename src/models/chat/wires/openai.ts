import type { Finish, Usage } from '../chat-model.ts'
import {
  type CompletionDraft,
  type Fields,
  finishOf,
  keyHeader,
  listed,
  textOf,
  tokenCount,
  type Wire,
  type WireRequest,
} from './wire.ts'

const FINISHES: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'refusal',
  // Other servers with this format.
  max_tokens: 'length',
  MAX_TOKENS: 'length',
  eos_token: 'stop',
  stop_sequence: 'stop',
}

/** Chat completions. https://platform.openai.com/docs/api-reference/chat */
export const openaiWire: Wire = {
  path: () => '/chat/completions',
  headers: (key) => keyHeader('authorization', key && `Bearer ${key}`),
  body: (request) => bodyOf(request, 'max_completion_tokens'),
  fold,
  refuses: (status, text) => status === 400 && /"content_(filter|policy_violation)"/.test(text),
}

/** Other servers know the older name only. */
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

function fold(draft: CompletionDraft, { model, choices, usage }: Fields): CompletionDraft {
  const choice = listed(choices).find(({ index }) => (index ?? 0) === 0)
  const spoken = choice?.message ?? choice?.delta
  const finish = spoken?.refusal ? 'refusal' : finishOf(FINISHES, choice?.finish_reason)
  // `reasoning_content` is of DeepSeek and older vLLM, `reasoning` of Ollama, OpenRouter and newer vLLM.
  const reasoning = textOf(spoken?.reasoning_content) || textOf(spoken?.reasoning)
  return {
    text: draft.text + contentText(spoken?.content),
    reasoning: draft.reasoning + reasoning + thinkingText(spoken?.content),
    model: textOf(model) || draft.model,
    // A refusal ends with `stop` too.
    finish: draft.finish === 'refusal' ? 'refusal' : (finish ?? draft.finish),
    usage: usage ? usageOf(usage) : draft.usage,
  }
}

/** Usage of a response. xAI and Gemini count reasoning in `total_tokens` and leave it out of `completion_tokens`. */
function usageOf(usage: Fields): Usage {
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

/** Text of a message, whose content is a text or a list of parts. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content)
  const isText = ({ type }: Fields) => type === undefined || type === 'text' || type === 'output_text'
  return listed(content)
    .filter(isText)
    .map((part) => textOf(typeof part === 'string' ? part : part.text))
    .join('')
}

/** Text of Mistral's parts of type `thinking`. */
function thinkingText(content: unknown): string {
  return listed(content)
    .map(({ thinking }) => contentText(thinking))
    .join('')
}
