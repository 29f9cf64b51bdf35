import { type AnsweringModel, type Asking, askInTurn } from '../../models/answers/answering.ts'
import { promptHash } from '../../models/answers/question.ts'
import type { Completion } from '../../models/chat/chat-model.ts'
import { BadAnswer, requireText } from '../../models/chat/json.ts'
import { fillPrompt } from '../../models/prompts/prompt.ts'
import { chatModel } from '../../prepare/chat-model.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'

type AskParams = {
  /** A name in `models`. */
  readonly model: string
  /** The prompt's text, with `{{query}}` where the query stands. */
  readonly template: string
  /** Which of several answers, from 0. */
  readonly repeat: number
}

/** What a model said of a query. */
export interface Said {
  readonly text: string
  /** Every answer that was given for it: one, or more where a fallback answered. */
  readonly answers: readonly Completion[]
  /** Why another model answered; null where none had to. */
  readonly fellBack: string | null
}

/** A model's answer to a prompt with the query in it. A refusal or an empty answer fails the query. */
export const askAboutQuery = defineStep({
  name: 'ask-model',
  version: 1,
  artifacts: (recipe, { model }: AskParams) => ({ model: chatModel(recipe, model) }),
  asks: ([query]: readonly [Query], params) => askingOf(query, params),
  counts: ({ answers }: Said) => {
    const used = answers.map(({ usage }) => usage)
    return {
      modelCalls: answers.length,
      inputTokens: used.reduce((sum, usage) => sum + (usage?.input ?? 0), 0),
      outputTokens: used.reduce((sum, usage) => sum + (usage?.output ?? 0), 0),
    }
  },
  fellBack: ({ fellBack }: Said) => fellBack,
  // Together: as many at once as the model's limits allow.
  runBlock: (block: readonly (readonly [Query])[], { params, artifacts: { model } }) =>
    Promise.all(block.map(([query]) => ask(model, askingOf(query, params)))),
})

function askingOf({ text }: Query, { template, repeat }: AskParams): Asking {
  const content = fillPrompt(template, { query: text })
  return { prompt: promptHash(template), messages: [{ role: 'user', content }], repeat }
}

async function ask(model: AnsweringModel, asking: Asking): Promise<Said> {
  const given = await askInTurn(model, asking)
  const answers = given.map(({ answered }) => answered.answer)
  const text = requireText(answers[answers.length - 1]).trim()
  if (text === '') throw new BadAnswer('the model answered nothing')
  return { text, answers, fellBack: given.length > 1 ? `the model ${model.name} refused` : null }
}
