import { answeringModel, parseAnswer, readJson } from '../http/answer.ts'
import { Endless, readEvents } from '../http/body.ts'
import { Broken, type Server } from '../http/server.ts'
import type { CallOptions, ChatModel, Completion, OnText } from './chat-model.ts'
import { partReasoning } from './reasoning.ts'
import { type CompletionDraft, EMPTY_DRAFT, type Wire } from './wires/wire.ts'

interface ChatOptions {
  readonly server: Server
  readonly wire: Wire
  /** Name of the model in requests. */
  readonly model: string
  /** Name of the model in the server's replies. */
  readonly answersAs: string
}

/** Maximum bytes of a stream, in which every token is an event. */
const LONGEST_STREAM = 64 * 2 ** 20
/** Letters that a stream may come to. */
const LONGEST_STREAMED = 1_000_000
/** A growing text is shown when it grew by one part in so many. */
const LOOKS = 500

export function openChat({ server, wire, model, answersAs }: ChatOptions): ChatModel {
  const { fail, hide, quote, safeLength } = server

  function fold(draft: CompletionDraft, piece: unknown): CompletionDraft {
    if (typeof piece !== 'object' || piece === null)
      throw new Broken(`answered ${quote(JSON.stringify(piece))} where a message was asked for`)
    // A server may fail when it has begun, or say so with status 200.
    if ('error' in piece && piece.error) throw new Broken(quote(JSON.stringify(piece.error)))
    return wire.fold(draft, piece)
  }

  async function readWhole(response: Response): Promise<CompletionDraft> {
    const answer = await readJson(response, server)
    const draft = fold(EMPTY_DRAFT, answer)
    if (draft.finish === null && draft.text === '' && draft.reasoning === '')
      throw fail(`answered ${quote(JSON.stringify(answer))} where a message was asked for`)
    return draft
  }

  async function readStream(response: Response, show: (text: string) => void): Promise<CompletionDraft> {
    let draft = EMPTY_DRAFT
    let length = 0
    try {
      for await (const data of readEvents(response, LONGEST_STREAM)) {
        if (data === '[DONE]') continue
        draft = fold(draft, parseAnswer(data, server))
        if (draft.text.length + draft.reasoning.length > LONGEST_STREAMED)
          throw new Endless(`wrote more than ${LONGEST_STREAMED} letters`)
        // Each look reads the whole text.
        if (draft.text.length - length <= draft.text.length / LOOKS) continue
        length = draft.text.length
        const { text } = partReasoning(draft.text, true, true)
        show(hide(text.slice(0, safeLength(text))))
      }
    } catch (error) {
      if (error instanceof Endless) throw fail(`${error.message} and no end; the stream was not read on`)
      if (error instanceof DOMException && error.name === 'TimeoutError')
        throw fail('the stream had no end when its time was up (`timeout`)')
      throw error
    }
    if (draft.finish === null) throw new Broken('the stream ended before the answer did')
    show(hide(partReasoning(draft.text, draft.finish === 'length').text))
    return draft
  }

  return {
    async complete(messages, params, { signal, onText }: CallOptions = {}) {
      const stream = onText !== undefined
      let shown = ''
      /** Shows the text of one attempt; an earlier attempt may have shown some. */
      const listener = (show: OnText) => {
        let again = shown !== ''
        return (text: string) => {
          if (text === shown && !again) return
          show(text, again ? 'broken' : text.startsWith(shown) ? undefined : 'reasoning')
          again = false
          shown = text
        }
      }
      const draft = await server.post<CompletionDraft>({
        path: wire.path(model, stream),
        body: wire.body({ model, messages, params, stream }),
        read: (response) => (onText ? readStream(response, listener(onText)) : readWhole(response)),
        refusal: (status, text) =>
          wire.refuses?.(status, text) ? { ...EMPTY_DRAFT, finish: 'refusal' } : undefined,
        signal,
      })
      return completionOf(draft, answersAs, server)
    },
  }
}

/** Completion of a whole response, with secrets hidden. Throws a UserError if another model gave it. */
function completionOf(
  { text: written, reasoning: apart, model: reported, finish, usage }: CompletionDraft,
  answersAs: string,
  server: Server,
): Completion {
  const { hide } = server
  const model = answeringModel(reported, answersAs, server)
  const { text, reasoning: marked } = partReasoning(written, finish === 'length')
  const reasoning = [apart.trim(), marked].filter((part) => part !== '').join('\n\n')
  return {
    text: hide(text),
    model,
    finish: finish ?? 'other',
    usage,
    ...((reasoning !== '' || text !== written) && { reasoning: hide(reasoning) }),
  }
}
