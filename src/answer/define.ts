import { z } from 'zod'
import type { Chat } from '../models/completions/chat.ts'
import type { Definition } from '../registry.ts'
import type { RecordedQuery } from '../runs/recorded.ts'
import { type AnswerContext, CONTEXTS, type ContextParams } from './context.ts'

/** Writes an answer from a context. */
export interface Answerer<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** Publication or page that describes the method. */
  readonly source: string
  /** True if the answerer reads no context: it answers each query once, whatever was retrieved. */
  readonly closedBook?: true
  /** Context of an answer that was written elsewhere, on a closed-book answerer; judges read it. */
  readonly context?: (question: string, params: z.output<S>) => AnswerContext | undefined
  /** Records by question, on an answerer that reads another system's answers. */
  readonly records?: (params: z.output<S>) => ReadonlyMap<string, RecordedQuery>
  /**
   * Text of the answer. `chat` is given if the params name a `model`, `mapChat` if they name a `mapModel`. Throws if there is
   * no answer.
   */
  answer(
    question: string,
    context: AnswerContext,
    params: z.output<S>,
    chat?: Chat,
    mapChat?: Chat,
  ): string | Promise<string>
}

/** Params of every answerer that reads a context. */
export const contextParams = {
  top: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('number of sent chunks; default: `context.top` of the config'),
  context: z.enum(CONTEXTS).default('chunks').describe('the chunks, or their whole documents, each once'),
  maxTokens: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(6000)
    .describe('maximum tokens of the context; pieces stay whole'),
}

/** Param that describes the user to an answerer with a context. */
export const userParams = {
  userContext: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe('description of the asker, placed before the context between marks: role, knowledge'),
}

/** An answerer's params as the context needs them; `chunks` is the config's. */
export function contextParamsOf(params: Readonly<Record<string, unknown>>, top: number): ContextParams {
  return { ...(params as unknown as ContextParams), top: (params.top as number | undefined) ?? top }
}

/** Gives an answerer's definition its type. */
export function defineAnswerer<S extends z.ZodObject>(answerer: Answerer<S>): Answerer {
  return Object.freeze(answerer) as unknown as Answerer
}
