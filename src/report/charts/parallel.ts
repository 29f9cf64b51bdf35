import type { Summary } from '../../results/summary.ts'
import { compareValues, paramText } from '../grid-params.ts'
import { percent } from '../numbers.ts'
import type { ChartRow, ChartSpec } from './chart.ts'
import { HEAT, heatScale, heatStep, RULE } from './theme.ts'

/** Lines drawn: the best of a larger grid. */
export const MAX_LINES = 300

/** The ramp without its palest steps, which a thin line on paper would lose. */
const LINES = HEAT.map((_, step) => HEAT[Math.max(step, 2)])

/**
 * Rows of a picture in parallel coordinates: one line a trial, one axis a param and a last one for the primary measure.
 * Each value of a param has a band of its axis, in which lines are ordered by quality, so that none hides another.
 */
export function parallelRows(summary: Summary, strategy: string, params: readonly string[]): ChartRow[] {
  const { primary } = summary
  const trials = summary.trials
    .filter((trial) => trial.strategy === strategy)
    .sort((a, b) => a.measures[primary].mean - b.measures[primary].mean)
    .slice(-MAX_LINES)
  const means = trials.map(({ measures }) => measures[primary].mean)
  const [low, high] = [means[0], means[means.length - 1]]
  const within = (index: number) => 0.15 + (0.7 * index) / Math.max(1, trials.length - 1)
  const rows: ChartRow[] = []
  params.forEach((param, order) => {
    const values = [...new Set(trials.map((trial) => paramText(trial, param)))].sort(compareValues)
    const bandOf = new Map(values.map((value, band) => [value, band]))
    values.forEach((text, band) => {
      rows.push({ kind: 'value', axis: param, order, position: (band + 0.5) / values.length, text })
    })
    trials.forEach((trial, index) => {
      const band = bandOf.get(paramText(trial, param)) ?? 0
      rows.push(line(trial.name, index, param, order, (band + within(index)) / values.length))
    })
  })
  trials.forEach(({ name }, index) => {
    const position = high > low ? (means[index] - low) / (high - low) : 0.5
    rows.push(line(name, index, primary, params.length, 0.04 + 0.92 * position))
  })
  for (const [mean, position] of high > low
    ? [[low, 0.04] as const, [high, 0.96] as const]
    : [[low, 0.5] as const])
    rows.push({ kind: 'value', axis: primary, order: params.length, position, text: percent(mean) })
  return rows

  function line(trial: string, index: number, axis: string, order: number, position: number): ChartRow {
    const mean = means[index]
    return { kind: 'trial', trial, axis, order, position, mean, step: heatStep(mean, low, high) }
  }
}

export function parallelSpec(axes: readonly string[]): ChartSpec {
  const x = {
    field: 'axis',
    type: 'ordinal',
    scale: { type: 'point', domain: axes, padding: 0.35 },
    axis: { title: null, orient: 'top', labelAngle: 0, ticks: false, labelOverlap: false },
  }
  const y = { field: 'position', type: 'quantitative', scale: { domain: [0, 1] }, axis: null }
  const only = (kind: string) => [{ filter: `datum.kind == '${kind}'` }]
  const last = JSON.stringify(axes[axes.length - 1])
  const labels = (where: string, align: string, dx: number) => ({
    transform: [...only('value'), { filter: where }],
    mark: {
      type: 'text',
      align,
      dx,
      fontSize: 11,
      fontWeight: 600,
      limit: 110,
      stroke: 'var(--paper)',
      strokeWidth: 7,
    },
    encoding: { x, y, text: { field: 'text', type: 'nominal' } },
  })
  return {
    height: 260,
    layer: [
      { transform: only('value'), mark: { type: 'rule', color: RULE, strokeWidth: 1 }, encoding: { x } },
      {
        transform: only('trial'),
        mark: { type: 'line', strokeWidth: 1.75, opacity: 0.85, tooltip: { content: 'data' } },
        encoding: {
          x,
          y,
          detail: { field: 'trial' },
          order: { field: 'order', type: 'quantitative' },
          color: { field: 'step', type: 'ordinal', legend: null, scale: heatScale(LINES) },
          tooltip: [
            { field: 'trial', type: 'nominal' },
            { field: 'mean', type: 'quantitative', format: '.1%' },
          ],
        },
      },
      // The measure is labelled next to its axis, where no line goes on; a param's values are labelled among the lines, on a background.
      labels(`datum.axis != ${last}`, 'right', -8),
      labels(`datum.axis == ${last}`, 'left', 8),
    ],
  }
}
