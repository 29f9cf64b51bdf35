import { modelParams, promptFiles } from '../../models/prompts/params.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query } from '../../types.ts'
import { defineAsking } from './asking.ts'

/** Params that everything that asks a model about a query shares. */
export const askParams = modelParams(['query'])

/** SHA-256 of the custom prompt. Throws a UserError if it lacks `{{query}}`. */
export const queryPrompt = promptFiles(['query'])

type AskParams = {
  /** A name in `models`. */
  readonly model: string
  /** The prompt's text, with `{{query}}` in place of the query. */
  readonly template: string
  /** Index among several completions, from 0. */
  readonly seed: number
}

/** A model's answer to a prompt with the query in it. A refusal or an empty answer fails the query. */
export const askAboutQuery = defineAsking({
  name: 'ask-model',
  version: 1,
  ask: (chat, [query]: readonly [Query], { params: { template, seed } }: { params: AskParams }) =>
    chat.text({ template, values: { query: withoutMarks(query.text) }, seed }),
})
