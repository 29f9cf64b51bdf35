import type { Message } from '../chat-model.ts'
import { type CompletionDraft, finishOf, keyHeader, systemOf, textOf, tokenCount, type Wire } from './wire.ts'

/** Gemini's generateContent; a piece of its stream looks like a whole answer. https://ai.google.dev/api/generate-content */
interface Piece {
  readonly candidates?: readonly {
    readonly content?: { readonly parts?: readonly { readonly text?: unknown; readonly thought?: unknown }[] }
    readonly finishReason?: unknown
  }[]
  readonly promptFeedback?: { readonly blockReason?: unknown }
  readonly usageMetadata?: Readonly<Record<string, unknown>>
  readonly modelVersion?: unknown
}

const FINISHES = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
} as const

export const googleWire: Wire = {
  path: (model, stream) =>
    `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  headers: (key) => keyHeader('x-goog-api-key', key),
  body({ messages, params }) {
    const { temperature, seed, maxTokens, reasoningEffort, schema } = params
    const system = systemOf(messages)
    return {
      contents: messages.filter(({ role }) => role !== 'system').map(contentOf),
      ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
      generationConfig: {
        temperature,
        seed,
        maxOutputTokens: maxTokens,
        ...(reasoningEffort && { thinkingConfig: { thinkingLevel: reasoningEffort } }),
        ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
      },
    }
  },
  fold,
  refuses: () => false,
}

function contentOf({ role, content }: Message) {
  return { role: role === 'assistant' ? 'model' : 'user', parts: [{ text: content }] }
}

function fold(draft: CompletionDraft, piece: unknown): CompletionDraft {
  const { candidates, promptFeedback, usageMetadata: usage, modelVersion } = piece as Piece
  const candidate = Array.isArray(candidates) ? candidates[0] : undefined
  const parts = Array.isArray(candidate?.content?.parts) ? candidate.content.parts : []
  const textsOf = (thoughts: boolean) =>
    parts
      .filter(({ thought }: { readonly thought?: unknown }) => (thought === true) === thoughts)
      .map(({ text }: { readonly text?: unknown }) => textOf(text))
      .join('')
  const reasoning = tokenCount(usage?.thoughtsTokenCount)
  return {
    text: draft.text + textsOf(false),
    reasoning: draft.reasoning + textsOf(true),
    model: textOf(modelVersion) || draft.model,
    finish: promptFeedback?.blockReason
      ? 'refusal'
      : (finishOf(FINISHES, candidate?.finishReason) ?? draft.finish),
    usage: usage
      ? {
          input: tokenCount(usage.promptTokenCount),
          cachedInput: tokenCount(usage.cachedContentTokenCount),
          output: tokenCount(usage.candidatesTokenCount) + reasoning,
          reasoning,
        }
      : draft.usage,
  }
}
