import { z } from 'zod'
import { BadCompletion } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import { builtInPrompt, type PromptName, promptFile } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Chunk } from '../../types.ts'
import type { ExtractorInput, Unread } from './extractors/define.ts'

/** Param that names the language model of an extractor or writer. */
export const modelParam = z.string().min(1).meta({ model: true }).describe('a name in `models`')

/** Param for a custom prompt; `placeholders` in words. */
export function promptParam(what: string, placeholders: string) {
  return z
    .string()
    .min(1)
    .optional()
    .meta({ path: true })
    .describe(`a file with a custom prompt${what && ` ${what}`}; ${placeholders}`)
}

/** Custom prompt, or the built-in one. Throws a UserError if a placeholder is missing. */
export function promptOf(
  file: string | undefined,
  otherwise: PromptName,
  placeholders: readonly string[],
): string {
  return file === undefined ? builtInPrompt(otherwise) : promptFile(file, placeholders)
}

/** Chunk as models read it: title, newline, text. */
function chunkText({ title, text }: Pick<Chunk, 'title' | 'text'>): string {
  return title === '' ? text : `${title}\n${text}`
}

/** Calls `ask` for each chunk; results are by row. A chunk whose completions cannot be parsed is listed as unread. */
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
