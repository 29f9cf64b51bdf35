import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measureTerm } from '../../src/report/glossary.ts'
import { latencyNotes } from '../../src/report/latency-notes.ts'
import { leaderboardOf, representatives } from '../../src/report/leaderboard-rows.ts'
import { equals, milliseconds, probability } from '../../src/report/numbers.ts'
import { stageName } from '../../src/report/stage-words.ts'
import { categoriesView } from '../../src/report/views/categories.ts'
import { comparisonView } from '../../src/report/views/comparison.ts'
import { costView, latencyTable } from '../../src/report/views/cost.ts'
import { healthView } from '../../src/report/views/health.ts'
import { leaderboardView, whisker } from '../../src/report/views/leaderboard.ts'
import { lostView } from '../../src/report/views/lost.ts'
import { routerView } from '../../src/report/views/router.ts'
import type { Latency } from '../../src/results/latency.ts'
import { readLatency, readSummary } from '../../src/results/read.ts'
import type { Summary } from '../../src/results/summary.ts'
import { writeFixture } from './fixture.ts'
import { estimate, smallSummary } from './small-summary.ts'

/** Every number of a table stands under its own head: the cells of all views beside what they are made from. */

let folder: string
let plain: Summary
let folds: Summary
let latency: Latency

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-cells-'))
  writeFixture(join(folder, 'plain'), { queries: 40 })
  writeFixture(join(folder, 'folds'), { queries: 40, folds: true })
  plain = readSummary(join(folder, 'plain'))
  folds = readSummary(join(folder, 'folds'))
  latency = readLatency(join(folder, 'plain'))!
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = (markup: string) =>
  markup
    .replace(/<small>.*?<\/small>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
    .trim()

/** The rows of a table: by head, what a reader sees and the exact value for sorting. */
function rowsOf(markup: string, id: string): Record<string, { seen: string; exact: string | null }>[] {
  const [, body] = new RegExp(`id="${id}"[\\s\\S]*?<table>([\\s\\S]*?)</table>`).exec(markup)!
  const [head, ...rows] = body.split('<tr').slice(1)
  const heads = [...head.matchAll(/<th [^>]*>([\s\S]*?)<\/th>/g)].map(([, one]) => text(one))
  return rows.map((row) => {
    const cells = [...row.matchAll(/<t[hd]([^>]*)>([\s\S]*?)<\/t[hd]>/g)]
    return Object.fromEntries(
      cells.map(([, attributes, one], place) => [
        heads[place],
        { seen: text(one), exact: /data-v="([^"]*)"/.exec(attributes)?.[1] ?? null },
      ]),
    )
  })
}
const hundred = (value: number, digits = 1) => (100 * value).toFixed(digits).replace('-', '−')
const signed = (value: number) =>
  `${Number(hundred(value).replace('−', '-')) > 0 ? '+' : ''}${hundred(value)}`

test('p at its borders, alone and in a sentence', () => {
  const borders = [0.0001, 0.000999, 0.001, 0.0014, 0.005, 0.0095, 0.05, 1]
  expect(borders.map(probability)).toEqual([
    '< 0.001',
    '< 0.001',
    '0.001',
    '0.001',
    '0.005',
    '0.009',
    '0.050',
    '1.000',
  ])
  expect([0.0009, 0.001, 0.005].map(equals)).toEqual(['< 0.001', '= 0.001', '= 0.005'])
  expect(probability(Number.NaN)).toBe('–')
})

test('a whisker spans the interval, and its dot is the mean', () => {
  const { markup } = whisker({ mean: 0.5, low: 0.3, high: 0.9, n: 9 }, [0.2, 1]) as { markup: string }
  const at = (name: string) => Number(new RegExp(`${name}="([\\d.]+)"`).exec(markup)![1])
  // The scale is 72 wide from 4 on.
  expect([at('x1'), at('cx'), at('x2')]).toEqual([4 + 72 / 8, 4 + (72 * 3) / 8, 4 + (72 * 7) / 8])
  expect(text(markup)).toBe('[30.0, 90.0]')
  const bare = whisker({ mean: 0.5, low: null, high: null, n: 9 }, [0.2, 1]) as { markup: string }
  expect(bare.markup).not.toContain('<line')
})

test.each([false, true])('the leaderboard; folds: %s', (tuned) => {
  const summary = tuned ? folds : plain
  const standings = leaderboardOf(summary, latency)
  const { markup } = leaderboardView(standings).body
  const check = (id: string, rows: typeof standings.ranked) =>
    rowsOf(markup, id).forEach((cells, place) => {
      const row = rows[place]
      const { mean, low, high } = row.measures['recall@5']
      expect((cells.trial ?? cells.strategy).seen.replace(/ ?baseline$/, '')).toBe(row.name)
      expect(cells['recall@5'].seen.startsWith(hundred(mean))).toBe(true)
      expect(cells['recall@5'].exact).toBe(String(mean))
      expect(cells.interval.seen).toBe(low === null ? '' : `[${hundred(low)}, ${hundred(high!)}]`)
      for (const measure of summary.measures.slice(1)) {
        expect(cells[measure].seen).toBe(hundred(row.measures[measure].mean))
        expect(cells[measure].exact).toBe(String(row.measures[measure].mean))
      }
      if (cells['to baseline'])
        expect(cells['to baseline'].seen).toBe(
          row.compared
            ? `${{ better: '▲', worse: '▼', equivalent: '■', 'cannot tell': row.compared.wins + row.compared.losses > 0 ? '○' : '=' }[row.compared.verdict]} ${signed(row.compared.difference)}`
            : row.baseline
              ? 'baseline'
              : row.untested,
        )
      for (const of of ['p50', 'p95'] as const)
        if (cells[`${of} ms`]) {
          const time = row.latency?.[of].value
          expect(cells[`${of} ms`]).toEqual({
            seen: time === undefined ? '' : milliseconds(time),
            exact: String(time ?? ''),
          })
        }
      if (cells.optimism) expect(cells.optimism.seen).toBe(signed(row.optimism!))
      if (cells.failed) expect(cells.failed.seen).toBe(row.failed ? String(row.failed) : '')
    })
  if (tuned) check('board-tuned', standings.ranked)
  check('board', tuned ? standings.seen : standings.ranked)
  const [{ n }] = summary.trials.map(({ measures }) => measures['recall@5'])
  expect(text(markup)).toContain(`n = ${n} queries`)
  expect(markup.indexOf('p50 ms')).toBeLessThan(markup.indexOf('p95 ms'))
})

test('with a split the leaderboard counts the queries that were scored', () => {
  const small = smallSummary({ trials: [{ name: 'a', mean: 0.5 }], n: 100 })
  const [{ measures, categories }] = small.trials
  const tuned = [
    {
      id: 'tuned:a',
      strategy: 'a',
      name: 'a',
      categories,
      chosen: ['a'],
      optimism: 0,
      measures: { ...measures, 'recall@5': estimate(0.5, 0.05, 40) },
    },
  ]
  const summary: Summary = { ...small, tuned, tuning: { kind: 'split', dev: 0.6, seed: 0 } }
  const { markup } = leaderboardView(leaderboardOf(summary, null)).body
  expect(text(markup)).toContain('n = 40 queries')
})

test('the comparison', () => {
  const standings = leaderboardOf(plain, null)
  const section = comparisonView(standings)!
  const rows = [...plain.comparison!.rows].sort((a, b) => b.difference - a.difference)
  rowsOf(section.body.markup, 'comparison-table').forEach((cells, place) => {
    const row = rows[place]
    expect(Object.fromEntries(Object.entries(cells).map(([head, { seen }]) => [head, seen]))).toEqual({
      trial: row.name,
      difference: signed(row.difference),
      interval: `[${signed(row.low!)}, ${signed(row.high!)}]`,
      p: row.p!.toFixed(3),
      'adjusted p': row.adjusted!.toFixed(3),
      'win / tie / loss': `${row.wins} / ${row.ties} / ${row.losses}`,
      "Cohen's d": row.effect.toFixed(2).replace('-', '−'),
      'MDE (80 %)': hundred(row.detectable!),
      verdict: row.verdict,
    })
  })
  expect(section.charts[0].rows).toEqual(
    rows.map(({ name, difference, low, high, adjusted, verdict }) => ({
      name,
      difference,
      low,
      high,
      adjusted,
      verdict,
    })),
  )
  const { wins, ties, losses } = rows[0]
  expect(section.charts[0].caption.markup).toContain(`n = ${wins + ties + losses} queries`)
  expect(section.charts[0].caption.markup).toContain('Right of zero is better')
})

test('the comparison of rows that are identical, and of a measure that is better low', () => {
  const same = { difference: 0, low: 0, high: 0, p: 1, adjusted: 1, wins: 0, ties: 100, losses: 0 }
  const summary = smallSummary({
    primary: 'contamination@5',
    trials: [
      { name: 'a', mean: 0.5 },
      { name: 'b', mean: 0.5 },
    ],
    compared: { b: { ...same, effect: 0, detectable: null, verdict: 'cannot tell' } },
  })
  const section = comparisonView(leaderboardOf(summary, null))!
  const [cells] = rowsOf(section.body.markup, 'comparison-table')
  expect([cells.verdict, cells["Cohen's d"], cells['MDE (80 %)']].map(({ seen }) => seen)).toEqual([
    'identical',
    '–',
    '–',
  ])
  expect(section.charts[0].caption.markup).toContain('Left of zero is better')
})

test('the categories, and the queries that have none', () => {
  const chosen = representatives(plain)
  const section = categoriesView(plain, chosen)!
  rowsOf(section.body.markup, 'categories-table').forEach(({ trial, ...cells }, place) => {
    const own = plain.trials[chosen[place]]
    expect(trial.seen).toBe(own.name)
    for (const [name, cell] of Object.entries(cells)) {
      const { mean, low, high } = own.categories[name]['recall@5']
      expect(cell).toEqual({
        seen: `${hundred(mean)} [${hundred(low!)}, ${hundred(high!)}]`,
        exact: String(mean),
      })
    }
    expect(Object.keys(cells)).toHaveLength(4)
  })
  for (const { y, x, value, low, high, n } of section.charts[0].rows!) {
    const own = plain.trials.find(({ name }) => name === y)!.categories[String(x)]['recall@5']
    expect({ mean: value, low, high, n }).toEqual(own)
  }
  expect(section.charts[0].caption.markup).not.toContain('without a category')
  const trials = plain.trials.map((trial) => {
    const { fact: _, ...categories } = trial.categories
    return { ...trial, categories }
  })
  const lacking = plain.trials[0].categories.fact['recall@5'].n
  expect(categoriesView({ ...plain, trials }, chosen)!.charts[0].caption.markup).toContain(
    `${lacking} queries without a category are left out`,
  )
})

test('the lost gold: every count, and the share of each combination of searches', () => {
  // A funnel for each trial, no count of which is that of another stage or trial.
  const summary: Summary = {
    ...plain,
    trials: plain.trials.map((trial, at) => ({
      ...trial,
      funnel: trial.funnel.map(({ stage }, place) => ({ stage, lost: 10 * at + place })),
    })),
  }
  const chosen = representatives(summary)
  const section = lostView(summary, chosen)!
  for (const { name, stage, lost } of section.charts[0].rows!)
    expect(lost).toBe(
      summary.trials
        .find((trial) => trial.name === name)!
        .funnel.find((row) => stageName(row.stage, summary.depth) === stage)?.lost ?? 0,
    )
  rowsOf(section.body.markup, 'funnel-table').forEach(({ trial, ...cells }, place) => {
    const own = summary.trials[chosen[place]]
    expect(trial.seen).toBe(own.name)
    expect(Object.keys(cells)).toContain('not retrieved by any search')
    for (const { stage, lost } of own.funnel)
      expect(cells[stageName(stage, summary.depth)].seen).toBe(String(lost))
  })
  rowsOf(section.body.markup, 'channels').forEach(({ trial, ...cells }, place) => {
    const { channels } = plain.trials[chosen[place]]
    const found = Object.values(channels).reduce((a, b) => a + b, 0)
    for (const [head, { seen }] of Object.entries(cells)) {
      const count = channels[head.replaceAll(' + ', '+')] ?? 0
      expect([trial.seen, seen]).toEqual([
        plain.trials[chosen[place]].name,
        count === 0 ? '0' : `${count} ${Math.round((100 * count) / found)} %`,
      ])
    }
  })
  // Exact search reads every chunk: what a list lacks was beyond its end, not beyond finding.
  expect(text(section.body.markup)).toContain('among the chunks that the trial reads')
  expect(text(section.body.markup)).not.toContain('however deep')
})

test('the health', () => {
  const trials = plain.health.trials.map((trial, place) => ({
    ...trial,
    ceiling: place === 0 ? null : 0.01 * place,
    ties: { share: 0.02 * place, worst: 0.1 + 0.01 * place, best: 0.5 + 0.01 * place },
    unjudged: { k: 5, share: 0.03 * place },
  }))
  const { markup } = healthView({ ...plain, health: { ...plain.health, trials } }).body
  const rows = rowsOf(markup, 'health-table')
  expect(rows).toHaveLength(trials.length)
  for (const cells of rows) {
    const own = trials.find(({ name }) => name === cells.trial.seen)!
    expect(Object.values(cells).map(({ seen }) => seen)).toEqual([
      own.name,
      own.ceiling === null ? '–' : `${hundred(own.ceiling)} %`,
      `${hundred(own.ties.share)} %`,
      hundred(own.ties.worst),
      hundred(own.ties.best),
      `${hundred(own.unjudged.share)} %`,
    ])
  }
  const low = smallSummary({ primary: 'contamination@5', trials: [{ name: 'a', mean: 0 }] })
  expect(healthView(low).body.markup).not.toContain('Unsolved')
})

test('the router', () => {
  const [router] = plain.routing
  const { markup } = routerView(plain)!.body
  const [a, b] = plain.trials.map(({ measures }) => measures['recall@5'].mean)
  const stands = [router.mean, router.oracle!, router.best!.mean, (a + b) / 2].sort(
    (one, other) => other - one,
  )
  rowsOf(markup, 'router-0').forEach((cells, place) => {
    expect(cells['recall@5'].seen).toBe(hundred(stands[place]))
    if (cells.choice.seen !== router.name)
      expect(cells['router minus this'].seen).toBe(signed(router.mean - stands[place]))
  })
  const total = router.arms.reduce((sum, { chosen }) => sum + chosen, 0)
  rowsOf(markup, 'arms-0').forEach((cells, arm) => {
    const { name, chosen } = router.arms[arm]
    expect(Object.values(cells).map(({ seen }) => seen)).toEqual([
      name,
      hundred([a, b][arm]),
      `${chosen} ${Math.round((100 * chosen) / total)} %`,
      String(router.confusion![arm][arm]),
    ])
  })
  const level = routerView({
    ...plain,
    routing: [{ ...router, oracle: router.mean, best: { ...router.best!, mean: router.mean } }],
  })!.body
  expect(text(level.markup)).toContain('the same as always taking')
  expect(text(level.markup)).toContain('No other choice of arms would score better.')
  expect(text(level.markup)).not.toMatch(/[+−]?0\.0 points/)
})

describe('the times', () => {
  const busy = (
    change: Partial<Latency['load']>,
    trial: Partial<Latency['trials'][number]> = {},
  ): Latency => ({
    load: { ...latency.load, ...change },
    trials: latency.trials.map((row, place) => (place === 0 ? { ...row, ...trial } : row)),
  })

  test('every cell; an end of an interval that there is not', () => {
    const [first] = latency.trials
    const open = busy({}, { p95: { ...first.p95, high: null } })
    const ms = (value: number) => value.toFixed(value >= 10 ? 1 : 2)
    rowsOf(latencyTable(open).markup, 'latency').forEach((cells, place) => {
      const row = open.trials[place]
      const bounds = (of: 'p50' | 'p95' | 'p99') => {
        const { value, low, high } = row[of]
        return `${ms(value)} [${ms(low!)}, ${high === null ? '…' : ms(high)}]`
      }
      expect(Object.values(cells).map(({ seen }) => seen)).toEqual([
        row.name,
        bounds('p50'),
        bounds('p95'),
        bounds('p99'),
        ...[row.byRepeat.p50, row.byRepeat.p95].map(([low, high]) => `${ms(low)} to ${ms(high)}`),
        ms(row.cold),
        '50 × 3',
      ])
    })
    const once = { ...latency, trials: latency.trials.map((row) => ({ ...row, repeats: 1 })) }
    expect(latencyTable(once).markup).not.toContain('by repeat')
  })

  test('the picture: p50 with its interval across', () => {
    const chart = costView(plain, latency, representatives(plain)).charts.find(
      ({ id }) => id === 'pareto-p50',
    )!
    expect(chart.rows).toHaveLength(latency.trials.length)
    for (const { name, x, xLow, xHigh, y } of chart.rows!) {
      const { p50 } = latency.trials.find((row) => row.name === name)!
      expect({ value: x, low: xLow, high: xHigh }).toEqual(p50)
      expect(y).toBe(plain.trials.find((trial) => trial.name === name)!.measures['recall@5'].mean)
    }
    expect(JSON.stringify(chart.spec)).toContain('"x2":{"field":"xHigh"}')
  })

  test('how they were taken, and what makes them doubtful', () => {
    const notes = (one: Latency) => latencyNotes(one).join(' ')
    const calm =
      'Times: 50 queries × 3 repeats per trial, load 0.5 before and at most 1.2 while timing, on 2 cores.'
    expect(notes(latency)).toBe(calm)
    const { name, p95 } = latency.trials[0]
    const crowded = 'above the number of cores'
    expect(notes(busy({ highest: 2 }))).not.toContain(crowded)
    expect(notes(busy({ highest: 2.1 }))).toContain(crowded)
    expect(notes(busy({ before: 3 }))).toContain(crowded)
    expect(notes(busy({}, { p95: { ...p95, high: null } }))).toContain(
      'With 50 queries p95 has no upper confidence limit; use p50.',
    )
    for (const byRepeat of [
      { p50: [1, 2.1], p95: [1, 1] },
      { p50: [1, 1], p95: [0.28, 8.4] },
    ] as const)
      expect(notes(busy({}, { byRepeat }))).toContain(
        `Repeats differ by more than a factor of 2 in p50 or p95: ${name}.`,
      )
    expect(notes(busy({}, { byRepeat: { p50: [1, 2], p95: [1, 2] } }))).toBe(calm)
    expect(latencyNotes({ ...latency, trials: [] })).toEqual([])
  })
})

test('the name of a measure opens its definition, unless it is custom', () => {
  const shown = measureTerm({}, 'recall@5')
  expect(shown.markup).toContain('popovertarget="term-measure">recall@5</button>')
  expect(shown.markup).toContain('first k, or within a token budget; here k is 5. Higher is better.')
  const scales = { 'mine<b>': { better: 'higher', bounded: true } } as const
  expect(measureTerm({ scales } as never, 'mine<b>').markup).toBe('mine&lt;b&gt;')
})
