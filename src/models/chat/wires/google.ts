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
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'refusal',
  RECITATION: 'refusal',
  BLOCKLIST: 'refusal',
  PROHIBITED_CONTENT: 'refusal',
  SPII: 'refusal',
} as const

/** Gemini's generateContent; a piece of its stream looks like a whole answer. https://ai.google.dev/api/generate-content */
export const googleWire: Wire = {
  path: (model, stream) =>
    `/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  headers: (key) => keyHeader('x-goog-api-key', key),
  body({ messages, params }) {
    const { temperature, seed, maxTokens, reasoningEffort, schema } = params
    const { system, others } = partSystem(messages)
    return {
      contents: others.map(({ role, content }) => ({
        role: role === 'assistant' ? 'model' : 'user',
        parts: [{ text: content }],
      })),
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
}

function fold(draft: CompletionDraft, piece: Fields): CompletionDraft {
  const { promptFeedback, usageMetadata: usage, modelVersion } = piece
  const [candidate] = listed(piece.candidates)
  const parts = listed(candidate?.content?.parts)
  const textsOf = (thoughts: boolean) =>
    parts
      .filter(({ thought }) => (thought === true) === thoughts)
      .map(({ text }) => textOf(text))
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
