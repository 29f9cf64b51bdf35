import type { PricingSummary } from '../../results/pricing.ts'
import type { Summary, TrialSummary } from '../../results/summary.ts'
import { type Html, html } from '../html.ts'
import { tokensOf } from '../leaderboard-rows.ts'
import { dollarsInWords, plural, quantity } from '../numbers.ts'
import { isWhole } from '../raced.ts'
import { htmlTable, type TableColumn } from './section.ts'

/** Rows in view before "show all". */
const SHOWN = 25

/** Tokens a query that a trial makes a language model read and write: the context and the strategy's own calls. */
export function tokensRead(trial: TrialSummary, { promptTokens }: PricingSummary) {
  const { inputTokens = 0, outputTokens = 0 } = trial.perQuery
  return { input: (tokensOf(trial) ?? 0) + promptTokens + inputTokens, output: outputTokens }
}

/** Dollars for a thousand queries: calls to models of which the price is known at that, all else at the one that the config names. */
export function trialDollars(trial: TrialSummary, pricing: PricingSummary): number {
  const { input, output } = tokensRead(trial, pricing)
  const { calls = { inputTokens: 0, outputTokens: 0, dollars: 0 } } = trial
  const others = (input - calls.inputTokens) * pricing.input + (output - calls.outputTokens) * pricing.output
  return 1000 * (others / 1e6 + calls.dollars)
}

/** What a thousand queries cost with each trial, by the price that the config names; null where it names none. */
export function dollarsTable(summary: Summary): Html | null {
  const { pricing, trials, primary, context } = summary
  if (!pricing) return null
  const count = (
    head: string,
    of: (trial: TrialSummary) => number,
    note?: string,
  ): TableColumn<TrialSummary> => ({
    head,
    note,
    cell: (trial) => quantity(Math.round(of(trial))),
    value: of,
  })
  const { model, input, output } = pricing
  return htmlTable<TrialSummary>({
    id: 'dollars',
    caption: html`Dollars for a thousand queries with <bdi>${model}</bdi> at $${input} a million tokens read and $${output} written (${pricing.source}, ${pricing.date ?? 'undated'}). Counted tokens a query: the first ${plural(context.chunks, 'chunk')}, evidence, the question with an instruction, and what the strategy itself asks a model, as its prompts would be sent${trials.some(({ calls }) => calls && calls.dollars > 0) ? '; calls to models with a price of their own are at that price' : ''}. The tokens of the answer are not counted: they cost the same in all trials.`,
    columns: [
      { head: 'trial', text: true, cell: ({ name }) => name },
      count(`first ${plural(context.chunks, 'chunk')}`, ({ perQuery }) => perQuery.tokens ?? 0, 'tokens'),
      count('evidence', ({ perQuery }) => perQuery.evidenceTokens ?? 0, 'tokens'),
      count('prompt', () => pricing.promptTokens, 'tokens'),
      count('own calls, read', ({ perQuery }) => perQuery.inputTokens ?? 0, 'tokens'),
      count('own calls, written', ({ perQuery }) => perQuery.outputTokens ?? 0, 'tokens'),
      {
        head: 'dollars',
        note: 'a thousand queries',
        cell: (trial) => dollarsInWords(trialDollars(trial, pricing)),
        value: (trial) => trialDollars(trial, pricing),
      },
    ],
    rows: trials.filter(isWhole).sort((a, b) => b.measures[primary].mean - a.measures[primary].mean),
    shown: SHOWN,
    sortable: true,
  })
}
