import { readEvents, readText } from '../http/body.ts'
import { Broken, type Server } from '../http/server.ts'
import type { CallOptions, ChatModel, ChatParams, Completion, Message } from './chat-model.ts'
import { type Draft, EMPTY, type Wire } from './wires/define.ts'

export interface ChatOptions {
  readonly server: Server
  readonly wire: Wire
  /** As the server is asked for it. */
  readonly model: string
  /** As it calls itself in its answers. */
  readonly answersAs: string
}

const LONGEST_ANSWER = 16 * 2 ** 20
/** Tokens are at most as many as bytes, and mostly a quarter of them. */
const BYTES_PER_TOKEN = 4
/** Reserved against a limit of tokens for an answer of any length. */
const OUTPUT = 1024

/** A model behind a server, in the words of its provider. */
export function openChat({ server, wire, model, answersAs }: ChatOptions): ChatModel {
  const { fail, hide, quote } = server

  function parsed(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw new Broken(`answered with invalid JSON: ${quote(text)}`)
    }
  }

  function fold(draft: Draft, text: string): Draft {
    const piece = parsed(text)
    if (typeof piece !== 'object' || piece === null)
      throw new Broken(`answered ${quote(text)} where a message was asked for`)
    // A server may find out that it cannot answer when it has begun to, or say so with status 200.
    if ('error' in piece && piece.error) throw new Broken(quote(JSON.stringify(piece.error)))
    return wire.fold(draft, piece)
  }

  async function readWhole(response: Response): Promise<Draft> {
    const { text, whole } = await readText(response, LONGEST_ANSWER)
    if (!whole) throw fail(`answered more than ${LONGEST_ANSWER / 2 ** 20} MB; the rest was not read`)
    const draft = fold(EMPTY, text)
    if (draft.finish === null && draft.text === '')
      throw fail(`answered ${quote(text)} where a message was asked for`)
    return draft
  }

  async function readStream(response: Response, onText: (text: string) => void): Promise<Draft> {
    let draft = EMPTY
    for await (const data of readEvents(response, LONGEST_ANSWER)) {
      if (data === '[DONE]') continue
      const { length } = draft.text
      draft = fold(draft, data)
      if (draft.text.length > length) onText(hide(draft.text))
    }
    if (draft.finish === null) throw new Broken('the stream ended before the answer did')
    return draft
  }

  function completionOf({ text, model: given, finish, usage }: Draft): Completion {
    // Some servers call a model by its file: where that lies is theirs to know.
    const named = given && (/^([A-Za-z]:)?[\\/]/.test(given) ? given.replace(/^.*[\\/]/, '') : given)
    if (named !== null && !isSameModel(answersAs, named))
      throw fail(
        `answered as \`${named}\`, asked for \`${answersAs}\`; if that is right, write \`answersAs: ${named}\``,
      )
    return { text: hide(text), model: named ?? answersAs, finish: finish ?? 'other', usage }
  }

  return {
    async complete(messages, params, { signal, onText }: CallOptions = {}) {
      const stream = onText !== undefined
      const draft = await server.post<Draft>({
        path: wire.path(model, stream),
        body: wire.body({ model, messages, params, stream }),
        tokens: estimate(messages, params),
        read: (response) => (onText ? readStream(response, onText) : readWhole(response)),
        used: ({ usage }) => (usage?.input !== undefined ? usage.input + usage.output : undefined),
        refusal: (status, text) => (wire.refuses(status, text) ? { ...EMPTY, finish: 'refusal' } : undefined),
        signal,
      })
      return completionOf(draft)
    },
  }
}

/** What a call may use, for limits. */
function estimate(messages: readonly Message[], { maxTokens = OUTPUT }: ChatParams): number {
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  return Math.ceil(bytes / BYTES_PER_TOKEN) + maxTokens
}

/** A dated name answers for the plain one, and any for one that ends in `-latest`. */
export function isSameModel(asked: string, answered: string): boolean {
  const plain = (name: string) => name.replace(/^models\//, '').replace(/-latest$/, '')
  const [name, rest] = [plain(asked), plain(answered)]
  return rest === name || (rest.startsWith(name) && /^[-@][\d-]+$/.test(rest.slice(name.length)))
}
