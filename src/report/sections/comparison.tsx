import type { ComparedRow } from '../../results/summary.ts'
import type { Verdict } from '../../statistics/compare.ts'
import type { Board } from '../board.ts'
import type { Chart, ChartSpec } from '../charts/chart.ts'
import { BETTER, FAINT, UNCLEAR, WORSE } from '../charts/theme.ts'
import { htmlTable, TRIAL } from '../components/html-table.tsx'
import { term } from '../glossary.tsx'
import { signOf } from '../measured.ts'
import { comparedName, confidence, differencesTo, MARKS_NOTE, namesOf, testName } from '../notes.ts'
import { corrected, plural, points, probability } from '../numbers.ts'
import { countVerdicts, limitsInWords, markLegend, VERDICT_MARKS, verdictWord } from '../outcome.ts'
import type { Column } from '../table.ts'
import { say } from '../words.tsx'
import { Figure, type PageData, type PageSection } from './section.tsx'

const DRAWN = 30

/** Forest plot and table of the tested differences. */
export function comparisonSection({ board }: Pick<PageData, 'board'>): PageSection | null {
  const { comparison } = board
  if (!comparison || comparison.rows.length === 0) return null
  const names = namesOf(board)
  const pairs = comparison.family === 'pairs'
  const datasets = board.isMacro ? board.datasets : []
  const rows = [...comparison.rows].sort((a, b) => b.difference - a.difference)
  const chart: Chart = {
    id: 'forest',
    ...forest(board, rows.slice(0, DRAWN)),
    caption: say`${term('paired difference', 'Paired differences')} from ${differencesTo(board)} with ${term('simultaneous interval', `simultaneous ${confidence(comparison.level)}intervals`)}. ${signOf(board) > 0 ? 'Right' : 'Left'} of zero is better. ${legend(rows)}; ${corrected(comparison.correction, comparison.rows)} over ${plural(comparison.rows.length, 'comparison')}${rows.length > DRAWN && `; the ${DRAWN} with the largest difference are drawn`}. n = ${plural(countVerdicts(rows[0]), 'query', 'queries')}.`,
  }
  const list = htmlTable<ComparedRow>({
    id: 'comparison-table',
    caption: say`Counts and effects: difference in points; p of the ${term('paired test', testName(comparison.rows, comparison.draws))} and ${term('adjusted p')} (${corrected(comparison.correction, comparison.rows)}); queries won, tied and lost; ${term('effect size', 'Cohen’s d')} of the paired differences; ${term('minimum detectable effect')} (MDE) at 80 % power in points (–: no interval).${comparison.margin !== null && ` Equivalent: the whole interval lies within ±${points(comparison.margin).replace('+', '')} points.`}${datasets.length > 0 && ` The test is stratified by dataset. ${MARKS_NOTE}`}`,
    columns: [
      TRIAL,
      ...(pairs
        ? [
            {
              head: 'against',
              left: true as const,
              html: (row: ComparedRow) => names.get(row.baseline) ?? row.baseline,
            },
          ]
        : []),
      ...datasets.map(
        ({ name }, index): Column<ComparedRow> => ({
          head: name,
          html: ({ datasets: strata }) =>
            strata[index].n > 0 ? marked(strata[index].difference, strata[index].verdict) : '–',
          value: ({ datasets: strata }) => (strata[index].n > 0 ? strata[index].difference : null),
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

/** A forest plot of compared rows; without an interval, the point alone. */
function forest(board: Board, rows: readonly ComparedRow[], height?: number) {
  const measure = board.comparison?.measure ?? ''
  const nameOf = comparedName(board)
  return {
    spec: forestSpec(`difference in ${measure}, points`, height),
    rows: rows.map((row) => ({
      name: nameOf(row),
      difference: row.difference,
      low: row.low ?? row.difference,
      high: row.high ?? row.difference,
      adjusted: row.adjusted,
      verdict: verdictWord(row),
    })),
    label: `Differences in ${measure} of ${rows.length} comparisons with intervals`,
  }
}

function legend(rows: readonly ComparedRow[]) {
  const [before, after] = markLegend(rows).split('equivalent')
  const hasNone = rows.some(({ low, p }) => low === null && p !== null)
  return say`${before}${after !== undefined && term('equivalent')}${after}${hasNone && ', no line: too few queries differ for an interval'}`
}

const FEW = 6

export function differencesChart(board: Board): Chart | null {
  const { comparison } = board
  if (!comparison || comparison.rows.length === 0) return null
  const all = [...comparison.rows].sort((a, b) => b.difference - a.difference)
  // The best and the worst.
  const rows = all.length > FEW ? [...all.slice(0, FEW - 1), all[all.length - 1]] : all
  return {
    id: 'verdict',
    ...forest(board, rows, 22),
    caption: say`${term('paired difference', 'Paired differences')} from ${differencesTo(board)} with ${term('simultaneous interval', 'simultaneous intervals')}; n = ${plural(countVerdicts(rows[0]), 'query', 'queries')}.${all.length > FEW && ` The best ${FEW - 1} and the worst of ${all.length} rows.`} ${legend(all)}. ${<a href="#comparison">All tests</a>}.`,
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

const VERDICTS = ['better', 'worse', 'equivalent', 'cannot tell', 'identical']
const EQUALS = 'M-0.8,-0.3H0.8M-0.8,0.3H0.8'

/** Differences with intervals; the zero line is the baseline. */
export function forestSpec(title: string, height = 26): ChartSpec {
  const x = {
    field: 'difference',
    type: 'quantitative',
    axis: {
      title: `${title} →`,
      format: '+.0%',
      tickCount: 7,
      labelExpr: "datum.value == 0 ? '0' : format(100 * datum.value, '+.0f')",
    },
  }
  const y = { field: 'name', type: 'nominal', sort: null, axis: { title: null } }
  const color = {
    field: 'verdict',
    type: 'nominal',
    legend: null,
    scale: { domain: VERDICTS, range: [BETTER, WORSE, FAINT, UNCLEAR, FAINT] },
  }
  return {
    height: { step: height },
    resolve: { scale: { fill: 'independent', stroke: 'independent', color: 'independent' } },
    layer: [
      {
        mark: { type: 'rule', color: FAINT, strokeWidth: 1 },
        encoding: { x: { datum: 0, type: 'quantitative' } },
      },
      {
        mark: { type: 'rule', strokeWidth: 2 },
        encoding: { x: { ...x, field: 'low' }, x2: { field: 'high' }, y, color },
      },
      {
        mark: { type: 'point', size: 90, strokeWidth: 2 },
        encoding: {
          x,
          y,
          stroke: color,
          // Hollow for "cannot tell".
          fill: { ...color, scale: { ...color.scale, range: [BETTER, WORSE, FAINT, 'var(--paper)', FAINT] } },
          shape: {
            field: 'verdict',
            type: 'nominal',
            legend: null,
            scale: { domain: VERDICTS, range: ['triangle-up', 'triangle-down', 'square', 'circle', EQUALS] },
          },
          tooltip: [
            { field: 'name', title: 'trial' },
            { field: 'difference', format: '+.1%' },
            { field: 'verdict' },
          ],
        },
      },
    ],
  }
}
