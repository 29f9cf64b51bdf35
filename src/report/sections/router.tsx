import type { RoutingSummary, Summary } from '../../results/summary.ts'
import type { Chart, ChartRow } from '../charts/chart.ts'
import { heatSpec } from '../charts/heat.ts'
import { heatStep } from '../charts/theme.ts'
import { htmlTable } from '../components/html-table.tsx'
import { signOf } from '../measured.ts'
import { confidence } from '../notes.ts'
import { percent, plural, points, quantity } from '../numbers.ts'
import { ROUNDING } from '../outcome.ts'
import { joined, say } from '../words.tsx'
import { Figure, type PageData, type PageSection } from './section.tsx'

/** Routers against the best single arm and the perfect choice. */
export function routerSection({ summary }: Pick<PageData, 'summary'>): PageSection | null {
  if (summary.routing.length === 0) return null
  const parts = summary.routing.map((router, index) => {
    const chart = confusionChart(router, index)
    const body = [
      <p>{findings(summary, router)}</p>,
      chart && <Figure chart={chart} />,
      arms(summary, router, index),
    ]
    return { chart, body }
  })
  return {
    id: 'router',
    title: summary.routing.length === 1 ? 'Router' : 'Routers',
    body: parts.map(({ body }) => body),
    charts: parts.flatMap(({ chart }) => chart ?? []),
  }
}

function findings(summary: Summary, router: RoutingSummary) {
  const { primary } = summary
  const { name, mean, best, oracle, tied, missing } = router
  const named = <bdi>{name}</bdi>
  if (missing.length > 0) {
    const [arms, it] =
      missing.length === 1 ? ['one arm is no trial', 'it'] : ['some arms are no trials', 'them']
    const codes = joined(
      missing.map((arm) => <code>{arm}</code>),
      ' and ',
    )
    return say`${named} reaches ${primary} of ${percent(mean)}. The best possible choice is unknown: ${arms} of this grid. Add ${codes} to ${<code>trials</code>}, with the params that the router gives ${it} and the router's transforms.`
  }
  if (!best || oracle === null || tied === null) return null
  const queries = router.arms.reduce((sum, { chosen }) => sum + chosen, 0)
  const sign = signOf(summary)
  const lead = sign * (mean - best.mean)
  const left = sign * (oracle - mean)
  const size = (difference: number) => points(Math.abs(difference)).replace('+', '')
  const arm = say`always taking ${<bdi>{best.name}</bdi>}, its best single arm${best.heldOut && ', selected on other queries'}`
  const against =
    Math.abs(lead) < ROUNDING
      ? say`the same as ${arm}`
      : say`${size(lead)} points ${lead > 0 ? 'better' : 'worse'} than ${arm}`
  const more =
    left < ROUNDING
      ? 'No other choice of arms would score better.'
      : `A perfect choice for each query would reach ${percent(oracle)}, ${size(left)} points better.`
  return say`${named} reaches ${primary} of ${percent(mean)}, ${against}. ${more} ${headroom(router)} On ${percent(tied, 0)} % of ${plural(queries, 'query', 'queries')} all arms score the same, so the choice does not matter.${learned(router)}`
}

function learned({ fitted }: RoutingSummary) {
  if (!fitted) return null
  const { offered, features } = fitted
  const isMany = features.length > 1
  const by = [...new Set(features)].map((feature) => {
    const quoted = feature !== null && (
      <q>
        <bdi>{feature}</bdi>
      </q>
    )
    const count = features.filter((value) => value === feature).length
    return say`${quoted ? say`by ${quoted}` : 'always the best single arm'}${isMany && ` (${count})`}`
  })
  return say` It was fitted on queries that do not score it, ${isMany ? `in ${features.length} models` : 'in one model'} that may select by ${offered === 1 ? 'one feature' : `one of ${quantity(offered)} features of the question and of the arms' own lists`}: ${joined(by)}. It runs all of its arms, so it costs as much as all arms together.`
}

function headroom({ share }: RoutingSummary): string {
  if (!share) return 'No choice is better than that arm alone, so a router can gain nothing.'
  const { value, low, high, n, level } = share
  const between = (low: number, high: number) =>
    `${confidence(level)}interval [${percent(low, 0)}, ${percent(high, 0)}] %, uncorrected`
  const sure =
    low === null || high === null
      ? 'too few queries differ for an interval'
      : low <= 0 && value > 0
        ? `${between(low, high)}: it may as well be none`
        : between(low, high)
  // A share that rounds to 0 has no sign.
  const shown = `${percent(Math.abs(value) < 0.005 ? 0 : value, 0)} % (${sure}; ${plural(n, 'query', 'queries')})`
  return value > 0
    ? `It gains ${shown} of the difference between that arm and a perfect choice.`
    : `It gains nothing of the difference between that arm and a perfect choice: ${shown}.`
}

function armMean(summary: Summary, trial: string | null): number | null {
  return summary.trials.find(({ id }) => id === trial)?.measures[summary.primary]?.mean ?? null
}

function confusionChart({ name, arms, confusion }: RoutingSummary, index: number): Chart | null {
  if (!confusion) return null
  const most = Math.max(...confusion.flat())
  const total = confusion.flat().reduce((sum, count) => sum + count, 0)
  const right = confusion.reduce((sum, row, arm) => sum + row[arm], 0)
  const rows = arms.flatMap((chosen, y) =>
    arms.map(
      (best, x): ChartRow => ({
        y: chosen.name,
        x: best.name,
        n: confusion[y][x],
        text: quantity(confusion[y][x]),
        step: heatStep(confusion[y][x], 0, most),
      }),
    ),
  )
  return {
    id: `confusion-${index}`,
    cell: 130,
    spec: heatSpec(
      { x: 'chosen arm ↓, best arm →', y: null },
      { x: 'best arm', y: 'chosen arm', text: 'queries' },
    ),
    rows,
    caption: say`Queries by the arm that ${<bdi>{name}</bdi>} chose (down) and the arm that was best (across). On the diagonal no other arm was better: ${quantity(right)} of ${plural(total, 'query', 'queries')}. Off the diagonal are routing errors: the arm above is better than the chosen arm on the left.`,
    label: `Queries by chosen and by best arm of ${name}; ${right} of ${total} on the diagonal`,
  }
}

function arms(summary: Summary, { arms, confusion }: RoutingSummary, index: number) {
  const total = Math.max(
    1,
    arms.reduce((sum, { chosen }) => sum + chosen, 0),
  )
  type Arm = RoutingSummary['arms'][number]
  return htmlTable<Arm>({
    id: `arms-${index}`,
    caption: `The arms: each alone on every query, how often it was chosen${confusion ? ', and how often no other arm was better' : ''}.`,
    columns: [
      { head: 'arm', left: true, html: ({ name }) => name },
      {
        head: summary.primary,
        note: 'alone',
        html: ({ trial }) => (trial === null ? 'not in the grid' : percent(armMean(summary, trial))),
        value: ({ trial }) => armMean(summary, trial),
      },
      {
        head: 'chosen',
        note: 'queries',
        html: ({ chosen }) =>
          say`${quantity(chosen)} ${<span class="interval">{percent(chosen / total, 0)} %</span>}`,
        value: ({ chosen }) => chosen,
      },
      ...(confusion
        ? [{ head: 'correct', note: 'queries', value: (_: Arm, arm: number) => confusion[arm][arm] }]
        : []),
    ],
    rows: arms,
  })
}
