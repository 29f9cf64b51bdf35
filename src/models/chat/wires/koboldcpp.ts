import type { Finish, Message } from '../chat-model.ts'
import { type CompletionDraft, finishOf, keyHeader, textOf, tokenCount, type Wire } from './wire.ts'

/**
 * KoboldCpp's own endpoint, at `http://localhost:5001/api`: one prompt as plain text, in Alpaca's form.
 * https://lite.koboldai.net/koboldcpp_api
 */
interface Piece {
  readonly results?: readonly Result[]
  readonly token?: unknown
  readonly finish_reason?: unknown
}

interface Result {
  readonly text?: unknown
  readonly finish_reason?: unknown
  readonly prompt_tokens?: unknown
  readonly completion_tokens?: unknown
}

const FINISHES: Readonly<Record<string, Finish>> = { stop: 'stop', length: 'length' }
const MARK = { system: '### System:', user: '### Instruction:', assistant: '### Response:' } as const
/** A mark at the start of a line, which no message may write. */
const FORGED = /^([^\S\r\n\u2028\u2029]*)###(?=\s*(System|Instruction|Response):)/gim

export const koboldcppWire: Wire = {
  maxTokens: 512,
  path: (_, stream) => (stream ? '/extra/generate/stream' : '/v1/generate'),
  headers: (key) => keyHeader('authorization', key && `Bearer ${key}`),
  body: ({ messages, params: { temperature, seed, maxTokens } }) => ({
    prompt: [...messages.map(turnOf), `${MARK.assistant}\n`].join('\n\n'),
    max_length: maxTokens ?? koboldcppWire.maxTokens,
    stop_sequence: [MARK.user],
    temperature,
    sampler_seed: seed,
  }),
  fold,
  refuses: () => false,
}

function turnOf({ role, content }: Message): string {
  return `${MARK[role]}\n${content.replace(FORGED, '$1##')}`
}

function fold(draft: CompletionDraft, piece: unknown): CompletionDraft {
  const { results, token, finish_reason } = piece as Piece
  const result = Array.isArray(results) ? (results[0] as Result) : undefined
  const [input, output] = [tokenCount(result?.prompt_tokens), tokenCount(result?.completion_tokens)]
  // Versions before 1.70 give no reason: a whole answer has ended.
  const reason = result ? (result.finish_reason ?? 'stop') : finish_reason
  return {
    ...draft,
    text: draft.text + textOf(result ? result.text : token),
    finish: finishOf(FINISHES, reason) ?? draft.finish,
    usage: input > 0 ? { input, output } : draft.usage,
  }
}
