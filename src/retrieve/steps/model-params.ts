import { z } from 'zod'
import { ownPrompt, type PromptName, promptFile } from '../../models/prompts/prompt.ts'

/** Params that everything that asks a model about a query shares. */
export const askParams = {
  model: z.string().min(1).meta({ model: true }).describe('a name in `models`'),
  prompt: z
    .string()
    .min(1)
    .optional()
    .meta({ path: true })
    .describe('a file with a prompt of your own; `{{query}}` stands for the query'),
  template: z.string().optional().describe("the prompt's text; filled in"),
  repeat: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe('which of several answers to the same; a grid over it shows what chance does'),
}

interface Prompted {
  readonly prompt?: string
  readonly template?: string
}

/** Params with the text of the file that they name. Throws a UserError where it lacks `{{query}}`. */
export function pinPrompt<P extends Prompted>(params: P): P {
  return params.prompt === undefined ? params : { ...params, template: promptFile(params.prompt, ['query']) }
}

/** The text to ask with. */
export function templateOf({ template }: Prompted, otherwise: PromptName): string {
  return template ?? ownPrompt(otherwise)
}
