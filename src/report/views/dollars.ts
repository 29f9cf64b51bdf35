import type { PricingSummary } from '../../results/pricing.ts'
import type { Summary, TrialSummary } from '../../results/summary.ts'
import { type Html, html } from '../html.ts'
import { tokensOf } from '../leaderboard-rows.ts'
import { dollarsInWords, plural, quantity } from '../numbers.ts'
import { isWhole } from '../raced.ts'
import { type Column, htmlTable } from '../table.ts'

/** Number of rows shown before "show all". */
const SHOWN = 25

/** Input and output tokens per query: the context, the prompt and the strategy's model calls. */
export function tokensRead(trial: TrialSummary, { promptTokens }: PricingSummary) {
  const { inputTokens = 0, outputTokens = 0 } = trial.perQuery
  return { input: (tokensOf(trial) ?? 0) + promptTokens + inputTokens, output: outputTokens }
}

/** Dollars per 1,000 queries. Calls to models with a known price use that price, all else the price of the config. */
export function trialDollars(trial: TrialSummary, pricing: PricingSummary): number {
  const { input, output } = tokensRead(trial, pricing)
  const { calls = { inputTokens: 0, outputTokens: 0, dollars: 0 } } = trial
  const others = (input - calls.inputTokens) * pricing.input + (output - calls.outputTokens) * pricing.output
  return 1000 * (others / 1e6 + calls.dollars)
}

/** Table of dollars per 1,000 queries by trial; null if the config names no price. */
export function dollarsTable(summary: Summary): Html | null {
  const { pricing, trials, primary, context } = summary
  if (!pricing) return null
  const count = (head: string, of: (trial: TrialSummary) => number, note?: string): Column<TrialSummary> => ({
    head,
    note,
    html: (trial) => quantity(Math.round(of(trial))),
    value: of,
  })
  const { model, input, output } = pricing
  return htmlTable<TrialSummary>({
    id: 'dollars',
    caption: html`Dollars per 1,000 queries with <bdi>${model}</bdi> at $${input} per million input tokens and $${output} per million output tokens (${pricing.source}, ${pricing.date ?? 'undated'}). Tokens counted per query: the first ${plural(context.chunks, 'chunk')}, evidence, the question with an instruction, and the strategy's own model calls${trials.some(({ calls }) => calls && calls.dollars > 0) ? '; calls to models with their own price use that price' : ''}. Answer tokens are not counted: they cost the same in all trials.`,
    columns: [
      { head: 'trial', left: true, html: ({ name }) => name },
      count(`first ${plural(context.chunks, 'chunk')}`, ({ perQuery }) => perQuery.tokens ?? 0, 'tokens'),
      count('evidence', ({ perQuery }) => perQuery.evidenceTokens ?? 0, 'tokens'),
      count('prompt', () => pricing.promptTokens, 'tokens'),
      count('model calls, input', ({ perQuery }) => perQuery.inputTokens ?? 0, 'tokens'),
      count('model calls, output', ({ perQuery }) => perQuery.outputTokens ?? 0, 'tokens'),
      {
        head: 'dollars',
        note: 'per 1,000 queries',
        html: (trial) => dollarsInWords(trialDollars(trial, pricing)),
        value: (trial) => trialDollars(trial, pricing),
      },
    ],
    rows: trials.filter(isWhole).sort((a, b) => b.measures[primary].mean - a.measures[primary].mean),
    shown: SHOWN,
    sortable: true,
  })
}
