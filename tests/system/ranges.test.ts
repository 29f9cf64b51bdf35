import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUp } from '../cli/set-up.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Intervals of a JSON value with the path of each: objects that have `low` and `high`. */
function intervalsIn(
  value: Json,
  path = '',
): { path: string; low: number; high: number; isDifference: boolean }[] {
  if (value === null || typeof value !== 'object') return []
  const inner = Object.entries(value).flatMap(([key, child]) =>
    // Times are milliseconds, and a router's share of what is possible is a ratio that has no bounds.
    key === 'latency' || key === 'share' ? [] : intervalsIn(child, `${path}.${key}`),
  )
  if (Array.isArray(value)) return inner
  const { low, high } = value
  if (typeof low !== 'number' || typeof high !== 'number') return inner
  return [{ path, low, high, isDifference: 'difference' in value }, ...inner]
}

/** Intervals that a text shows, as `[12.3, 45.6]` with either minus sign. */
function shownIn(text: string): [low: number, high: number][] {
  const number = '([+−-]?\\d+(?:\\.\\d+)?)'
  return [...text.matchAll(new RegExp(`\\[${number},\\s*${number}\\]`, 'g'))].map(([, low, high]) => [
    Number(low.replace('−', '-')),
    Number(high.replace('−', '-')),
  ])
}

/**
 * No interval lies outside its measure's range: in values, in the report and its data, and in what a terminal shows.
 * `ratios`: lower ends, in per cent, of intervals of ratios.
 */
function expectInRange(
  intervals: ReturnType<typeof intervalsIn>,
  page: string,
  texts: readonly string[],
  ratios: ReadonlySet<number> = new Set(),
): void {
  for (const { path, low, high, isDifference } of intervals) {
    expect(low, path).toBeGreaterThanOrEqual(isDifference ? -1 : 0)
    expect(high, path).toBeLessThanOrEqual(1)
    expect(low, path).toBeLessThanOrEqual(high)
  }
  const [, embedded] = /<script type="application\/json" id="meta">([\s\S]*?)<\/script>/.exec(page) ?? []
  const html = page.replace(/<script[\s\S]*?<\/script>/g, '')
  const shown = [...texts, html].flatMap(shownIn).filter(([low]) => !ratios.has(low))
  expect(shown.length).toBeGreaterThan(4)
  // Points of 100.
  for (const { low, high } of intervalsIn(JSON.parse(embedded))) shown.push([low, high])
  for (const [low, high] of shown) {
    expect(low).toBeGreaterThanOrEqual(-100)
    expect(high).toBeLessThanOrEqual(100)
  }
}

/** Few queries and large differences make wide intervals. */
test.each([2, 9])(
  'with %i towns no interval leaves the range of its measure: terminal, JSON, report',
  async (towns) => {
    const { folder, call } = setUp(
      'dataset: towns\nprepare: {embedder: lsa}\ntrials: [bm25, naive, hybrid: {grid: {alpha: [0.1, 0.9]}}, random]\nmeasures: [recall@1, full_recall@5, mrr, ndcg@10]\ncompare: {by: recall@1, baseline: random, draws: 200}\n',
      {},
      towns,
    )
    const ran = await call('run', 'a.yaml', '-o', 'out', '--report', 'report.html', '--workers', '1')
    expect([ran.code, ran.err.slice(0, 900)]).toEqual([0, expect.anything()])
    const summary = JSON.parse(readFileSync(join(folder, 'out', 'summary.json'), 'utf8'))
    const board = JSON.parse((await call('leaderboard', 'out', '--json')).out)
    const intervals = [...intervalsIn(summary), ...intervalsIn(board)]
    expect(intervals.length).toBeGreaterThan(20)
    expectInRange(intervals, readFileSync(join(folder, 'report.html'), 'utf8'), [
      ran.out,
      (await call('leaderboard', 'out')).out,
    ])
  },
)
