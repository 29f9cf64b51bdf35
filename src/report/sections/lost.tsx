import { stageOrder } from '../../results/flipped.ts'
import type { Latency } from '../../results/latency.ts'
import type { TrialSummary } from '../../results/summary.ts'
import type { Chart, ChartSpec } from '../charts/chart.ts'
import { htmlTable, TRIAL } from '../components/html-table.tsx'
import { Key, SHAPES } from '../components/strategy-marks.tsx'
import { milliseconds, percent, plural, quantity } from '../numbers.ts'
import { representing } from '../representatives.ts'
import { stageName, stageWords } from '../stage-words.ts'
import type { Column } from '../table.ts'
import { say } from '../words.tsx'
import { Figure, type PageData, type PageSection } from './section.tsx'

const FOUND = 'found'
const SQUARE = SHAPES[1].path

/** Gold lost by stage, and the searches that found the rest. */
export function lostSection({ summary, chosen }: Pick<PageData, 'summary' | 'chosen'>): PageSection | null {
  const trials = chosen.map((index) => summary.trials[index])
  const stages = stagesOf(trials)
  if (trials.length === 0 || stages.length === 0) return null
  const { gold } = summary.datasets[0]
  const lossy = stages.filter((stage) => stage !== FOUND)
  const nameOf = (stage: string) => stageName(stage, summary.depth)
  const chart: Chart = {
    id: 'funnel',
    spec: funnelSpec(lossy.map(nameOf), gold),
    rows: trials.flatMap((trial) =>
      lossy.map((stage, index) => ({
        name: trial.name,
        stage: nameOf(stage),
        place: index,
        lost: lostIn(trial, stage),
        gold,
      })),
    ),
    caption: `Gold labels lost by stage: each label counts at the stage that lost it. Stages are in the order of the key, the earliest first; shorter bars are better. ${representing(summary)}; n = ${plural(gold, 'gold label')} of ${plural(summary.datasets[0].judged, 'query', 'queries')}.`,
    label: `Gold labels lost by stage for ${trials.length} trials`,
    above: (
      <Key
        entries={lossy.map((stage, index) => ({
          name: nameOf(stage),
          words: stageWords(stage),
          hue: index + 1,
          shape: SQUARE,
        }))}
      />
    ),
  }
  const counts = htmlTable<TrialSummary>({
    id: 'funnel-table',
    caption: `Counts; each row adds up to the number of gold labels.`,
    columns: [
      TRIAL,
      ...stages.map(
        (stage): Column<TrialSummary> => ({ head: nameOf(stage), value: (trial) => lostIn(trial, stage) }),
      ),
    ],
    rows: trials,
  })
  return {
    id: 'lost',
    title: 'Lost gold',
    body: [<Figure chart={chart} />, counts, channels(trials)],
    charts: [chart],
  }
}

/** In funnel order; `found` last. */
function stagesOf(trials: readonly TrialSummary[]): string[] {
  const seen = new Set<string>()
  for (const { funnel } of trials)
    for (const { stage, lost } of funnel) if (lost > 0 && stage !== FOUND) seen.add(stage)
  const placeOf = stageOrder(trials)
  return [...[...seen].sort((a, b) => placeOf(a) - placeOf(b)), FOUND]
}

function lostIn({ funnel }: TrialSummary, stage: string): number {
  return funnel.find((row) => row.stage === stage)?.lost ?? 0
}

/** Search combinations that found gold, by trial. */
function channels(trials: readonly TrialSummary[]) {
  const sets = [...new Set(trials.flatMap((trial) => Object.keys(trial.channels)))]
  if (sets.length === 0) return null
  const single = ['dense', 'lexical', 'graph', 'external', 'corpus'].filter((channel) =>
    sets.some((set) => set.split('+').includes(channel)),
  )
  const total = (set: string) => trials.reduce((sum, trial) => sum + (trial.channels[set] ?? 0), 0)
  const rows = sets.sort((a, b) => total(b) - total(a))
  const foundIn = (trial: TrialSummary) =>
    Math.max(
      1,
      Object.values(trial.channels).reduce((a, b) => a + b, 0),
    )
  return htmlTable<TrialSummary>({
    id: 'channels',
    caption: `Searches that found the gold. Each column is a combination of searches (● found it: ${single.join(', ')}); bars show its share of the labels that a trial found${sets.includes('none') ? '; none: found only in a ranking that is not a single search' : ''}.`,
    columns: [
      TRIAL,
      ...rows.map(
        (set): Column<TrialSummary> => ({
          head: set.replaceAll('+', ' + '),
          note: single.map((channel) => (set.split('+').includes(channel) ? '●' : '○')).join(' '),
          html: (trial) => {
            const count = trial.channels[set] ?? 0
            if (count === 0) return <span class="interval">0</span>
            const share = count / foundIn(trial)
            const bar = (
              <svg class="share" viewBox="0 0 40 8" aria-hidden="true">
                <rect width={(40 * share).toFixed(1)} height="8" />
              </svg>
            )
            return say`${quantity(count)} ${bar} ${<span class="interval">{percent(share, 0)} %</span>}`
          },
          value: (trial) => trial.channels[set] ?? 0,
        }),
      ),
    ],
    rows: trials,
  })
}

function funnelSpec(stages: readonly string[], gold: number): ChartSpec {
  return {
    height: { step: 26 },
    mark: { type: 'bar', height: { band: 0.72 }, stroke: 'var(--paper)', strokeWidth: 1 },
    encoding: {
      y: { field: 'name', type: 'nominal', sort: null, axis: { title: null } },
      x: {
        field: 'lost',
        type: 'quantitative',
        stack: 'zero',
        scale: { nice: true },
        axis: { title: `gold labels lost, of ${gold} →`, tickCount: 6, tickMinStep: 1, format: ',d' },
      },
      color: {
        field: 'stage',
        type: 'nominal',
        legend: null,
        scale: { domain: stages, range: stages.map((_, index) => `var(--hue-${index + 1})`) },
      },
      order: { field: 'place', type: 'quantitative' },
      tooltip: [
        { field: 'name', title: 'trial' },
        { field: 'stage' },
        { field: 'lost', title: 'gold labels' },
      ],
    },
  }
}

export function adviceSection({ summary, latency, chosen }: PageData): PageSection | null {
  const best = summary.trials[chosen[0] ?? -1]
  const advice = best ? adviceOn(best, latency) : []
  if (advice.length === 0) return null
  const body = (
    <>
      <p>
        Heuristic suggestions for <bdi>{best.name}</bdi>; verify them with another run.
      </p>
      <ul class="findings">
        {advice.map(({ observed, likely, next }) => (
          <li>
            {observed}. Likely: {likely}. Try: {next}.
          </li>
        ))}
      </ul>
    </>
  )
  return { id: 'advice', title: 'What to try next', body, charts: [] }
}

interface Advice {
  readonly observed: string
  readonly likely: string
  readonly next: string
}

/** Row of seed document 001's table "Interpreting results"; null if its condition does not hold. */
type Rule = (trial: TrialSummary, latency: Latency | null) => Advice | null

/** Thresholds: gap between cutoffs, recall, median in milliseconds. */
const LARGE = 0.15
const LOW = 0.5
const SLOW = 1000
/** Shares of gold found by one search alone: minimum, and maximum of the other. */
const MAX = 0.3
const LITTLE = 0.05

const rankedLow: Rule = ({ measures }) => {
  const [first, ...deeper] = recalls(measures)
  const last = deeper.at(-1)
  if (!first || !last || first.mean >= 0.8 || last.mean - first.mean < LARGE || last.mean < LOW) return null
  return {
    observed: `recall@${first.k} is ${percent(first.mean)}, recall@${last.k} ${percent(last.mean)}`,
    likely: 'relevant passages are found but ranked low',
    next: 'tune weights, or rerank the first ranks',
  }
}

const foundNowhere: Rule = ({ measures }) => {
  const last = recalls(measures).at(-1)
  if (!last || last.mean >= LOW) return null
  return {
    observed: `recall@${last.k}, the deepest cutoff measured, is ${percent(last.mean)}`,
    likely: 'questions and relevant passages share few terms, or chunking splits the passages',
    next: 'look at lost gold below, then try query expansion, another embedder, or larger chunks',
  }
}

const oneSided =
  (side: string, other: string, advice: Omit<Advice, 'observed'>): Rule =>
  ({ channels }) => {
    const both = channels[[side, other].sort().join('+')] ?? 0
    const [onlyThis, others] = [channels[side] ?? 0, channels[other] ?? 0]
    const all = onlyThis + others + both
    if (all === 0 || (both === 0 && others === 0) || onlyThis / all < MAX || others / all > LITTLE)
      return null
    const observed = `${percent(onlyThis / all)} % of the retrieved gold is found only by ${side} search, ${percent(others / all)} % only by ${other} search`
    return { observed, ...advice }
  }

const wordsFindMost = oneSided('lexical', 'dense', {
  likely: 'dense search adds little',
  next: 'give lexical search more weight (a lower `alpha`), or try another embedder',
})

const vectorsFindMost = oneSided('dense', 'lexical', {
  likely: 'questions use other words than the texts',
  next: 'expand the query (synonyms, terms from a model), or give dense search more weight',
})

const slow: Rule = ({ id }, latency) => {
  const p50 = latency?.trials.find((trial) => trial.id === id)?.p50.value
  if (p50 === undefined || p50 < SLOW) return null
  return {
    observed: `the median query takes ${milliseconds(p50)} ms`,
    likely: 'a model is called per query, or too many chunks are reranked',
    next: 'use a smaller or local model, or rerank fewer chunks',
  }
}

const RULES: readonly Rule[] = [rankedLow, foundNowhere, wordsFindMost, vectorsFindMost, slow]

export function adviceOn(trial: TrialSummary, latency: Latency | null): Advice[] {
  return RULES.flatMap((rule) => rule(trial, latency) ?? [])
}

function recalls(measures: TrialSummary['measures']): { readonly k: number; readonly mean: number }[] {
  return Object.entries(measures)
    .flatMap(([name, { mean, n }]) => {
      const k = /^recall@(\d+)$/.exec(name)?.[1]
      return k === undefined || n === 0 || mean === null ? [] : [{ k: Number(k), mean }]
    })
    .sort((a, b) => a.k - b.k)
}
