import { z } from 'zod'
import type { Heard } from '../../models/answers/talk.ts'
import { ownPrompt, type PromptName, promptFile } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { defineStep, type Expression } from '../step.ts'

/** Params of a role that a language model may have in a strategy, which does without one where they are left out. */
export function roleParams(role: string, holes: readonly string[]) {
  const named = holes.map((hole) => `\`{{${hole}}}\``).join(' and ')
  return {
    model: z.string().min(1).optional().meta({ model: true }).describe(`a name in \`models\`: ${role}`),
    prompt: z
      .string()
      .min(1)
      .optional()
      .meta({ path: true })
      .describe(`a file with a prompt of your own for the model; it holds ${named}`),
    template: z.string().optional().describe("the prompt's text; filled in"),
    repeat: z
      .int()
      .min(0)
      .max(1000)
      .optional()
      .describe('which of several answers to the same; 0 if left out'),
  }
}

interface Role {
  readonly model?: string | undefined
  readonly prompt?: string | undefined
  readonly template?: string | undefined
  readonly repeat?: number | undefined
}

/** What a step asks with, of the params of a role; undefined where no model has it. */
export function askedRole({ model, template, repeat = 0 }: Role, otherwise: PromptName) {
  return model === undefined ? undefined : { model, template: template ?? ownPrompt(otherwise), repeat }
}

/**
 * Puts the text of the prompt's file into the params, and the answer's number, which repeats count up, where a model is named.
 * Throws a UserError where the file lacks a placeholder.
 */
export function pinRole(holes: readonly string[]) {
  return <P extends Role>(params: P): P => ({
    ...params,
    ...(params.model !== undefined && { repeat: params.repeat ?? 0 }),
    ...(params.prompt !== undefined && { template: promptFile(params.prompt, holes) }),
  })
}

/** Refuses a role's params where nothing would ask: without a model, or where `why` says what the model needs. */
export function refuseIdleRole(
  { model, prompt, repeat }: Role,
  why: string | undefined,
  refuse: (param: string, message: string) => void,
): void {
  if (model !== undefined && why !== undefined) refuse('model', why)
  if (model !== undefined) return
  if (prompt !== undefined) refuse('prompt', 'is for a `model`, and none is named')
  if (repeat !== undefined) refuse('repeat', 'is for a `model`, and none is named')
}

const heard = defineStep<null, [Heard<unknown>], Record<never, never>, unknown>({
  name: 'heard',
  version: 1,
  run: ([{ value }]) => value,
})

/** What was made of what a model said. */
export function heardValue<T>(said: Expression<Heard<T>>): Expression<T> {
  return heard([said], null) as Expression<T>
}

/** Texts between marks that they cannot close, as a prompt holds what was found. */
export function passagesText(texts: readonly string[]): string {
  return texts.map((text) => `<passage>\n${withoutMarks(text)}\n</passage>`).join('\n')
}
