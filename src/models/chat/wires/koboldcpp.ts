import type { Finish, Message } from '../chat-model.ts'
import {
  type CompletionDraft,
  type Fields,
  finishOf,
  keyHeader,
  listed,
  textOf,
  tokenCount,
  type Wire,
} from './wire.ts'

const FINISHES: Readonly<Record<string, Finish>> = { stop: 'stop', length: 'length' }
const MARK = { system: '### System:', user: '### Instruction:', assistant: '### Response:' } as const
/** A mark at the start of a line, which no message may write. */
const FORGED = /^([^\S\r\n\u2028\u2029]*)###(?=\s*(System|Instruction|Response):)/gim
const MAX_TOKENS = 512

/**
 * KoboldCpp's own endpoint, at `http://localhost:5001/api`: one prompt as plain text, in Alpaca's form.
 * https://lite.koboldai.net/koboldcpp_api
 */
export const koboldcppWire: Wire = {
  maxTokens: MAX_TOKENS,
  path: (_, stream) => (stream ? '/extra/generate/stream' : '/v1/generate'),
  headers: (key) => keyHeader('authorization', key && `Bearer ${key}`),
  body: ({ messages, params: { temperature, seed, maxTokens } }) => ({
    prompt: [...messages.map(turnOf), `${MARK.assistant}\n`].join('\n\n'),
    max_length: maxTokens ?? MAX_TOKENS,
    stop_sequence: [MARK.user],
    temperature,
    sampler_seed: seed,
  }),
  fold,
}

function turnOf({ role, content }: Message): string {
  return `${MARK[role]}\n${content.replace(FORGED, '$1##')}`
}

function fold(draft: CompletionDraft, { results, token, finish_reason }: Fields): CompletionDraft {
  const [result] = listed(results)
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
