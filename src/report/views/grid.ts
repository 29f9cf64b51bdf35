import type { Summary } from '../../results/summary.ts'
import type { Chart } from '../charts/chart.ts'
import { heatSpec } from '../charts/heat.ts'
import { MAX_LINES, parallelRows, parallelSpec } from '../charts/parallel.ts'
import { term } from '../glossary.ts'
import { type ParamEffect, paramEffects } from '../grid-params.ts'
import { html } from '../html.ts'
import { strategiesOf } from '../leaderboard-rows.ts'
import { percent, points } from '../numbers.ts'
import { htmlTable } from '../table.ts'
import { figure, type PageSection } from './section.ts'

/** Section of a heatmap over two params selected by the reader, and the importance of each param; null without a grid. */
export function gridView(summary: Summary): PageSection | null {
  const strategies = strategiesOf(summary.trials)
  const effects = strategies
    .map((strategy) => paramEffects(summary, strategy))
    .filter((list) => list.length > 0)
    .sort((a, b) => cells(b) - cells(a))
  if (effects.length === 0) return null
  // The page's script fills the heatmap from each strategy's params, those with most values first.
  const controls = effects.map((list) => ({
    strategy: list[0].strategy,
    params: list.map(({ param }) => param),
  }))
  const chart: Chart = {
    id: 'grid',
    cell: 110,
    spec: heatSpec({ x: ' ', y: ' ' }, { x: 'across', y: 'down', text: 'percent' }),
    rows: null,
    caption: html`<span id="grid-caption">The mean of a measure, in percent, over two params of a grid.</span> The stronger the colour, the higher. Each cell averages over all params that are not shown.`,
    label: 'A heatmap of a measure over two params',
  }
  const lines = effects
    .filter((list) => list.length >= 3)
    .map((list, index) => parallelChart(summary, list, index))
  const importance = htmlTable<ParamEffect>({
    id: 'importance',
    caption: html`Importance of each param: ${term('marginal mean')} of ${summary.primary} for each value, spread between the best and the worst value in points, and ${term('share of variance', 'share of the variance')} between the strategy's trials that the param alone explains.`,
    columns: [
      { head: 'strategy', left: true, html: ({ strategy }) => strategy },
      { head: 'param', left: true, html: ({ param }) => param },
      {
        head: 'means by value',
        left: true,
        html: ({ values }) =>
          html`${values.slice(0, 8).map(({ text, mean }) => html`<span class="pair"><span class="params">${text}</span> ${percent(mean)}</span> `)}${values.length > 8 ? '…' : null}`,
      },
      {
        head: 'best value',
        left: true,
        html: ({ values }) => values.reduce((a, b) => (b.mean > a.mean ? b : a)).text,
      },
      {
        head: 'spread',
        note: 'points',
        html: ({ spread }) => points(spread).replace('+', ''),
        value: ({ spread }) => spread,
      },
      {
        head: 'share',
        note: 'of variance',
        html: ({ share }) => `${percent(share, 0)} %`,
        value: ({ share }) => share,
      },
    ],
    rows: effects.flat().sort((a, b) => b.spread - a.spread),
    shown: 20,
  })
  return {
    id: 'grid',
    title: 'Parameters',
    body: html`${figure(chart)}${lines.map(figure)}${importance}`,
    charts: [chart, ...lines],
    meta: { grid: controls },
  }
}

/** Parallel coordinates of a grid over three or more params, the most important param next to the measure. */
function parallelChart(summary: Summary, effects: readonly ParamEffect[], index: number): Chart {
  const { primary } = summary
  const [{ strategy }] = effects
  const params = [...effects].sort((a, b) => a.share - b.share).map(({ param }) => param)
  const all = summary.trials.filter((trial) => trial.strategy === strategy).length
  return {
    id: `parallel-${index}`,
    spec: parallelSpec([...params, primary]),
    rows: parallelRows(summary, strategy, params),
    caption: html`Every trial of <bdi>${strategy}</bdi> as a line through its params to its ${primary} in percent (right). Lines of a stronger colour are better trials and lie higher within a value; if they share one value, that value matters. The most important param is on the right. n = ${all > MAX_LINES ? `the best ${MAX_LINES} of ${all}` : all} trials.`,
    label: `${primary} of the trials of ${strategy} in parallel coordinates over ${params.join(', ')}`,
  }
}

function cells([first, second]: readonly ParamEffect[]): number {
  return first.values.length * (second?.values.length ?? 1)
}
