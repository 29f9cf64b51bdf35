import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChartRow } from '../../src/report/charts/chart.ts'
import { leaderboardOf, representatives } from '../../src/report/leaderboard-rows.ts'
import { costView, dollarsTable, trialDollars } from '../../src/report/views/cost.ts'
import { leaderboardView } from '../../src/report/views/leaderboard.ts'
import { readLatency, readSummary } from '../../src/results/read.ts'
import type { Summary, TrialSummary } from '../../src/results/summary.ts'
import { writeFixture } from './fixture.ts'

/** What is sent and what it costs: the numbers of the views beside what they are made from. */

let folder: string
let plain: Summary

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-cells-'))
  writeFixture(folder, { queries: 40 })
  plain = readSummary(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** What sorting and CSV read, by row and column; undefined where it is the text. */
  readonly values: readonly (readonly (string | undefined)[])[]
}

const words = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()

function tableIn(markup: string, id: string): Table {
  const [table] = markup.slice(markup.indexOf(`id="${id}"`)).split('</table>')
  const [head, body] = table.split('</thead>')
  const rows = body.split('<tr').slice(1)
  const cells = (row: string) => [...row.matchAll(/<t[hd]([^>]*)>([\s\S]*?)<\/t[hd]>/g)]
  return {
    head: cells(head).map(([, , text]) => words(text.replace(/<small>[\s\S]*/, ''))),
    rows: rows.map((row) => cells(row).map(([, , text]) => words(text))),
    values: rows.map((row) => cells(row).map(([, given]) => /data-v="([^"]*)"/.exec(given)?.[1])),
  }
}

const whole = (value: number) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')

/** Best first by the primary measure; equals as they stand. */
const byQuality = (trials: readonly TrialSummary[]) =>
  [...trials].sort((a, b) => b.measures['recall@5'].mean - a.measures['recall@5'].mean)

test('the leaderboard counts what is sent, and tells shares in percent', () => {
  const { markup } = leaderboardView(leaderboardOf(plain, null)).body
  const { head, rows, values } = tableIn(markup, 'board')
  byQuality(plain.trials).forEach(({ perQuery }, place) => {
    const cell = (column: string) => rows[place][head.indexOf(column)]
    expect(cell('tokens@5')).toBe(whole(perQuery.tokens + perQuery.evidenceTokens))
    expect(Number(values[place][head.indexOf('tokens@5')])).toBe(perQuery.tokens + perQuery.evidenceTokens)
    expect(cell('fallbacks')).toBe(
      perQuery.fallbacks === undefined ? '' : `${(100 * perQuery.fallbacks).toFixed(1)} %`,
    )
  })
})

describe('quality and cost', () => {
  const points = (id: string, more?: Partial<Summary>) => {
    const summary = { ...plain, ...more }
    const { charts } = costView(summary, readLatency(folder), representatives(summary))
    return charts.find((chart) => chart.id === id)?.rows as readonly ChartRow[]
  }
  const unbeaten = (rows: readonly ChartRow[], { x, y }: ChartRow) =>
    !rows.some(
      (other) =>
        Number(other.x) <= Number(x) && Number(other.y) >= Number(y) && (other.x !== x || other.y !== y),
    )

  test('a point stands at what is sent and what it gains; the front is what nothing beats', () => {
    const rows = points('pareto-tokens')
    expect(rows).toHaveLength(plain.trials.length)
    const chosen = representatives(plain).map((place) => plain.trials[place].name)
    for (const { name, measures, perQuery } of plain.trials) {
      const row = rows.find((one) => one.name === name)
      const { mean, low, high } = measures['recall@5']
      expect(row).toMatchObject({ x: perQuery.tokens + perQuery.evidenceTokens, y: mean })
      expect(row?.chosen).toBe(chosen.includes(name))
      expect([row?.low, row?.high]).toEqual(chosen.includes(name) ? [low, high] : [mean, mean])
    }
    for (const row of rows) expect([row.name, row.front]).toEqual([row.name, unbeaten(rows, row)])
    expect(rows.filter(({ front }) => front).length).toBeGreaterThan(1)
  })

  test('what is sent is named with its number of chunks, and n with all its queries', () => {
    const summary = { ...plain, context: { chunks: 8 } }
    const { body, charts } = costView(summary, null, representatives(plain))
    expect(words(body.markup)).toContain('the first 8 chunks and their evidence')
    expect(JSON.stringify(charts[0].spec)).toContain('"tokens@8 per query →"')
    const { judged, queries } = plain.dataset
    expect(judged).toBeLessThan(queries)
    expect(words(charts[0].caption.markup)).toContain(
      `mean recall@5 over ${judged} judged queries and mean tokens of the first 8 chunks and their evidence, over all ${queries}.`,
    )
    expect(words(costView({ ...plain, context: { chunks: 1 } }, null, [0]).body.markup)).toContain(
      'the first chunk and its evidence',
    )
  })

  test('quality against dollars is drawn where strategies ask models and there is a price', () => {
    const pricing = { model: 'm', input: 3, output: 15, date: null, source: 'the config', promptTokens: 50 }
    const ids = (summary: typeof plain) => costView(summary, null, [0]).charts.map(({ id }) => id)
    const trials = plain.trials.map((trial, place) => ({
      ...trial,
      perQuery: { ...trial.perQuery, inputTokens: 10 * place, outputTokens: 0 },
      calls: { inputTokens: 10 * place, outputTokens: 0, dollars: place },
    }))
    expect(ids({ ...plain, trials })).not.toContain('pareto-dollars')
    expect(ids({ ...plain, pricing })).not.toContain('pareto-dollars')
    const { charts } = costView({ ...plain, trials, pricing }, null, [0])
    const drawn = charts.find(({ id }) => id === 'pareto-dollars')?.rows ?? []
    for (const trial of trials)
      expect(drawn.find(({ name }) => name === trial.name)?.x).toBeCloseTo(trialDollars(trial, pricing), 9)
  })

  test('dollars of a thousand queries, each row with its own counts', () => {
    const pricing = {
      model: 'm',
      input: 3,
      output: 15,
      date: '2026-11-01',
      source: 'a.page',
      promptTokens: 51.4,
    }
    const trials = plain.trials.map((trial, place) => ({
      ...trial,
      perQuery: { ...trial.perQuery, inputTokens: 10 * place, outputTokens: 100 * place },
    }))
    const { markup } = dollarsTable({ ...plain, trials, pricing })!
    expect(words(markup)).toContain(
      'at $3 per million input tokens and $15 per million output tokens (a.page, 2026-11-01)',
    )
    const { head, rows, values } = tableIn(markup, 'dollars')
    byQuality(trials).forEach(({ name, perQuery }, place) => {
      const { tokens, evidenceTokens, inputTokens, outputTokens } = perQuery
      const cell = (column: string) => rows[place][head.indexOf(column)]
      expect(cell('trial')).toBe(name)
      expect(cell('first 5 chunks')).toBe(whole(tokens))
      expect(cell('evidence')).toBe(whole(evidenceTokens))
      expect(cell('prompt')).toBe('51')
      expect(cell('model calls, input')).toBe(whole(inputTokens))
      expect(cell('model calls, output')).toBe(whole(outputTokens))
      const dollars = ((tokens + evidenceTokens + 51.4 + inputTokens) * 3 + outputTokens * 15) / 1000
      expect(Number(values[place][head.indexOf('dollars')])).toBeCloseTo(dollars, 9)
      expect(cell('dollars')).toBe(`$${dollars.toFixed(2)}`)
    })
  })
})

test('the key of a chart names the strategies that it shows', () => {
  const { markup } = costView(plain, null, representatives(plain)).body
  const key = words(markup.split('<ul class="key">')[1].split('</ul>')[0].replaceAll('</li>', ' '))
  expect(key).toContain('hybrid')
})
