import type { RequestsEstimate } from './estimate-requests.ts'
import { dollarText } from './spending.ts'

/** Estimated model calls as lines of a plan: one line per model, then the calls that cannot be estimated yet. */
export function askingLines({ models, open }: RequestsEstimate): string[] {
  return [
    ...models.map(({ model, kept, calls, spareCalls, inputTokens, outputTokens, dollars }) => {
      const there = `${number(kept.answers)} completions stored (${number(kept.tokens)} tokens${kept.dollars === null ? '' : `, ${dollarText(kept.dollars)}`})`
      if (calls + spareCalls === 0) return `to ask: ${model}: nothing; ${there}`
      const spare =
        spareCalls > 0 ? ` and ${number(spareCalls)} more for refused or malformed completions` : ''
      const written =
        outputTokens === null ? 'no limit to output (`maxTokens`)' : `at most ${number(outputTokens)} written`
      const cost = dollars === null ? 'no bound in dollars' : `at most about ${dollarText(dollars)}`
      return `to ask: ${model}: ${number(calls)} calls${spare}, about ${number(inputTokens)} tokens read (estimated), ${written}, ${cost}; ${there}`
    }),
    ...openWords(open).map((words) => `not in these bounds: ${words}`),
  ]
}

/** Model calls that a run left undone, over all datasets. */
export function leftInWords(left: readonly RequestsEstimate[]): string {
  const calls = new Map<string, number>()
  for (const { models } of left)
    for (const { model, calls: own } of models) calls.set(model, (calls.get(model) ?? 0) + own)
  const undone = [...calls]
    .filter(([, own]) => own > 0)
    .map(([model, own]) => `${number(own)} completions of \`${model}\``)
  const more = left.flatMap(({ open }) => openWords(open))
  return `left undone: ${[...undone, ...more].join(', ')}. Completions are stored: run the same command with a higher \`budget\` to continue`
}

const WAITING = {
  answers: 'once these are completed',
  prepare: 'once its input is prepared',
  embed: 'once a run has embedded the rewritten queries',
}

function openWords(open: RequestsEstimate['open']): string[] {
  return open.map(({ step, queries, after }) =>
    queries === null
      ? `what ${step} asks further of the corpus, and texts to embed that are made of it, ${WAITING[after]}`
      : `what ${step} asks for ${number(queries)} queries, ${WAITING[after]}`,
  )
}

function number(value: number): string {
  return value.toLocaleString('en')
}
