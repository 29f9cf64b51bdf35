import type { ComparedMacro, MacroSummary } from '../../results/macro.ts'
import { type Html, html } from '../html.ts'
import { interval, percent, points, pointsInterval, probability } from '../numbers.ts'
import type { Section } from '../views/section.ts'
import {
  type BoardRow,
  comparedName,
  macroBaseline,
  macroNote,
  missingInWords,
  tuningInWords,
} from './board.ts'

/** Who leads over the data sets, how sure that is, and where it depends on the data set: in words. */
export function verdictView(macro: MacroSummary, rows: readonly BoardRow[]): Section {
  const { primary, comparison } = macro
  const [winner] = rows
  const missing = missingInWords(macro)
  const pairs = comparison?.family === 'pairs'
  const lead = winner?.macro
    ? html`<p class="lead"><strong><bdi>${winner.name}</bdi></strong> leads: a macro mean of <strong>${percent(winner.macro[primary].mean)}</strong> <span class="interval">${interval(winner.macro[primary].low, winner.macro[primary].high)}</span> in ${primary}. ${againstBaseline(macro, winner)}</p>`
    : html`<p class="lead">No row was scored on every dataset.</p>`
  const words = (verdict: ComparedMacro['verdict']) => {
    const names =
      comparison?.rows.filter((row) => row.verdict === verdict).map((row) => comparedName(macro, row)) ?? []
    return names.length > 0
      ? html`<li><b>${pairs ? PAIRED[verdict] : WORDS[verdict]}.</b> <bdi>${names.join(', ')}</bdi>.</li>`
      : null
  }
  const items = [
    words('better'),
    words('worse'),
    words('equivalent'),
    words('cannot tell'),
    turning(macro),
    missing.length > 0
      ? html`<li><b class="warning">Failures.</b> On every query, so without a macro mean: ${missing.join(', ')}.</li>`
      : null,
  ]
  return {
    id: 'verdict',
    title: 'Verdict',
    body: html`${lead}<ul class="findings">${items}</ul><p>${macroNote(macro)} ${tuningInWords(macro).replaceAll('`', '')}</p>`,
    charts: [],
  }
}

const WORDS = {
  better: 'Better than the baseline',
  worse: 'Worse than the baseline',
  equivalent: 'Equivalent to the baseline',
  'cannot tell': 'Cannot be told',
} as const

/** A pair is named `a − b`. */
const PAIRED = {
  better: 'The first of the pair is better',
  worse: 'The first of the pair is worse',
  equivalent: 'Equivalent to one another',
  'cannot tell': 'Cannot be told',
} as const

function againstBaseline(macro: MacroSummary, { compared, baseline }: BoardRow): Html | string {
  if (baseline) return 'It is the baseline: nothing that was tried beats it.'
  if (!compared) return ''
  return html`To <bdi>${macroBaseline(macro)}</bdi> that is ${points(compared.difference)} points <span class="interval">${pointsInterval(compared.low, compared.high)}</span>, adjusted p ${probability(compared.adjusted)}: ${compared.verdict}.`
}

/** Rows that one dataset's own result calls better and another's worse: the macro mean alone would hide it. */
function turning(macro: MacroSummary): Html | null {
  const names = (macro.comparison?.rows ?? [])
    .filter(({ datasets }) => {
      const verdicts = datasets.map(({ verdict }) => verdict)
      return verdicts.includes('better') && verdicts.includes('worse')
    })
    .map((row) => comparedName(macro, row))
  if (names.length === 0) return null
  return html`<li><b class="warning">It depends on the dataset.</b> Better on one and worse on another: <bdi>${names.join(', ')}</bdi>.</li>`
}
