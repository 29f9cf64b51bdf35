import type { Results } from '../../results/read.ts'
import type { TrialSummary } from '../../results/summary.ts'
import { compareTrials } from '../../statistics/compare.ts'
import type { Comparison } from '../../statistics/comparison.ts'
import type { Correction } from '../../statistics/correction.ts'
import { SHARE } from '../../statistics/range.ts'
import { canonical } from '../../store/hash.ts'
import type { Json } from '../../types.ts'
import { html } from '../html.ts'
import { confidence } from '../leaderboard-rows.ts'
import { measured, signOf } from '../measured.ts'
import { corrected, percent, plural, points, pointsInterval, quantity } from '../numbers.ts'
import { isIdentical, VERDICT_MARKS } from '../outcome.ts'
import { isWhole } from '../raced.ts'
import { htmlTable, type PageSection, type TableColumn } from './section.ts'

/** Trials that are shown, the best first: the sight of more tells nobody more, and each is tested with every noise. */
const MAX = 20

/** Where the experiment compares nothing itself. */
const OTHERWISE = { level: 0.05, correction: 'max-t', draws: 10_000 }

/** What each trial loses under each noise that stands before the same trial otherwise. Null where there is no such pair. */
export function robustnessView({ summary, scores, queries }: Results): PageSection | null {
  const { trials, primary } = summary
  const sign = signOf(summary)
  const quality = ({ clean }: Pair) => sign * trials[clean].measures[primary].mean
  const all = pairsOf(trials).sort((a, b) => quality(b) - quality(a))
  const cleans = [...new Set(all.map(({ clean }) => clean))].slice(0, MAX)
  const pairs = all.filter(({ clean }) => cleans.includes(clean))
  const values = scores.get(primary)
  if (pairs.length === 0 || !values) return null
  const { level, correction, draws } = summary.comparison ?? OTHERWISE
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
  const columns: TableColumn<number>[] = [
    { head: 'trial', text: true, cell: (index) => trials[index].name },
    {
      head: primary,
      note: 'without noise',
      cell: (index) => measured(summary, primary, trials[index].measures[primary].mean),
      value: (index) => trials[index].measures[primary].mean,
    },
    ...noises.map(
      (noise): TableColumn<number> => ({
        head: labelOf(noise, noises),
        cell: (index) => lossCell(rows.get(`${index} ${noise}`)),
        value: (index) => rows.get(`${index} ${noise}`)?.difference ?? null,
      }),
    ),
  ]
  const list = htmlTable<number>({
    id: 'robustness-table',
    caption: html`The trial with noise in its questions minus the same trial without, in ${primary}, in points, with ${confidence(level)}intervals of the paired differences, which hold together. ▲ better, ▼ worse, ○ cannot tell: paired randomization test with ${quantity(draws)} draws, ${corrected(correction)} over the ${plural(pairs.length, 'pair')} of this table.${all.length > pairs.length ? ` The ${MAX} trials that are best without noise are shown.` : null} n = ${plural(compared[0].n, 'query', 'queries')}. The same seed disturbs every trial's questions alike, so a row can be compared with the next.`,
    columns,
    rows: cleans,
    sortable: true,
  })
  const body = html`<p>What is lost when people misspell, leave words out or do not care about case: ${plural(worse, 'loss', 'losses')} in ${plural(pairs.length, 'pair')} of trials ${worse === 1 ? 'is' : 'are'} more than chance.</p>${list}`
  return { id: 'robustness', title: 'Robustness', body, charts: [] }
}

/** Two trials that differ in noise alone: their places, and the noise as JSON. */
interface Pair {
  readonly clean: number
  readonly noisy: number
  readonly noise: string
}

function pairsOf(trials: readonly TrialSummary[]): Pair[] {
  const cleans = new Map<string, number>()
  trials.forEach((trial, index) => {
    // What a race stopped was run on fewer queries than the other of its pair.
    if (!trial.before.some(isNoise) && isWhole(trial)) cleans.set(withoutNoise(trial), index)
  })
  return trials.flatMap((trial, noisy): Pair[] => {
    const noises = trial.before.filter(isNoise)
    const clean = cleans.get(withoutNoise(trial))
    return noises.length === 0 || clean === undefined || !isWhole(trial)
      ? []
      : [{ clean, noisy, noise: canonical(noises) }]
  })
}

/** Everything of a trial but its noise. */
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

/** `typos 10 %`, `drop 20 % + lowercase`; with the seed where another noise differs in nothing else. */
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
  return html`${points(row.difference)} ${VERDICT_MARKS[row.verdict]} <span class="interval under">${pointsInterval(row.low, row.high)}</span>`
}
