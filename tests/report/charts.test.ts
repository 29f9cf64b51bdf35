import { describe, expect, test } from 'vitest'
import { compileChart } from '../../src/report/charts/chart.ts'
import { forestSpec } from '../../src/report/charts/forest.ts'
import { heatSpec } from '../../src/report/charts/heat.ts'
import { type ParetoPoint, paretoRows, paretoSpec } from '../../src/report/charts/pareto.ts'
import { SHAPES } from '../../src/report/charts/strategy-marks.ts'
import { HEAT, HEAT_INK, heatAt, heatStep, THEME } from '../../src/report/charts/theme.ts'
import { markup } from '../../src/report/html.ts'

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

describe('the ramp', () => {
  test('has nine steps, and an ink for each', () => {
    expect([HEAT.length, HEAT[0], HEAT[8]]).toEqual([9, 'var(--heat-0)', 'var(--heat-8)'])
    expect([HEAT_INK.length, HEAT_INK[8]]).toEqual([9, 'var(--heat-ink-8)'])
  })

  test.each([
    [10, 10, 28, 0],
    [11.9, 10, 28, 0],
    [12, 10, 28, 1],
    [27.9, 10, 28, 8],
    [5, 10, 28, 0],
    [99, 10, 28, 8],
    [5, 9, 3, 4],
  ])('shows %f between %f and %f by step %i', (value, low, high, step) => {
    expect(heatStep(value, low, high)).toBe(step)
  })

  test.each([
    [1, [8]],
    [2, [8, 4]],
    [3, [8, 6, 4]],
    [6, [8, 7, 6, 5, 4, 3]],
    [9, [8, 7, 7, 6, 5, 4, 4, 3, 2]],
  ])('goes over %i entries from the strongest to a pale step', (count, steps) => {
    expect(Array.from({ length: count }, (_, index) => heatAt(index, count))).toEqual(steps)
  })
})

describe('a compiled chart', () => {
  const chart = (spec: object, more: object = {}) => ({
    id: 'a',
    label: 'A picture',
    caption: markup('x'),
    rows: null,
    spec: spec as Record<string, unknown>,
    ...more,
  })
  const SPEC = { height: 10, mark: 'point', encoding: { x: { field: 'a', type: 'quantitative' } } }

  test('has its table column by column, with seven digits', () => {
    const rows = [{ a: 1 / 3, b: 'x' }, { a: 2, c: true }, { b: null }]
    const { columns, cell, label, vegaLite } = compileChart(chart(SPEC, { rows, cell: 30 }))
    expect(columns).toEqual({ a: [0.3333333, 2, null], b: ['x', null, null], c: [null, true, null] })
    expect([cell, label]).toEqual([30, 'A picture'])
    expect(vegaLite).toEqual({
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      data: { name: 'rows' },
      width: 640,
      autosize: { type: 'fit-x', contains: 'padding' },
      ...SPEC,
    })
  })

  test('without a table or a width of its cells says so, and is compiled once', () => {
    const [one, other] = [compileChart(chart(SPEC)), compileChart(chart(SPEC, { id: 'b' }))]
    expect([one.columns, one.cell]).toEqual([null, null])
    expect(other.vega).toBe(one.vega)
    expect(compileChart(chart({ ...SPEC, height: 11 })).vega).not.toEqual(one.vega)
  })

  test('is refused with the words of Vega-Lite', () => {
    const wrong = chart({ mark: 'point', encoding: { nowhere: { field: 'a', type: 'quantitative' } } })
    expect(() => compileChart(wrong)).toThrow(/^Vega-Lite: .*nowhere/)
  })
})

describe('labels of points', () => {
  /** Heights of the labels of two points beside each other, of three whose last is at 100. */
  const heights = (first: number, second: number) =>
    paretoRows([point(0, { chosen: false }), point(first), point(second), point(100, { chosen: false })])
      .slice(1, 3)
      .map(({ labelY }) => Number(labelY))

  // A label of ten characters takes (10 * 6.4 + 20) / 480 = 0.175 of the width, to the left of points beyond 0.6.
  test.each([
    [10, 27.4, false],
    [10, 27.6, true],
    [59, 60, false],
    [70, 87.4, false],
    [70, 87.6, true],
    [50, 77, false],
    [30, 70, true],
  ])('at %f and %f of a hundred stand side by side: %s', (first, second, beside) => {
    const [one, other] = heights(first, second)
    expect(one).toBeCloseTo(0.5, 12)
    if (beside) expect(other).toBeCloseTo(0.5, 12)
    // A label's height is 14 of 300 pixels, which are 0.2 and a margin of 8 %.
    else expect(Math.abs(other - one)).toBeCloseTo((14 * 0.2 * 1.08) / 300, 12)
  })

  test('are left of points beyond 0.6 of the width, which is logarithmic where costs differ much', () => {
    const sides = (...xs: number[]) => paretoRows(xs.map((x) => point(x))).map(({ side }) => side)
    expect(sides(0, 60, 61, 100)).toEqual(['left', 'left', 'right', 'right'])
    // log 20 / log 100 = 0.65
    expect(sides(1, 20, 100)).toEqual(['left', 'right', 'right'])
    expect(sides(7)).toEqual(['left'])
  })

  test('leave no label below or above the picture', () => {
    const at = (y: number) => ({ y, low: 0, high: 1 })
    const [low, high] = paretoRows([point(0, at(0)), point(100, at(1))]).map(({ labelY }) => Number(labelY))
    // Half a label, 7 of 300 pixels, over 1 and a margin of 8 %; the margin alone is more.
    expect([low, high]).toEqual([expect.closeTo(0, 12), expect.closeTo(1, 12)])
  })
})

test('rows of the front: flags, intervals of representatives, and nothing where there is no label', () => {
  const rows = paretoRows([
    point(1, { y: 0.4, low: 0.3, high: 0.45, chosen: true, strategy: 'a', xLow: 0.5, xHigh: 2 }),
    point(2, { y: 0.4, chosen: false, strategy: 'b' }),
    point(3, { y: 0.7, low: 0.6, high: 0.8, chosen: true, strategy: 'c' }),
  ])
  expect(rows).toEqual([
    {
      name: 'at 1',
      strategy: 'a',
      x: 1,
      y: 0.4,
      low: 0.3,
      high: 0.45,
      chosen: true,
      front: true,
      last: false,
      label: 'a',
      labelY: expect.closeTo(0.4, 12),
      side: 'left',
      xLow: 0.5,
      xHigh: 2,
    },
    {
      name: 'at 2',
      strategy: 'b',
      x: 2,
      y: 0.4,
      low: 0.4,
      high: 0.4,
      chosen: false,
      front: false,
      last: false,
      label: '',
      labelY: null,
      side: 'left',
      xLow: null,
      xHigh: null,
    },
    {
      name: 'at 3',
      strategy: 'c',
      x: 3,
      y: 0.7,
      low: 0.6,
      high: 0.8,
      chosen: true,
      front: true,
      last: true,
      label: 'c',
      labelY: expect.closeTo(0.7, 12),
      side: 'right',
      xLow: null,
      xHigh: null,
    },
  ])
  // Half an interval is none.
  expect('xLow' in paretoRows([point(1, { xLow: 1, xHigh: null })])[0]).toBe(false)
  expect('xLow' in paretoRows([point(1, { xLow: 1, xHigh: 2, chosen: false })])[0]).toBe(false)
})

test.each([
  [{}, [0.392, 0.608]],
  [{ low: 0.5, high: 0.5 }, [0.49, 0.51]],
  [{ chosen: false }, [0.49, 0.51]],
])('the picture of a point with %j goes from %j', (more, [bottom, top]) => {
  const spec = paretoSpec(['a'], paretoRows([point(1, more)]), { x: 'x', y: 'y' }, ',d') as never as {
    layer: { encoding: { y: { scale: { domain: number[] } } } }[]
  }
  expect(spec.layer[0].encoding.y.scale.domain).toEqual([expect.closeTo(bottom, 12), expect.closeTo(top, 12)])
})
