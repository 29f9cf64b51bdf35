import { modelParams, pinPromptFile as pinHoles } from '../../models/prompts/params.ts'
import { builtInPrompt, type PromptName } from '../../models/prompts/prompt.ts'

/** Params that everything that asks a model about a query shares. */
export const askParams = modelParams(['query'])

/** Params with the text of the file that they name. Throws a UserError where it lacks `{{query}}`. */
export const pinPrompt = pinHoles(['query'])

/** The text to ask with. */
export function templateOf({ template }: { readonly template?: string }, otherwise: PromptName): string {
  return template ?? builtInPrompt(otherwise)
}
