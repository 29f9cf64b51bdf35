import { describe, expect, test } from 'vitest'
import { compileChart } from '../../src/report/charts/chart.ts'
import { heatSpec } from '../../src/report/charts/heat.ts'
import { type ParetoPoint, paretoRows, paretoSpec } from '../../src/report/charts/pareto.ts'
import { THEME } from '../../src/report/charts/theme.ts'
import { SHAPES } from '../../src/report/components/strategy-marks.tsx'
import { forestSpec } from '../../src/report/sections/comparison.tsx'

const point = (x: number, more: Partial<ParetoPoint> = {}): ParetoPoint => ({
  name: `at ${x}`,
  strategy: 'ten signs.',
  x,
  y: 0.5,
  low: 0.4,
  high: 0.6,
  chosen: true,
  ...more,
})

/** Each layer and each other field on a line of its own. */
const lines = (spec: Readonly<Record<string, unknown>>) =>
  Object.entries(spec).flatMap(([key, value]) =>
    Array.isArray(value) && key === 'layer'
      ? value.map((one) => `  layer ${JSON.stringify(one)}`)
      : [`  ${key} ${JSON.stringify(value)}`],
  )

test('pictures are drawn as they were reviewed', async () => {
  const rows = paretoRows([point(1, { xLow: 0.5, xHigh: 2 }), point(100, { strategy: 'bm25' })])
  const specs = {
    forest: forestSpec('recall@5'),
    heat: heatSpec({ x: 'category', y: null }),
    'heat with names': heatSpec({ x: null, y: 'k1' }, { x: 'b', y: 'k1', text: 'recall' }, 22),
    pareto: paretoSpec(['bm25'], rows, { x: 'tokens', y: 'recall' }, ',d'),
  }
  const text = Object.entries({
    ...specs,
    theme: THEME as Record<string, unknown>,
    shapes: { ...SHAPES },
  }).flatMap(([name, spec]) => [name, ...lines(spec)])
  await expect(`${text.join('\n')}\n`).toMatchFileSnapshot('charts.txt')
})

describe('a compiled chart', () => {
  const chart = (spec: object, more: object = {}) => ({
    id: 'a',
    label: 'A picture',
    caption: 'x',
    rows: null,
    spec: spec as Record<string, unknown>,
    ...more,
  })
  const SPEC = { height: 10, mark: 'point', encoding: { x: { field: 'a', type: 'quantitative' } } }

  test('has its table column by column, with seven digits', () => {
    const rows = [{ a: 1 / 3, b: 'x' }, { a: 2, c: true }, { b: null }]
    const { columns, cell, label } = compileChart(chart(SPEC, { rows, cell: 30 }))
    expect(columns).toEqual({ a: [0.3333333, 2, null], b: ['x', null, null], c: [null, true, null] })
    expect([cell, label]).toEqual([30, 'A picture'])
  })
})
