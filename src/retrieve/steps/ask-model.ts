import { z } from 'zod'
import { modelParams, type PromptName, promptFiles, promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { type Asked, defineAsking } from './asking.ts'

const HOLES = ['query']

const params = z.strictObject(modelParams(HOLES))

/** A model's completion of a prompt with the query in it. A refusal or an empty completion fails the query. */
export const askModel = defineAsking({
  name: 'ask-model',
  ask: (chat, [query]: [Query], { params: { template, seed } }: { params: Asked }) =>
    chat.text({ template, values: { query: withoutMarks(query.text) }, seed }),
})

/** Params and function of a query transform by which a model writes a text about the query. `put` adds the text to the query. */
export function rewriteByModel(name: PromptName, put: (query: Query, text: string) => Query) {
  const step = defineStep({
    name,
    yields: 'query',
    run: ([query, text]: [Query, string]) => put(query, text),
  })
  return {
    params,
    files: promptFiles(HOLES),
    make: ({ model, seed, prompt }: z.output<typeof params>) => ({
      rewrite(query: Expression<Query>) {
        const text = askModel([query], { model, seed, template: promptText(prompt, name) })
        return step([query, text])
      },
    }),
  }
}
