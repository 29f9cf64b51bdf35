import { z } from 'zod'
import { BadCompletion } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import { builtInPrompt, type PromptName, promptFile } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Chunk } from '../../types.ts'
import type { ExtractorInput, Unread } from './extractors/define.ts'

/** The param of extractors that ask a language model. */
export const modelParam = z.string().min(1).meta({ model: true }).describe('a name in `models`')

/** A param for a prompt of one's own; `placeholders` in words. */
export function promptParam(what: string, placeholders: string) {
  return z
    .string()
    .min(1)
    .optional()
    .meta({ path: true })
    .describe(`a file with a prompt of your own${what && ` ${what}`}; ${placeholders}`)
}

/** Somebody's prompt, or else ours. Throws a UserError where it lacks a placeholder. */
export function promptOf(
  file: string | undefined,
  otherwise: PromptName,
  placeholders: readonly string[],
): string {
  return file === undefined ? builtInPrompt(otherwise) : promptFile(file, placeholders)
}

/** A chunk as models read it: its title, and its text below. */
export function chunkText({ title, text }: Pick<Chunk, 'title' | 'text'>): string {
  return title === '' ? text : `${title}\n${text}`
}

/** What `ask` makes of each chunk, by row; where its answers are of no use the chunk is unread, and the others go on. */
export async function askChunks<T>(
  { chunks, chat }: ExtractorInput,
  ask: (chat: Chat, text: string, chunk: number) => Promise<T>,
): Promise<{ readonly found: readonly (T | undefined)[]; readonly unread: readonly Unread[] }> {
  if (!chat) throw new Error('an extractor that asks a model was given none')
  const unread: Unread[] = []
  const found = await together(chunks, async (chunk, row) => {
    try {
      return await ask(chat, withoutMarks(chunkText(chunk)), row)
    } catch (error) {
      if (!(error instanceof BadCompletion)) throw error
      unread.push({ chunk: row, reason: error.message })
      return undefined
    }
  })
  return { found, unread: unread.sort((a, b) => a.chunk - b.chunk) }
}
