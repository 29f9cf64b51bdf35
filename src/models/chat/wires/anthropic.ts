import type { Usage } from '../chat-model.ts'
import {
  type CompletionDraft,
  type Fields,
  finishOf,
  keyHeader,
  listed,
  partSystem,
  textOf,
  tokenCount,
  type Wire,
} from './wire.ts'

const FINISHES = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
} as const

/** The API asks for one. */
const MAX_TOKENS = 4096

/** Messages. https://platform.claude.com/docs/en/api/messages */
export const anthropicWire: Wire = {
  maxTokens: MAX_TOKENS,
  path: () => '/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...keyHeader('x-api-key', key) }),
  body({ model, messages, params, stream }) {
    const { system, others } = partSystem(messages)
    return {
      model,
      system,
      messages: others,
      max_tokens: params.maxTokens ?? MAX_TOKENS,
      temperature: params.temperature,
      ...(params.reasoningEffort && { output_config: { effort: params.reasoningEffort } }),
      ...(stream && { stream }),
    }
  },
  fold,
}

function fold(draft: CompletionDraft, piece: Fields): CompletionDraft {
  if (piece.type === 'message_start' && piece.message) return fold(draft, piece.message)
  const blocks = piece.delta ? [piece.delta] : listed(piece.content)
  const said = blocks.filter(({ type }) => type === 'text' || type === 'text_delta')
  return {
    text: draft.text + said.map(({ text }) => textOf(text)).join(''),
    reasoning: draft.reasoning + blocks.map(({ thinking }) => textOf(thinking)).join(''),
    model: textOf(piece.model) || draft.model,
    finish: finishOf(FINISHES, piece.stop_reason ?? piece.delta?.stop_reason) ?? draft.finish,
    usage: piece.usage ? usageOf(piece.usage, draft.usage) : draft.usage,
  }
}

/** Usage so far. A stream gives tokens read when it begins, and tokens written (a running total) when it ends. */
function usageOf(usage: Fields, before: Usage | null): Usage {
  const cachedInput = tokenCount(usage.cache_read_input_tokens)
  const read = tokenCount(usage.input_tokens) + cachedInput + tokenCount(usage.cache_creation_input_tokens)
  return {
    input: Math.max(read, before?.input ?? 0),
    cachedInput: Math.max(cachedInput, before?.cachedInput ?? 0),
    output: tokenCount(usage.output_tokens),
  }
}
