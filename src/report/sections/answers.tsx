import type { AnswersSummary, ComparedRow, JudgeSummary, Summary } from '../../results/summary.ts'
import type { Board } from '../board.ts'
import type { Chart, ChartSpec } from '../charts/chart.ts'
import { htmlTable } from '../components/html-table.tsx'
import { colour, Key, marked, shape } from '../components/strategy-marks.tsx'
import { term } from '../glossary.tsx'
import { interval, percent, plural, points } from '../numbers.ts'
import { limitsInWords, verdictWord } from '../outcome.ts'
import type { Column } from '../table.ts'
import { say } from '../words.tsx'
import { Figure, type PageData, type PageSection } from './section.tsx'

const MAX_PANELS = 4

export function answersSection({ summary, board }: Pick<PageData, 'summary' | 'board'>): PageSection | null {
  const { answers } = summary
  if (!answers || answers.rows.length === 0) return null
  const chart = gainChart(summary, answers, board)
  const body = (
    <>
      <p>
        Each answerer answered every question from the context of each finalist. Answers did not affect the
        selection of trials. Their measures and costs are rows of the <a href="#leaderboard">leaderboard</a>:
        its column menu has every measure.
      </p>
      {warnings(answers).map((warning) => (
        <p class="warning">{warning}</p>
      ))}
      {chart && <Figure chart={chart} />}
      {answerersTable(answers)}
      {answers.judges && judgesTable(answers.judges)}
    </>
  )
  return { id: 'answers', title: 'Answers', body, charts: chart ? [chart] : [] }
}

function warnings({ rows, judges = [], primary }: AnswersSummary): string[] {
  const cut = [...rows, ...judges].reduce((sum, row) => sum + (row.cut ?? 0), 0)
  const estimated = rows.reduce((sum, row) => sum + (row.estimated ?? 0), 0)
  return [
    rows.every(({ measures }) => measures[primary].n === 0) &&
      `No question counts for ${primary}: no answer could be compared.`,
    cut > 0 &&
      `${plural(cut, 'completion')} ${cut === 1 ? 'was' : 'were'} cut at maxTokens. A cut answer is scored as it is; raise maxTokens of the model.`,
    estimated > 0 &&
      `Tokens of ${plural(estimated, 'answer')} are estimated: the server reported no count or an impossible one.`,
  ].filter((warning) => warning !== false)
}

/** Answer quality against retrieval quality; null for fewer than two trials. */
function gainChart(summary: Summary, { rows, primary }: AnswersSummary, board: Board): Chart | null {
  const trials = new Map(summary.trials.map((trial) => [trial.id, trial]))
  const drawn = rows.flatMap(({ trial, answerer, measures }) => {
    const retrieved = trial && trials.get(trial.id)
    const answered = measures[primary]
    if (!retrieved || answered.n === 0) return []
    const estimate = retrieved.measures[summary.primary]
    return [
      {
        name: retrieved.name,
        strategy: retrieved.strategy,
        answerer,
        x: estimate.mean,
        xLow: estimate.low ?? estimate.mean,
        xHigh: estimate.high ?? estimate.mean,
        y: answered.mean,
        yLow: answered.low ?? answered.mean,
        yHigh: answered.high ?? answered.mean,
      },
    ]
  })
  const answerers = [...new Set(drawn.map(({ answerer }) => answerer))].slice(0, MAX_PANELS)
  if (new Set(drawn.map(({ name }) => name)).size < 2) return null
  return {
    id: 'answers',
    spec: answersSpec(board.strategies, answerers, { x: summary.primary, y: primary }),
    rows: drawn,
    caption: `Effect of retrieval on answers. Right: better retrieval; up: better answers; lines: 95 % intervals of each mean. If the points do not rise, better retrieval did not improve the answers.`,
    label: `${primary} of answers against ${summary.primary} of retrieval, ${plural(drawn.length, 'point')}`,
    above: <Key entries={marked(board.strategies)} />,
  }
}

function differenceOf(row: ComparedRow) {
  return say`${points(row.difference)} ${<span class="interval">{limitsInWords(row)}</span>}`
}

function answerersTable({ rows, answerers, primary }: AnswersSummary) {
  if (!answerers) return null
  const first = rows.find(({ id }) => id === answerers.baseline)
  const [head, title] = ['difference', 'points, with intervals that are simultaneous over the answerers']
  return htmlTable({
    id: 'answerers-table',
    caption: say`Answerers over the baseline trial${first?.trial && say`, ${<bdi>{first.trial.name}</bdi>}`}: ${primary} minus that of ${<bdi>{first?.answerer ?? 'the first answerer'}</bdi>}, by a paired test.`,
    columns: [
      { head: 'answerer', left: true, html: ({ name }) => <bdi>{name}</bdi> },
      { head, title, html: differenceOf, value: ({ difference }) => difference },
      { head: 'verdict', left: true, html: verdictWord },
    ],
    rows: [...answerers.rows].sort((a, b) => b.difference - a.difference),
    shown: 30,
    sortable: true,
  })
}

/** A point per trial with both intervals, a panel per answerer. */
function answersSpec(
  strategies: readonly string[],
  answerers: readonly string[],
  titles: { readonly x: string; readonly y: string },
): ChartSpec {
  const rule = { type: 'rule', strokeWidth: 1, opacity: 0.5 }
  const tooltip = [
    { field: 'name', title: 'trial' },
    { field: 'x', title: titles.x, format: '.1%' },
    { field: 'y', title: titles.y, format: '.1%' },
  ]
  const panel = (answerer: string) => ({
    height: 240,
    title: { text: answerer, anchor: 'start', fontSize: 12, fontWeight: 'normal' },
    transform: [{ filter: { field: 'answerer', equal: answerer } }],
    encoding: {
      x: {
        field: 'x',
        type: 'quantitative',
        scale: { zero: false, nice: true, padding: 14 },
        axis: { title: `${titles.x} →`, grid: false, format: '.0%', tickCount: 5 },
      },
      y: {
        field: 'y',
        type: 'quantitative',
        scale: { zero: false },
        axis: { title: `↑ ${titles.y}`, format: '.0%', tickCount: 6 },
      },
      color: colour(strategies),
    },
    layer: [
      { mark: rule, encoding: { y: { field: 'yLow' }, y2: { field: 'yHigh' } } },
      { mark: rule, encoding: { x: { field: 'xLow' }, x2: { field: 'xHigh' } } },
      { mark: { type: 'point', size: 70 }, encoding: { shape: shape(strategies), tooltip } },
    ],
  })
  return answerers.length === 1
    ? panel(answerers[0])
    : { vconcat: answerers.map((answerer) => ({ ...panel(answerer), width: 560 })) }
}

export function judgesTable(judges: readonly JudgeSummary[]) {
  const labelled = judges.some(({ agreement }) => agreement)
  const columns: Column<JudgeSummary>[] = [
    { head: 'judge', left: true, html: ({ name }) => <bdi>{name}</bdi> },
    ...(labelled
      ? ([
          {
            head: 'agrees with labels',
            title: 'share of labelled answers on which judge and label agree; 0.5 or more is yes',
            html: ({ agreement }) =>
              agreement && agreement.n > 0
                ? say`${percent(agreement.share.mean)} ${<span class="interval">{interval(agreement.share.low, agreement.share.high)}</span>}`
                : '–',
          },
          {
            head: 'kappa',
            title: "Cohen's kappa: 1 is full agreement, 0 is chance",
            html: ({ agreement }) => (agreement?.kappa == null ? '–' : agreement.kappa.toFixed(2)),
          },
          { head: 'labels', html: ({ agreement }) => agreement?.n ?? '–' },
        ] satisfies Column<JudgeSummary>[])
      : []),
    { head: 'model calls', value: ({ modelCalls }) => modelCalls },
    { head: 'input tokens', value: ({ inputTokens }) => inputTokens },
    { head: 'output tokens', value: ({ outputTokens }) => outputTokens },
    { head: 'cut', title: 'calls that were cut at `maxTokens`', value: ({ cut = 0 }) => cut },
    { head: 'no verdict', value: ({ failed }) => failed },
  ]
  return htmlTable({
    id: 'judges',
    caption: labelled
      ? say`Cost and reliability of the LLM judges. Agreement with human labels, also beyond chance (${term('kappa')}), shows how often a judge errs.`
      : say`Cost of the LLM judges. Without human labels (${<code>labels</code>}) the error rate of a judge is unknown.`,
    columns,
    rows: [...judges],
  })
}
