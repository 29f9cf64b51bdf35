import type { Chat } from '../../models/completions/chat.ts'
import { listParts, type Part, typeParts } from '../../registry.ts'
import type { RecordedQuery } from '../../runs/recorded.ts'
import type { AnswerContext } from '../context.ts'

/** Writes answers from contexts. */
export type Answerer = Part<AnswerSource>

export interface AnswerSource {
  /** True if no context is read: each query is answered once. */
  readonly closedBook?: true
  /** Context of an answer that was written elsewhere, for judges. */
  context?(question: string): AnswerContext | undefined
  /** Records of another system by question. */
  readonly records?: ReadonlyMap<string, RecordedQuery>
  /**
   * `chat` is given if the params name a `model`, `mapChat` if they name a `mapModel`. Throws if there is no
   * answer.
   */
  answer(question: string, context: AnswerContext, chat?: Chat, mapChat?: Chat): string | Promise<string>
}

export const defineAnswerer = typeParts<AnswerSource>()

export const answerers = listParts<Answerer>('answerer', {
  extractive: () => import('./extractive.ts'),
  llm: () => import('./llm.ts'),
  'map-reduce': () => import('./map-reduce.ts'),
  'closed-book': () => import('./closed-book.ts'),
  recorded: () => import('./recorded.ts'),
})
