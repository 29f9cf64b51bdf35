import type { z } from 'zod'
import { modelParams, type PromptName, promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'

/** Params of a role that a language model may have in a strategy, which does without one where they are left out. */
export function roleParams(role: string, holes: readonly string[]) {
  const { model, seed, ...prompt } = modelParams(holes)
  return {
    ...prompt,
    model: model.optional().meta({ model: true }).describe(`a name in \`models\`: ${role}`),
    seed: seed
      .unwrap()
      .optional()
      .describe('number of a sample among several completions of one prompt; default: 0'),
  }
}

interface Role {
  readonly model?: string | undefined
  readonly prompt?: string | undefined
  readonly seed?: number | undefined
}

/** Params of a role that a step's requests use; undefined if no model has the role. */
export function askedRole({ model, prompt, seed = 0 }: Role, otherwise: PromptName) {
  return model === undefined ? undefined : { model, template: promptText(prompt, otherwise), seed }
}

/** The argument of a schema's `superRefine`: refuses a role's params without a model, which would ask nothing. */
export function refuseIdleRole({ model, ...params }: Role, { addIssue }: z.RefinementCtx): void {
  for (const param of ['prompt', 'seed'] as const)
    if (model === undefined && params[param] !== undefined)
      addIssue({ code: 'custom', path: [param], message: 'is for a `model`, and none is named' })
}

/** The texts of chunks between marks that they cannot close, as a prompt holds what was found. */
export function passagesText(rows: Uint32Array, texts: readonly string[]): string {
  return Array.from(rows, (row) => `<passage>\n${withoutMarks(texts[row])}\n</passage>`).join('\n')
}
