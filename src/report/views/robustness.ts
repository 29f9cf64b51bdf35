import { SHARE } from '../../metrics/range.ts'
import type { Results } from '../../results/read.ts'
import type { TrialSummary } from '../../results/summary.ts'
import type { Correction } from '../../statistics/compare.ts'
import { compareTrials } from '../../statistics/compare.ts'
import type { Comparison } from '../../statistics/comparison.ts'
import { canonical } from '../../store/hash.ts'
import type { Json } from '../../types.ts'
import { term } from '../glossary.ts'
import { html } from '../html.ts'
import { confidence } from '../leaderboard-rows.ts'
import { measured, signOf } from '../measured.ts'
import { testName } from '../notes.ts'
import { corrected, percent, plural, points, quantity } from '../numbers.ts'
import { isIdentical, limitsInWords, VERDICT_MARKS } from '../outcome.ts'
import { type Column, htmlTable } from '../table.ts'
import type { PageSection } from './section.ts'

/** Maximum number of trials shown, best first; each is tested with every noise. */
const MAX = 20

/** Test settings if the experiment has no comparison. */
const DEFAULTS = { level: 0.05, correction: 'max-t', draws: 10_000 }

/** Section of the loss of each trial under each noise; null if no trial exists both with and without noise. */
export function robustnessView({ summary, scores, queries }: Results): PageSection | null {
  const { trials, primary } = summary
  const sign = signOf(summary)
  const quality = ({ clean }: Pair) => sign * trials[clean].measures[primary].mean
  const all = pairsOf(trials).sort((a, b) => quality(b) - quality(a))
  const cleans = [...new Set(all.map(({ clean }) => clean))].slice(0, MAX)
  const pairs = all.filter(({ clean }) => cleans.includes(clean))
  const values = scores.get(primary)
  if (pairs.length === 0 || !values) return null
  const { level, correction, draws } = summary.comparison ?? DEFAULTS
  const indexes = [...new Set(pairs.flatMap(({ clean, noisy }) => [clean, noisy]))]
  const n = queries.id.length
  const compared = compareTrials({
    names: indexes.map(String),
    matrix: indexes.map((index) => values.subarray(index * n, (index + 1) * n)),
    family: pairs.map(({ clean, noisy }) => ({ name: String(noisy), baseline: String(clean) })),
    ...{ level, correction: correction as Correction, draws, seed: 0 },
    better: sign > 0 ? 'higher' : 'lower',
    range: SHARE,
    clusters: queries.cluster,
  })
  const rows = new Map(pairs.map(({ clean, noise }, index) => [`${clean} ${noise}`, compared[index]]))
  const noises = [...new Set(pairs.map(({ noise }) => noise))].sort(
    (a, b) => firstOf(pairs, a) - firstOf(pairs, b),
  )
  const worse = compared.filter(({ verdict }) => verdict === 'worse').length
  const columns: Column<number>[] = [
    { head: 'trial', left: true, html: (index) => trials[index].name },
    {
      head: primary,
      note: 'without noise',
      html: (index) => measured(summary, primary, trials[index].measures[primary].mean),
      value: (index) => trials[index].measures[primary].mean,
    },
    ...noises.map(
      (noise): Column<number> => ({
        head: labelOf(noise, noises),
        html: (index) => lossCell(rows.get(`${index} ${noise}`)),
        value: (index) => rows.get(`${index} ${noise}`)?.difference ?? null,
      }),
    ),
  ]
  const list = htmlTable<number>({
    id: 'robustness-table',
    caption: html`${primary} with noisy questions minus ${primary} without noise, in points, with ${term('simultaneous interval', `simultaneous ${confidence(level)}intervals`)} of the ${term('paired difference', 'paired differences')}. ▲ better, ▼ worse, ○ cannot tell: ${term('paired test', testName(compared, draws))}, ${corrected(correction)} over the ${plural(pairs.length, 'pair')} of this table.${all.length > pairs.length ? ` Only the best ${MAX} trials without noise are shown.` : null} n = ${plural(compared[0].n, 'query', 'queries')}. All trials receive the same noise, so rows are comparable.`,
    columns,
    rows: cleans,
    sortable: true,
  })
  const body = html`<p>Loss when users misspell words, omit words or ignore case: significant in ${quantity(worse)} of ${plural(pairs.length, 'pair')} of trials.</p>${list}`
  return { id: 'robustness', title: 'Robustness', body, charts: [] }
}

/** Indexes of two trials that differ only in noise, and the noise as JSON. */
interface Pair {
  readonly clean: number
  readonly noisy: number
  readonly noise: string
}

function pairsOf(trials: readonly TrialSummary[]): Pair[] {
  const cleans = new Map<string, number>()
  trials.forEach((trial, index) => {
    if (!trial.before.some(isNoise)) cleans.set(withoutNoise(trial), index)
  })
  return trials.flatMap((trial, noisy): Pair[] => {
    const noises = trial.before.filter(isNoise)
    const clean = cleans.get(withoutNoise(trial))
    return noises.length === 0 || clean === undefined ? [] : [{ clean, noisy, noise: canonical(noises) }]
  })
}

/** Canonical JSON of a trial without its noise. */
function withoutNoise({ strategy, params, before, after, variant }: TrialSummary): string {
  return canonical({ strategy, params, before: before.filter((one) => !isNoise(one)), after, variant })
}

type NoiseParams = { readonly kind: string; readonly share: number; readonly seed: number }

function isNoise(choice: Json): choice is { readonly noise: NoiseParams } {
  return typeof choice === 'object' && choice !== null && 'noise' in choice
}

function firstOf(pairs: readonly Pair[], noise: string): number {
  return Math.min(...pairs.filter((pair) => pair.noise === noise).map(({ noisy }) => noisy))
}

/** `typos 10 %`, `drop 20 % + lowercase`; with the seed if two noises differ only in it. */
function labelOf(noise: string, noises: readonly string[]): string {
  const words = (list: string, seeds: boolean) =>
    (JSON.parse(list) as { noise: NoiseParams }[])
      .map(({ noise: { kind, share, seed } }) =>
        kind === 'typos' || kind === 'drop'
          ? `${kind} ${percent(share, Number.isInteger(100 * share) ? 0 : 1)} %${seeds ? ` seed ${seed}` : ''}`
          : kind,
      )
      .join(' + ')
  const same = noises.filter((other) => words(other, false) === words(noise, false))
  return words(noise, same.length > 1)
}

function lossCell(row: Comparison | undefined) {
  if (!row) return ''
  if (isIdentical(row)) return 'identical'
  return html`${points(row.difference)} ${VERDICT_MARKS[row.verdict]} <span class="interval under">${limitsInWords(row)}</span>`
}
