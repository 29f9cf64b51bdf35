import { BadCompletion } from '../models/chat/json.ts'
import { type Chat, together } from '../models/completions/chat.ts'
import type { Definition } from '../registry.ts'

/** True for a built-in choice of `prepare` that asks the language model of its param `model`. */
export function asksModel({ params, code }: Definition): boolean {
  return code === undefined && 'model' in params.shape
}

/** Asks about many items at once. Results by item; null for an unreadable completion. */
export type AskEach = <I, T>(
  items: readonly I[],
  ask: (chat: Chat, item: I, index: number) => Promise<T>,
) => Promise<readonly (T | null)[]>

export function askEachOf(chat: Chat, counts = { items: 0, unread: 0 }): AskEach {
  return (items, ask) => {
    counts.items += items.length
    return together(items, async (item, index) => {
      try {
        return await ask(chat, item, index)
      } catch (error) {
        if (!(error instanceof BadCompletion)) throw error
        counts.unread++
        return null
      }
    })
  }
}

export const askNobody: AskEach = () => {
  throw new Error('a choice that asks no model has none')
}
