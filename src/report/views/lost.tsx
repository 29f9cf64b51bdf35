import { stageOrder } from '../../results/stage-order.ts'
import type { Summary, TrialSummary } from '../../results/summary.ts'
import type { Chart, ChartSpec } from '../charts/chart.ts'
import { SHAPES } from '../charts/strategy-marks.ts'
import { htmlTable, TRIAL } from '../components/html-table.tsx'
import { Key } from '../components/key.tsx'
import { percent, plural, quantity } from '../numbers.ts'
import { representing } from '../representatives.ts'
import { stageName, stageWords } from '../stage-words.ts'
import type { Column } from '../table.ts'
import { say } from '../words.tsx'
import { Figure, type PageSection } from './section.tsx'

const FOUND = 'found'
const SQUARE = SHAPES[1].path

/** Gold lost by stage, and the searches that found the rest. */
export function lostView(summary: Summary, chosen: readonly number[]): PageSection | null {
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
  const found = (trial: TrialSummary) =>
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
            const share = count / found(trial)
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
