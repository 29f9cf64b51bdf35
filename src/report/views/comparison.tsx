import type { ComparedRow } from '../../results/summary.ts'
import type { Verdict } from '../../statistics/comparison.ts'
import type { Board } from '../board.ts'
import type { Chart } from '../charts/chart.ts'
import { forestSpec } from '../charts/forest.ts'
import { htmlTable, TRIAL } from '../components/html-table.tsx'
import { term } from '../glossary.tsx'
import { signOf } from '../measured.ts'
import { comparedName, confidence, differencesTo, MARKS_NOTE, testName } from '../notes.ts'
import { corrected, plural, points, probability } from '../numbers.ts'
import { countVerdicts, limitsInWords, markLegend, VERDICT_MARKS, verdictWord } from '../outcome.ts'
import type { Column } from '../table.ts'
import { say } from '../words.tsx'
import { Figure, type PageSection } from './section.tsx'

/** Drawn comparisons. */
const DRAWN = 30

/** Forest plot and table of the tested differences. */
export function comparisonView(board: Board): PageSection | null {
  const { comparison, ranked, seen } = board
  if (!comparison || comparison.rows.length === 0) return null
  const names = new Map([...ranked, ...seen].map(({ id, name }) => [id, name]))
  const pairs = comparison.family === 'pairs'
  const nameOf = (id: string) => names.get(id) ?? id
  const title = (row: ComparedRow) => (pairs ? `${row.name} − ${nameOf(row.baseline)}` : row.name)
  const datasets = board.isMacro ? board.datasets : []
  const rows = [...comparison.rows].sort((a, b) => b.difference - a.difference)
  const against = pairs ? 'the second trial of the pair' : nameOf(comparison.baseline)
  const chart: Chart = {
    id: 'forest',
    spec: forestSpec(`difference in ${comparison.measure}, points`),
    rows: rows
      .slice(0, DRAWN)
      .map((row) => ({
        name: title(row),
        difference: row.difference,
        ...drawnLimits(row),
        adjusted: row.adjusted,
        verdict: verdictWord(row),
      })),
    caption: say`${term('paired difference', 'Paired differences')} from ${against} with ${term('simultaneous interval', `simultaneous ${confidence(comparison.level)}intervals`)}. ${signOf(board) > 0 ? 'Right' : 'Left'} of zero is better. ${legend(rows)}; ${corrected(comparison.correction, comparison.rows)} over ${plural(comparison.rows.length, 'comparison')}${rows.length > DRAWN && `; the ${DRAWN} with the largest difference are drawn`}. n = ${plural(countVerdicts(rows[0]), 'query', 'queries')}.`,
    label: `Differences in ${comparison.measure} of ${rows.length} comparisons with intervals`,
  }
  const list = htmlTable<ComparedRow>({
    id: 'comparison-table',
    caption: say`Counts and effects: difference in points; p of the ${term('paired test', testName(comparison.rows, comparison.draws))} and ${term('adjusted p')} (${corrected(comparison.correction, comparison.rows)}); queries won, tied and lost; ${term('effect size', 'Cohen’s d')} of the paired differences; ${term('minimum detectable effect')} (MDE) at 80 % power in points (–: no interval).${comparison.margin !== null && ` Equivalent: the whole interval lies within ±${points(comparison.margin).replace('+', '')} points.`}${datasets.length > 0 && ` The test is stratified by dataset. ${MARKS_NOTE}`}`,
    columns: [
      TRIAL,
      ...(pairs
        ? [{ head: 'against', left: true as const, html: (row: ComparedRow) => nameOf(row.baseline) }]
        : []),
      ...datasets.map(
        ({ name }, index): Column<ComparedRow> => ({
          head: name,
          html: ({ datasets: own }) =>
            own[index].n > 0 ? marked(own[index].difference, own[index].verdict) : '–',
          value: ({ datasets: own }) => (own[index].n > 0 ? own[index].difference : null),
        }),
      ),
      {
        head: datasets.length > 0 ? 'macro mean' : 'difference',
        format: 'points',
        value: ({ difference }) => difference,
      },
      ...TESTED,
    ],
    rows,
    shown: 40,
    sortable: true,
  })
  return {
    id: 'comparison',
    title: pairs ? 'Pairwise comparison' : 'Comparison with the baseline',
    body: [<Figure chart={chart} />, list],
    charts: [chart],
  }
}

/** Without an interval, the point alone. */
function drawnLimits({ low, high, difference }: ComparedRow) {
  return { low: low ?? difference, high: high ?? difference }
}

function legend(rows: readonly ComparedRow[]) {
  const [before, after] = markLegend(rows).split('equivalent')
  return say`${before}${after !== undefined && term('equivalent')}${after}`
}

const FEW = 6

/** Chart of the first screen. */
export function differencesChart(board: Board): Chart | null {
  const { comparison } = board
  if (!comparison || comparison.rows.length === 0) return null
  const nameOf = comparedName(board)
  const all = [...comparison.rows].sort((a, b) => b.difference - a.difference)
  // The best and the worst.
  const rows = all.length > FEW ? [...all.slice(0, FEW - 1), all[all.length - 1]] : all
  return {
    id: 'verdict',
    spec: { ...forestSpec(`difference in ${comparison.measure}, points`), height: { step: 22 } },
    rows: rows.map((row) => ({
      name: nameOf(row),
      difference: row.difference,
      ...drawnLimits(row),
      verdict: verdictWord(row),
    })),
    caption: say`${term('paired difference', 'Paired differences')} from ${differencesTo(board)} with ${term('simultaneous interval', 'simultaneous intervals')}; n = ${plural(countVerdicts(rows[0]), 'query', 'queries')}.${all.length > FEW && ` The best ${FEW - 1} and the worst of ${all.length} rows.`} ${legend(all)}. ${<a href="#comparison">All tests</a>}.`,
    label: `Differences in ${comparison.measure} of ${rows.length} comparisons with intervals`,
  }
}

function marked(difference: number, verdict: Verdict | null) {
  if (!verdict) return points(difference)
  return (
    <span class={verdict.replace(' ', '-')} title={verdict}>
      {VERDICT_MARKS[verdict]} {points(difference)}
    </span>
  )
}

const TESTED: readonly Column<ComparedRow>[] = [
  { head: 'interval', html: (row) => <span class="interval">{limitsInWords(row)}</span> },
  { head: 'p', html: ({ p }) => probability(p), value: ({ p }) => p },
  { head: 'adjusted p', html: ({ adjusted }) => probability(adjusted), value: ({ adjusted }) => adjusted },
  { head: 'win / tie / loss', html: ({ wins, ties, losses }) => `${wins} / ${ties} / ${losses}` },
  {
    head: "Cohen's d",
    html: ({ effect, detectable }) => (detectable === null ? '–' : points(effect / 100, 2).replace('+', '')),
    value: ({ effect, detectable }) => (detectable === null ? null : effect),
  },
  {
    head: 'MDE (80 %)',
    html: ({ detectable }) => (detectable === null ? '–' : points(detectable).replace('+', '')),
    value: ({ detectable }) => detectable,
  },
  {
    head: 'verdict',
    left: true,
    html: (row) => <span class={row.verdict.replace(' ', '-')}>{verdictWord(row)}</span>,
    value: ({ verdict }) => verdict,
  },
]
