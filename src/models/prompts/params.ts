import { z } from 'zod'
import { sha256 } from '../../store/hash.ts'
import { promptFile } from './prompt.ts'

/** Params of every part of `prepare` that asks a language model; `holes` are the placeholders of its prompt. */
export function promptParams(holes: readonly string[]) {
  return {
    model: z.string().min(1).meta({ model: true }).describe('a name in `models`'),
    prompt: promptParam('a file with a custom prompt', holes),
  }
}

export function modelParams(holes: readonly string[]) {
  return {
    ...promptParams(holes),
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
  const param = promptParam(`a file with a custom prompt for the step before (${step})`, holes)
  return { [`${step}Prompt`]: param } as Record<`${S}Prompt`, typeof param>
}

function promptParam(what: string, holes: readonly string[]) {
  const named = holes.map((hole) => `\`{{${hole}}}\``).join(' and ')
  return z.string().min(1).optional().meta({ path: true }).describe(`${what}, with ${named}`)
}

/**
 * SHA-256 of the custom prompts that params name, for `files` of a definition; `holes` are the placeholders of `prompt`, `steps` those
 * of further prompts. Throws a UserError if a file is missing or lacks a placeholder.
 */
export function promptFiles(
  holes: readonly string[],
  steps: Readonly<Record<string, readonly string[]>> = {},
) {
  const prompts: [string, readonly string[]][] = [
    ['prompt', holes],
    ...Object.entries(steps).map(([step, holes]): [string, readonly string[]] => [`${step}Prompt`, holes]),
  ]
  return (params: object): Record<string, string> => {
    const files = params as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      prompts.flatMap(([param, holes]) =>
        typeof files[param] === 'string' ? [[param, sha256(promptFile(files[param], holes))]] : [],
      ),
    )
  }
}
