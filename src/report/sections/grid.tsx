import type { Chart } from '../charts/chart.ts'
import { heatSpec } from '../charts/heat.ts'
import { htmlTable } from '../components/html-table.tsx'
import { term } from '../glossary.tsx'
import { type ParamEffect, paramEffects } from '../grid-params.ts'
import { percent, points } from '../numbers.ts'
import { strategiesOf } from '../representatives.ts'
import { say } from '../words.tsx'
import type { PageData, PageSection } from './section.tsx'

/** Heatmap over two params, and the importance of each. */
export function gridSection({ summary }: Pick<PageData, 'summary'>): PageSection | null {
  const strategies = strategiesOf(summary.trials)
  const effects = strategies
    .map((strategy) => paramEffects(summary, strategy))
    .filter((list) => list.length > 0)
    .sort((a, b) => cells(b) - cells(a))
  if (effects.length === 0) return null
  const controls = effects.map((list) => ({
    strategy: list[0].strategy,
    params: list.map(({ param }) => param),
  }))
  const chart: Chart = {
    id: 'grid',
    cell: 110,
    spec: heatSpec({ x: ' ', y: ' ' }, { x: 'across', y: 'down', text: 'percent' }),
    rows: null,
    caption: null,
    label: 'A heatmap of a measure over two params',
  }
  const importance = htmlTable<ParamEffect>({
    id: 'importance',
    caption: say`Importance of each param: ${term('marginal mean')} of ${summary.primary} for each value, spread between the best and the worst value in points, and ${term('share of variance', 'share of the variance')} between the strategy's trials that the param alone explains.`,
    columns: [
      { head: 'strategy', left: true, html: ({ strategy }) => strategy },
      { head: 'param', left: true, html: ({ param }) => param },
      {
        head: 'means by value',
        left: true,
        html: ({ values }) =>
          say`${values.slice(0, 8).map(({ text, mean }) => [
            <span class="pair">
              <span class="params">{text}</span> {percent(mean)}
            </span>,
            ' ',
          ])}${values.length > 8 && '…'}`,
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
    body: [<div data-figure="grid" />, importance],
    charts: [chart],
    meta: { grid: controls },
  }
}

function cells([first, second]: readonly ParamEffect[]): number {
  return first.values.length * (second?.values.length ?? 1)
}
