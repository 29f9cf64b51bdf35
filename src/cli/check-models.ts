import { performance } from 'node:perf_hooks'
import type { Experiment } from '../config/experiment.ts'
import { type Mistake, UserError } from '../errors.ts'
import { type ChatProviderParams, openProvider, paramsOf, priceOf } from '../models/chat/providers/define.ts'
import { chatProviders } from '../models/chat/providers/index.ts'
import { resolve } from '../registry.ts'

/** What a model did with one tiny question. */
interface CheckedModel {
  readonly name: string
  readonly provider: string
  readonly model: string
  /** As it calls itself. */
  readonly answersAs: string
  readonly milliseconds: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Dollars a million tokens; null where nobody knows. */
  readonly price: { readonly input: number; readonly output: number } | null
}

/** Long enough for a word, and for a model that must think first to end by itself or say that it was cut. */
const MAX_TOKENS = 16

/** Sends one tiny call to each model of a config. Throws a UserError with all that failed, each at its place. */
export async function checkModels({ models, modelLocations }: Experiment): Promise<CheckedModel[]> {
  const mistakes: Mistake[] = []
  const checked: CheckedModel[] = []
  for (const [name, choice] of Object.entries(models)) {
    const { definition, params: given } = resolve(chatProviders, choice)
    const params = given as object as ChatProviderParams
    try {
      const chat = openProvider(definition, params, `the model \`${name}\``)
      const begin = performance.now()
      const { model, usage } = await chat.complete([{ role: 'user', content: 'Say OK.' }], {
        ...paramsOf(params),
        maxTokens: MAX_TOKENS,
      })
      const price = priceOf(params)
      checked.push({
        ...{ name, provider: definition.name, model: params.model, answersAs: model },
        milliseconds: Math.round(performance.now() - begin),
        inputTokens: usage?.input ?? null,
        outputTokens: usage?.output ?? null,
        price: price && { input: price.input, output: price.output },
      })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      for (const { message } of error.mistakes) mistakes.push({ ...modelLocations[name], message })
    }
  }
  if (mistakes.length > 0) throw new UserError(mistakes)
  return checked
}

export function checkedInWords(models: readonly CheckedModel[]): string[] {
  if (models.length === 0) return ['the config names no models']
  return models.map(({ name, provider, answersAs, milliseconds, price }) => {
    const cost = price
      ? `$${price.input} / $${price.output} a million tokens read / written`
      : 'no price known'
    return `${name}: ${provider} answers as ${answersAs}, ${milliseconds} ms, ${cost}`
  })
}
