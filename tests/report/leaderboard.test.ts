import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leaderboardText, resultText } from '../../src/report/leaderboard.ts'
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardLatex,
  leaderboardMarkdown,
} from '../../src/report/leaderboard-files.ts'
import { boardOf } from '../../src/report/make-board.ts'
import { baselinePlace, placeOf, representatives } from '../../src/report/representatives.ts'
import { COLOURED } from '../../src/report/terminal.ts'
import type { Latency } from '../../src/results/latency.ts'
import { readLatency, readSummary } from '../../src/results/read.ts'
import type { Summary } from '../../src/results/summary.ts'
import { printablePainted } from '../../src/text/printable.ts'
import { writeFixture } from './fixture.ts'

let folder: string
let plain: Summary
let folds: Summary
let latency: Latency | null

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-board-'))
  writeFixture(join(folder, 'plain'), { queries: 40 })
  writeFixture(join(folder, 'folds'), { queries: 40, folds: true })
  plain = readSummary(join(folder, 'plain'))
  folds = readSummary(join(folder, 'folds'))
  latency = readLatency(join(folder, 'plain'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('standings', () => {
  test('rank by the primary measure and mark the baseline and what was compared', () => {
    const { ranked, seen } = boardOf(plain, latency)
    expect(seen).toEqual([])
    const means = ranked.map(({ measures }) => measures['recall@5'].mean)
    expect(means).toEqual([...means].sort((a, b) => b - a))
    expect(ranked.filter(({ baseline }) => baseline).map(({ name }) => name)).toEqual(['naive'])
    expect(ranked.filter(({ compared }) => compared)).toHaveLength(4)
  })

  test('with folds the tuned rows are ranked and the trials stand apart', () => {
    const { ranked, seen } = boardOf(folds, null)
    expect(ranked.map(({ kind }) => kind)).toEqual(Array(5).fill('tuned'))
    expect(seen).toHaveLength(14)
    expect(ranked.find(({ baseline }) => baseline)?.id).toBe('tuned:naive')
    expect(folds.trials[baselinePlace(folds)!].name).toBe('naive')
    for (const { id, strategy } of ranked) expect(folds.trials[placeOf(folds, id)].strategy).toBe(strategy)
    expect(seen.map(({ id }) => folds.trials[placeOf(folds, id)].id)).toEqual(seen.map(({ id }) => id))
  })

  test('a trial of the family `pairs` shows only its comparison with the baseline', () => {
    const [row, ...rest] = plain.comparison!.rows
    const other = { ...row, baseline: rest[0].id, difference: 0.9 }
    const summary = {
      ...plain,
      comparison: { ...plain.comparison!, family: 'pairs', rows: [row, other, ...rest] },
    }
    expect(boardOf(summary, null).ranked.find(({ id }) => id === row.id)?.compared).toEqual(row)
  })

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

  test('the best trial of each strategy and the baseline represent the experiment', () => {
    const chosen = representatives(plain).map((place) => plain.trials[place])
    expect(new Set(chosen.map(({ strategy }) => strategy)).size).toBe(5)
    for (const { strategy, measures } of chosen)
      for (const trial of plain.trials)
        if (trial.strategy === strategy)
          expect(trial.measures['recall@5'].mean).toBeLessThanOrEqual(measures['recall@5'].mean)
    const few = representatives(plain, 1).map((place) => plain.trials[place].name)
    expect(few).toContain('naive')
    expect(few).toHaveLength(2)
  })
})

describe('as text', () => {
  const end = { report: 'report: reports/a.html', experiment: 'experiments/a' }

  test.each([80, 100, 160])('fits %i columns', (columns) => {
    for (const summary of [plain, folds])
      for (const line of leaderboardText(summary, latency, { columns }).split('\n'))
        expect(line.length).toBeLessThanOrEqual(columns)
  })

  test('lists every finding, and the first warnings at the end of a run', () => {
    const text = leaderboardText(plain, latency).replace(/\s+/g, ' ')
    for (const finding of plain.findings) expect(text).toContain(`- ${finding.about}: ${finding.text}`)
    const [first] = plain.findings
    expect(resultText(plain, latency, end).replace(/\s+/g, ' ')).toContain(`- ${first.about}: ${first.text}`)
  })

  test('colours stand for better and worse, and links only where they are asked for', () => {
    const painted = resultText(plain, null, { ...end, columns: 120, paint: COLOURED })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours.
    const plainly = painted.replace(/\x1b\[\d+m/g, '')
    expect(plainly).toBe(resultText(plain, null, { ...end, columns: 120 }))
    expect(painted.replaceAll('\x1b', '')).toMatch(/\[3[12]m *[+−][\d.]+ (better|worse) *\[0m/)
    expect(painted).not.toMatch(/\[32m *[+−][\d.]+ worse|\[31m *[+−][\d.]+ better/)
    expect(printablePainted(`${COLOURED.link('a', '/b c')}\x1b[2J\x1b]8;;https://x\x1b\\`)).toBe(
      '\x1b]8;;file:///b%20c\x1b\\a\x1b]8;;\x1b\\\\u001b[2J\\u001b]8;;https://x\\u001b\\',
    )
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

test('CSV has every trial and tuned row with full precision', () => {
  const lines = leaderboardCsv(folds, null).trim().split('\r\n')
  expect(lines).toHaveLength(1 + 5 + 14)
  const [best] = boardOf(folds, null).seen
  expect(lines.find((line) => line.startsWith(`trial,${best.id}`))).toContain(
    String(best.measures['ndcg@10'].mean),
  )
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

test('a measure that counts is no percentage, and what it counts stands once', () => {
  const measures = [...plain.measures, 'tokens@5', 'tokens@8']
  const trials = plain.trials.map((trial) => ({
    ...trial,
    measures: {
      ...trial.measures,
      'tokens@5': { mean: 1234.4, low: null, high: null, n: 40 },
      'tokens@8': { mean: 2345, low: null, high: null, n: 40 },
    },
  }))
  const counting = { ...plain, measures, trials }
  for (const text of [
    leaderboardText(counting, null, { columns: 200 }),
    leaderboardMarkdown(counting, null),
  ]) {
    expect(text.match(/tokens@5/g)).toHaveLength(1)
    expect(text).toMatch(/1,234 .*2,345/)
    expect(text).not.toMatch(/123[,.]?4[,.]?4|234,500/)
  }
  expect(
    leaderboardCsv(counting, null)
      .split('\r\n')[0]
      .match(/,tokens@5,/g),
  ).toHaveLength(1)
  const [head] = leaderboardCsv({ ...plain, context: { chunks: 8 } }, null).split('\r\n')
  expect(head).toContain(',tokens@8,')
  expect(leaderboardText(plain, null).replace(/\s+/g, ' ')).toContain(
    'tokens@5: tokens per query in the first 5 chunks and their evidence.',
  )
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
