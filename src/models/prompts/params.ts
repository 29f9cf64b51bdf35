import { z } from 'zod'
import { promptFile } from './prompt.ts'

/** Params of every part that asks a language model; `holes` are the placeholders of its prompt. */
export function modelParams(holes: readonly string[]) {
  const named = holes.map((hole) => `\`{{${hole}}}\``).join(' and ')
  return {
    model: z.string().min(1).meta({ model: true }).describe('a name in `models`'),
    prompt: z
      .string()
      .min(1)
      .optional()
      .meta({ path: true })
      .describe(`a file with a custom prompt, with ${named}`),
    template: z.string().optional().describe("the prompt's text; filled in"),
    seed: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .default(0)
      .describe('number of a sample among several completions of one prompt'),
  }
}

/** Params of a second prompt, in a step of its own: `mapPrompt` for the step `map`. */
export function stepPromptParams<S extends string>(step: S, holes: readonly string[]) {
  const named = holes.map((hole) => `\`{{${hole}}}\``).join(' and ')
  const params = {
    [`${step}Prompt`]: z
      .string()
      .min(1)
      .optional()
      .meta({ path: true })
      .describe(`a file with a custom prompt for the step before (${step}), with ${named}`),
    [`${step}Template`]: z.string().optional().describe("that prompt's text; filled in"),
  }
  return params as Record<`${S}Prompt` | `${S}Template`, z.ZodOptional<z.ZodString>>
}

export interface PromptedParams {
  readonly prompt?: string
  readonly template?: string
}

/**
 * Puts the text of a prompt's file into the params, and of those of further steps. Throws a UserError where one lacks a
 * placeholder.
 */
export function pinPromptFile(
  holes: readonly string[],
  steps: Readonly<Record<string, readonly string[]>> = {},
) {
  const all = [
    { param: 'prompt', text: 'template', holes },
    ...Object.entries(steps).map(([step, holes]) => ({
      ...{ param: `${step}Prompt`, text: `${step}Template`, holes },
    })),
  ]
  return <P extends PromptedParams>(params: P): P => {
    const given = params as Readonly<Record<string, unknown>>
    const texts = all.flatMap(({ param, text, holes }) =>
      given[param] === undefined ? [] : [[text, promptFile(String(given[param]), holes)]],
    )
    return { ...params, ...Object.fromEntries(texts) }
  }
}
