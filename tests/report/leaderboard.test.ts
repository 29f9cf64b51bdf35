import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { leaderboardText } from '../../src/report/leaderboard.ts'
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardLatex,
  leaderboardMarkdown,
} from '../../src/report/leaderboard-files.ts'
import { boardOf } from '../../src/report/make-board.ts'
import { placeOf } from '../../src/report/representatives.ts'
import type { Latency } from '../../src/results/latency.ts'
import { readLatency, readSummary } from '../../src/results/read.ts'
import type { Summary } from '../../src/results/summary.ts'
import { sharedFolder } from '../temporary.ts'
import { writeFixture } from './fixture.ts'

const folder = sharedFolder()
let plain: Summary
let folds: Summary
let latency: Latency | null

beforeAll(() => {
  writeFixture(join(folder, 'plain'), { queries: 40 })
  writeFixture(join(folder, 'folds'), { queries: 40, folds: true })
  plain = readSummary(join(folder, 'plain'))
  folds = readSummary(join(folder, 'folds'))
  latency = readLatency(join(folder, 'plain'))
})

describe('standings', () => {
  test('a row has a difference from the baseline, or the reason for which it has none', () => {
    const reasons = (summary: Summary) => boardOf(summary, null)
    for (const summary of [plain, folds]) {
      const { ranked, seen } = reasons(summary)
      for (const { compared, baseline, untested } of [...ranked, ...seen])
        expect(untested === '').toBe(baseline || compared !== null)
    }
    const compared = new Set(plain.comparison!.rows.map(({ id }) => id))
    const { ranked } = reasons(plain)
    const rest = ranked.filter(({ id, baseline }) => !compared.has(id) && !baseline)
    expect(rest.length).toBeGreaterThan(0)
    for (const { strategy, untested } of rest) expect(untested).toBe(`not the best ${strategy}`)
    expect(reasons(folds).seen[0].untested).toBe('tuned rows only')
    const [row] = rest
    const router = { ...plain, comparison: { ...plain.comparison!, untested: [row.name] } }
    expect(reasons(router).ranked.find(({ id }) => id === row.id)?.untested).toBe('fitted router')
    expect(leaderboardMarkdown(router, null)).toMatch(/\| fitted router \|/)
    for (const { untested } of reasons({ ...plain, comparison: null }).ranked) expect(untested).toBe('')
  })
})

describe('as text', () => {
  test.each([80, 100, 160])('fits %i columns', (columns) => {
    for (const summary of [plain, folds])
      for (const line of leaderboardText(summary, latency, { columns }).split('\n'))
        expect(line.length).toBeLessThanOrEqual(columns)
  })

  test('control characters of a name stay out of the terminal', () => {
    const named = {
      ...plain,
      trials: plain.trials.map((trial) => ({ ...trial, name: `\u001b[31m${trial.name}\u202e` })),
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(leaderboardText(named, null)).not.toMatch(/[\u001b\u202e]/)
  })
})

test('JSON has the form that scripts rely on', () => {
  const json = leaderboardJson(folds, null)
  if ('rows' in json) throw new Error('one dataset has trials')
  expect(json.experiment).toBe('fixture')
  expect(json.tuned).toHaveLength(5)
  expect(json.trials).toHaveLength(14)
  const [first] = json.trials
  expect(Object.keys(first).slice(0, 4)).toEqual(['id', 'name', 'strategy', 'params'])
  expect(Object.keys(first.measures!['recall@5'])).toEqual(['mean', 'low', 'high', 'n'])
  expect(first.measures!['recall@5'].mean).toBeLessThanOrEqual(1)
})

test.each([false, true])('every cell of CSV and Markdown is the number of its column; folds: %s', (tuned) => {
  const summary = tuned ? folds : plain
  const [head, ...lines] = leaderboardCsv(summary, latency)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
  const markdown = leaderboardMarkdown(summary, latency).split('\n')
  const columns = markdown[markdown.findIndex((line) => line.startsWith('|'))].split(' | ')
  const { ranked, seen } = boardOf(summary, latency)
  const rows = [...ranked, ...seen]
  expect(lines.map(([, id]) => id)).toEqual(rows.map(({ id }) => id))
  rows.forEach((row, place) => {
    const trial = summary.trials.find(({ id }) => id === row.id)
    const measures =
      trial?.measures ?? summary.tuned.find(({ strategy }) => row.id === `tuned:${strategy}`)?.measures
    const ofFolds = summary.tuned.find(({ id }) => id === row.id)?.chosen ?? []
    const chosen = (trial ? [trial.id] : ofFolds).map(
      (id) => summary.trials.find((other) => other.id === id)!,
    )
    const tokens = chosen.map(({ perQuery }) => perQuery.tokens + perQuery.evidenceTokens)
    const timed = latency?.trials.find(({ id }) => id === summary.trials[placeOf(summary, row.id)].id)
    const compared = summary.comparison?.rows.find(({ id }) => id === row.id)
    const baseline = row.id === summary.comparison?.baseline
    const expected: Record<string, unknown> = {
      kind: trial ? 'trial' : 'tuned',
      [`tokens@${summary.context.chunks}`]: tokens.reduce((sum, value) => sum + value / tokens.length, 0),
      'model calls': trial?.perQuery.modelCalls,
      fallbacks: trial?.perQuery.fallbacks,
      failed: trial?.failed,
      'p50 ms': timed?.p50.value,
      'p95 ms': timed?.p95.value,
      'p99 ms': timed?.p99.value,
      difference: compared?.difference,
      'difference low': compared?.low,
      'difference high': compared?.high,
      p: compared?.p,
      'adjusted p': compared?.adjusted,
      verdict: baseline ? 'baseline' : compared?.verdict,
      optimism: summary.tuned.find(({ strategy }) => row.id === `tuned:${strategy}`)?.optimism,
    }
    for (const measure of summary.measures) {
      expected[measure] = measures?.[measure].mean
      expected[`${measure} low`] = measures?.[measure].low
      expected[`${measure} high`] = measures?.[measure].high
      expected[`${measure} n`] = measures?.[measure].n
    }
    for (const [name, value] of Object.entries(expected))
      expect(lines[place][head.indexOf(name)] ?? '', `${row.name} ${name}`).toBe(text(value))

    const hundred = (value: number | null | undefined, digits = 2) =>
      (100 * (value ?? Number.NaN)).toFixed(digits)
    const cells = markdown
      .filter((line) => /^\| [^-]/.test(line) && !line.includes('to baseline'))
      [place].split(' | ')
    for (const measure of summary.measures.filter((one) => one !== summary.primary))
      expect(cells[columns.indexOf(measure)]).toBe(hundred(measures?.[measure].mean))
    const { mean, low, high } = measures![summary.primary]
    expect(cells[1]).toContain(hundred(mean))
    expect(cells[1]).toContain(low === null ? '' : `[${hundred(low, 1)}, ${hundred(high, 1)}]`)
    const difference = Number(hundred(compared?.difference, 1))
    expect(cells[columns.indexOf('to baseline')]).toContain(
      baseline
        ? 'baseline'
        : compared
          ? `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(1)}`
          : '',
    )
  })
})

test('Markdown and LaTeX escape what they would read as markup', () => {
  const trials = plain.trials.map((trial) => ({ ...trial, name: `a_b|c & 50% $x$ \\ ${trial.name}` }))
  const named = { ...plain, trials }
  const rows = leaderboardMarkdown(named, null)
    .split('\n')
    .filter((line) => line.startsWith('|'))
  for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(rows[0].match(/\|/g)!.length)
  const latex = leaderboardLatex(named, null)
  expect(latex).toContain('a\\_b|c \\& 50\\% \\$x\\$ \\textbackslash{} ')
  for (const line of latex.split('\n').filter((text) => text.endsWith('\\\\')))
    expect(line.match(/(?<!\\)&/g)).toHaveLength(10)
})
