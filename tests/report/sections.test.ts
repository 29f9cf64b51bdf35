import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { compileChart } from '../../src/report/charts/chart.ts'
import { paramEffects } from '../../src/report/grid-params.ts'
import { boardOf, trialDollars } from '../../src/report/make-board.ts'
import { rendered } from '../../src/report/markup.ts'
import { representatives } from '../../src/report/representatives.ts'
import { categoriesSection } from '../../src/report/sections/categories.tsx'
import { comparisonSection } from '../../src/report/sections/comparison.tsx'
import { gridSection } from '../../src/report/sections/grid.tsx'
import { lostSection } from '../../src/report/sections/lost.tsx'
import { routerSection } from '../../src/report/sections/router.tsx'
import { costSection } from '../../src/report/sections/trade-offs.tsx'
import { readLatency, readSummary } from '../../src/results/read.ts'
import type { RoutingSummary, Summary } from '../../src/results/summary.ts'
import { sharedFolder } from '../temporary.ts'
import { writeFixture } from './fixture.ts'

const folder = sharedFolder()
let plain: Summary

beforeAll(async () => {
  writeFixture(join(folder, 'plain'), { queries: 40 })
  plain = readSummary(join(folder, 'plain'))
})

test('every chart of every view compiles, and its fields are in its rows', () => {
  const chosen = representatives(plain)
  const standings = boardOf(plain, null)
  const latency = readLatency(join(folder, 'plain'))
  const sections = [
    costSection({ summary: plain, board: standings, latency, chosen }),
    gridSection({ summary: plain }),
    comparisonSection({ board: standings }),
    categoriesSection({ summary: plain, chosen }),
    lostSection({ summary: plain, chosen }),
  ]
  const charts = sections.flatMap((section) => section?.charts ?? [])
  expect(charts.map(({ id }) => id)).toEqual([
    expect.stringContaining('cost-'),
    'grid',
    'forest',
    'categories',
    'funnel',
  ])
  for (const chart of charts) {
    const { vega, columns } = compileChart(chart)
    expect(JSON.stringify(vega)).toContain('"rows"')
    if (!columns) continue
    const fields = [...JSON.stringify(chart.spec).matchAll(/"field":"(\w+)"/g)].map(([, field]) => field)
    for (const field of fields) expect(Object.keys(columns)).toContain(field)
  }
})

test('effects of params: marginal means, spread and the share of variance', () => {
  const trial = (alpha: number, pool: number, mean: number) => ({
    ...plain.trials[0],
    strategy: 's',
    varied: { alpha, pool },
    measures: { 'recall@5': { mean, low: null, high: null, n: 10 } },
  })
  const trials = [trial(0.1, 10, 0.2), trial(0.1, 100, 0.2), trial(0.9, 10, 0.6), trial(0.9, 100, 0.6)]
  const [alpha, pool] = paramEffects({ ...plain, trials }, 's')
  expect(alpha.values.map(({ text, mean }) => [text, mean])).toEqual([
    ['0.1', 0.2],
    ['0.9', 0.6],
  ])
  expect([alpha.spread, alpha.share]).toEqual([expect.closeTo(0.4), expect.closeTo(1)])
  // Numbers by size: 10 before 100.
  expect(pool.values.map(({ text }) => text)).toEqual(['10', '100'])
  expect(pool.share).toBeCloseTo(0)
  // One factor at a time around alpha 0.1, pool 10: each param is judged where the other one is at its base.
  const star = [trial(0.1, 10, 0.2), trial(0.9, 10, 0.6), trial(0.1, 100, 0.3), trial(0.1, 500, 0.1)]
  const effects = paramEffects({ ...plain, trials: star }, 's')
  expect(effects.map(({ param, values }) => [param, values.map(({ mean }) => mean)])).toEqual([
    ['pool', [0.2, 0.3, 0.1]],
    ['alpha', [0.2, 0.6]],
  ])
  // A param with one value among the trials of a strategy has no effect to show.
  const same = paramEffects({ ...plain, trials: [trial(0.1, 10, 0.2), trial(0.9, 10, 0.6)] }, 's')
  expect(same.map(({ param }) => param)).toEqual(['alpha'])
})

const text = (markup: string) => markup.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

describe('the router', () => {
  const routing = (more: Partial<RoutingSummary> = {}): RoutingSummary => {
    const [a, b] = plain.trials
    return {
      id: 'r',
      name: 'router',
      arms: [
        { name: 'naive', trial: a.id, chosen: 30 },
        { name: 'bm25', trial: b.id, chosen: 9 },
      ],
      mean: 0.6,
      missing: [],
      best: { name: 'naive', mean: 0.55, heldOut: false },
      oracle: 0.7,
      share: { value: 1 / 3, low: 0.1, high: 0.6, n: 39, level: 0.05 },
      tied: 0.64,
      confusion: [
        [25, 5],
        [2, 7],
      ],
      ...more,
    }
  }
  const view = (more?: Partial<RoutingSummary>) =>
    routerSection({ summary: { ...plain, routing: [routing(more)] } })

  test('stands against the best single arm and the oracle', () => {
    const section = view()
    const words = text(rendered(section?.body))
    expect(words).toContain('5.0 points better than always taking naive, its best single arm')
    expect(words).toContain('A perfect choice for each query would reach 70.0, 10.0 points better.')
    expect(words).toContain('On 64 % of 39 queries all arms score the same')
    expect(words).toContain('no other arm was better: 32 of 39 queries')
    expect(words).toMatch(/30 77 %\s*25.*9 23 %\s*7/)
    expect(section?.charts[0].rows?.map(({ y, x, n }) => [y, x, n])).toEqual([
      ['naive', 'naive', 25],
      ['naive', 'bm25', 5],
      ['bm25', 'naive', 2],
      ['bm25', 'bm25', 7],
    ])
    expect(text(rendered(view({ mean: 0.5 })?.body))).toContain(' 5.0 points worse than always taking naive')
  })
})

test('the funnel in numbers adds up to the gold labels', () => {
  const section = lostSection({ summary: plain, chosen: representatives(plain) })!
  const table = /<div class="table[^"]*" id="funnel-table">[\s\S]*?<\/table>/.exec(rendered(section.body))![0]
  for (const row of table.split('<tr>').slice(2)) {
    const cells = [...row.matchAll(/<td[^>]*>(\d+)<\/td>/g)].map(([, count]) => Number(count))
    expect(cells.reduce((a, b) => a + b, 0)).toBe(plain.datasets[0].gold)
  }
})

test('a price turns counted tokens into dollars: chunks, evidence, prompt and own calls', () => {
  const [trial] = plain.trials
  const perQuery = { tokens: 1000, evidenceTokens: 200, inputTokens: 100, outputTokens: 50 }
  const pricing = {
    model: '<b>ours',
    input: 2,
    output: 10,
    date: null,
    source: 'the config',
    promptTokens: 100,
  }
  expect(trialDollars({ ...trial, perQuery }, pricing)).toBeCloseTo(1000 * (1400 * 2e-6 + 50 * 10e-6), 12)
  expect(trialDollars({ ...trial, perQuery: { tokens: 1000 } }, pricing)).toBeCloseTo(2.2, 12)
  // 60 read and 20 written of its own calls were at a price of their own.
  const calls = { inputTokens: 60, outputTokens: 20, dollars: 0.002 }
  expect(trialDollars({ ...trial, perQuery, calls }, pricing)).toBeCloseTo(
    1000 * (1340 * 2e-6 + 30 * 10e-6 + 0.002),
    12,
  )
})
