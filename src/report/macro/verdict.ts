import type { MacroSummary } from '../../results/macro.ts'
import type { ComparedRow } from '../../results/summary.ts'
import { FEWEST_QUERIES } from '../../statistics/verdict.ts'
import { type Html, html } from '../html.ts'
import { signOf } from '../measured.ts'
import { comparedName, differencesTo, macroNote, missingInWords, tuningInWords } from '../notes.ts'
import { equals, interval, percent, points, pointsInterval } from '../numbers.ts'
import { countOf, isIdentical, lossesOf, lossInWords, tiedWith } from '../outcome.ts'
import { rivals, type Standing } from '../standings.ts'
import type { Section } from '../views/section.ts'

/** Who leads over the data sets, how sure that is, and where it depends on the data set: in words. */
export function verdictView(macro: MacroSummary, rows: readonly Standing[]): Section {
  const { comparison } = macro
  const missing = missingInWords(macro)
  const pairs = comparison?.family === 'pairs'
  const compared = comparison?.rows ?? []
  const item = (title: string, found: readonly ComparedRow[]) =>
    found.length > 0
      ? html`<li><b>${title}.</b> <bdi>${found.map(comparedName(macro)).join(', ')}</bdi>.</li>`
      : null
  const words = (verdict: ComparedRow['verdict']) =>
    item(
      (pairs ? PAIRED : WORDS)[verdict],
      compared.filter((row) => row.verdict === verdict && !isIdentical(row)),
    )
  const items = [
    compared.some((row) => countOf(row) < FEWEST_QUERIES)
      ? html`<li><b class="warning">Too few queries.</b> Below ${FEWEST_QUERIES} queries in all no row is called better or worse, whatever p is.</li>`
      : null,
    losing(macro, rows),
    words('better'),
    words('worse'),
    words('equivalent'),
    words('cannot tell'),
    item(
      pairs ? 'Identical on every query' : 'Identical to the baseline on every query',
      compared.filter(isIdentical),
    ),
    turning(macro),
    missing.length > 0
      ? html`<li><b class="warning">Failures.</b> Without a macro mean, because every query failed or a race stopped the trial there: ${missing.join(', ')}.</li>`
      : null,
  ]
  return {
    id: 'verdict',
    title: 'Verdict',
    body: html`${lead(macro, rows)}<ul class="findings">${items}</ul><p>${macroNote(macro)} ${tuningInWords(macro).replaceAll('`', '')}</p>`,
    charts: [],
  }
}

function lead(macro: MacroSummary, rows: readonly Standing[]): Html {
  const { primary } = macro
  const [winner, ...others] = rivals(rows, macro)
  if (!winner) return html`<p class="lead">No row was scored on every dataset.</p>`
  const { mean, low, high } = winner.whole
  const ties = tiedWith([winner, ...others]).map(({ name }) => name)
  const who =
    others.length === 0
      ? 'is the only row'
      : ties.length > 0
        ? html`and <bdi>${ties.join(', ')}</bdi> tie`
        : 'leads'
  return html`<p class="lead"><strong><bdi>${winner.name}</bdi></strong> ${who}: a macro mean of <strong>${percent(mean)}</strong> <span class="interval">${interval(low, high)}</span> in ${primary}. ${againstBaseline(macro, winner.row, others.length)}</p>`
}

function losing(macro: MacroSummary, rows: readonly Standing[]): Html | null {
  const all = rivals(rows, macro)
  const losses = all.length > 0 ? lossesOf(all, signOf(macro)) : []
  if (losses.length === 0) return null
  return html`<li><b class="warning">Where it loses.</b> <bdi>${all[0].name}</bdi> is far behind another row on <bdi>${losses.map(lossInWords).join('; ')}</bdi>. Their intervals do not overlap there; this is a description, not a test.</li>`
}

const WORDS = {
  better: 'Better than the baseline',
  worse: 'Worse than the baseline',
  equivalent: 'Equivalent to the baseline',
  'cannot tell': 'Undecided',
} as const

/** A pair is named `a − b`. */
const PAIRED = {
  better: 'The first of the pair is better',
  worse: 'The first of the pair is worse',
  equivalent: 'Equivalent to one another',
  'cannot tell': 'Undecided',
} as const

function againstBaseline(
  macro: MacroSummary,
  { compared, baseline }: Standing,
  others: number,
): Html | string {
  if (baseline)
    return others === 0
      ? 'It is the baseline; there is nothing else to compare it with.'
      : 'It is the baseline: no other row has a better macro mean.'
  if (!compared) return ''
  const name = html`<bdi>${differencesTo(macro)}</bdi>`
  if (isIdentical(compared)) return html`It scores the same as the baseline, ${name}, on every query.`
  return html`The difference to ${name} is ${points(compared.difference)} points <span class="interval">${pointsInterval(compared.low, compared.high)}</span>, adjusted p ${equals(compared.adjusted)}: ${compared.verdict}.`
}

/** Rows that one dataset's own result calls better and another's worse: the macro mean alone would hide it. */
function turning(macro: MacroSummary): Html | null {
  const names = (macro.comparison?.rows ?? [])
    .filter(({ datasets }) => {
      const verdicts = datasets.map(({ verdict }) => verdict)
      return verdicts.includes('better') && verdicts.includes('worse')
    })
    .map(comparedName(macro))
  if (names.length === 0) return null
  return html`<li><b class="warning">It depends on the dataset.</b> Better on one and worse on another: <bdi>${names.join(', ')}</bdi>.</li>`
}
