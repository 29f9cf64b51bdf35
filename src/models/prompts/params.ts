import { z } from 'zod'
import { promptFile } from './prompt.ts'

/** What everything that asks a language model takes; `holes` are the placeholders of its prompt. */
export function modelParams(holes: readonly string[]) {
  const named = holes.map((hole) => `\`{{${hole}}}\``).join(' and ')
  return {
    model: z.string().min(1).meta({ model: true }).describe('a name in `models`'),
    prompt: z
      .string()
      .min(1)
      .optional()
      .meta({ path: true })
      .describe(`a file with a prompt of your own; it holds ${named}`),
    template: z.string().optional().describe("the prompt's text; filled in"),
    repeat: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe('which of several answers to the same; a grid over it shows what chance does'),
  }
}

export interface Prompted {
  readonly prompt?: string
  readonly template?: string
}

/** Puts the text of a prompt's file into the params. Throws a UserError where it lacks a placeholder. */
export function pinPrompt(holes: readonly string[]) {
  return <P extends Prompted>(params: P): P =>
    params.prompt === undefined ? params : { ...params, template: promptFile(params.prompt, holes) }
}
