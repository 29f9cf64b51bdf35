import { z } from 'zod'
import type { Chat } from '../models/completions/chat.ts'
import type { Definition } from '../registry.ts'
import { type AnswerContext, CONTEXTS, type ContextParams } from './context.ts'

/** Writes an answer from a context. */
export interface Answerer<S extends z.ZodObject = z.ZodObject> extends Definition {
  /** Where the method is described. */
  readonly source: string
  readonly params: S
  /** On one that is given no context: it is asked once a question, whatever was retrieved. */
  readonly closedBook?: true
  /** On one that asks a language model, its param `model`: what it may ask for one question. */
  readonly asks?: (longest: Longest, params: z.output<S>) => readonly LongestPrompt[]
  /** The answer's text; an answerer without `model` among its params gets no talk. Throws where there is none. */
  answer(question: string, context: AnswerContext, params: z.output<S>, chat?: Chat): string | Promise<string>
}

/** What every answerer that reads a context takes. */
export const contextParams = {
  top: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('chunks that are sent; `context.top` of the config where it is left out'),
  context: z
    .enum(CONTEXTS)
    .default('chunks')
    .describe('the chunks themselves, or the whole documents that they are from, each once'),
  maxTokens: z
    .int()
    .min(1)
    .max(10_000_000)
    .default(6000)
    .describe('the most tokens of the context; pieces stay whole'),
  summary: z
    .string()
    .min(1)
    .optional()
    .describe(
      'a field of the metadata that holds a summary of the document or page; it stands before the text',
    ),
  evidence: z
    .boolean()
    .default(true)
    .describe(
      'whether entities, relationships and reports that a strategy gives beside its chunks are sent too',
    ),
}

/** What an answerer that reads a context takes of the one who asks. */
export const userParams = {
  userContext: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe('who asks, in words, put before the context between marks: their role, what they know'),
}

/** An answerer's params as the context needs them; `chunks` is the config's. */
export function contextParamsOf(params: Readonly<Record<string, unknown>>, top: number): ContextParams {
  return { ...(params as unknown as ContextParams), top: (params.top as number | undefined) ?? top }
}

/** The longest that one question may be asked with. */
export interface Longest {
  readonly question: string
  /** Stands for the longest context: numbered passages, as a prompt holds them. */
  readonly context: string
  readonly passages: number
}

/** A prompt as long as it may be, and how often it is asked for one question at most. */
export interface LongestPrompt {
  readonly prompt: string
  readonly calls: number
  /** Whether JSON is asked for, once more where none comes. */
  readonly json?: true
}

/** A text of so many o200k tokens, for bounds. */
export function filler(tokens: number): string {
  return ' x'.repeat(tokens)
}

/** Gives an answerer's definition its type. */
export function defineAnswerer<S extends z.ZodObject>(answerer: Answerer<S>): Answerer {
  return Object.freeze(answerer) as unknown as Answerer
}
