import { join } from 'node:path'
import { h } from 'preact'
import { beforeAll, describe, expect, test } from 'vitest'
import { type BoardRow, bracketOf, cellText, numberAt, scaleOf, trialsOf } from '../../src/report/board.ts'
import { paretoPoints, paretoRows } from '../../src/report/charts/pareto.ts'
import { BoardTable } from '../../src/report/components/board-table.tsx'
import { boardOf, trialDollars } from '../../src/report/make-board.ts'
import { rendered } from '../../src/report/markup.ts'
import { representatives } from '../../src/report/representatives.ts'
import { readLatency, readSummary } from '../../src/results/read.ts'
import type { Summary } from '../../src/results/summary.ts'
import { sharedFolder } from '../temporary.ts'
import { writeFixture } from './fixture.ts'
import { smallSummary } from './small-summary.ts'

/** Board as data: what tables, trade-offs and downloads show, next to the summary that it is made from. */

const folder = sharedFolder()
let plain: Summary
const pricing = { model: 'm', input: 3, output: 15, date: null, source: 'the config', promptTokens: 50 }

beforeAll(() => {
  writeFixture(join(folder, 'plain'), { queries: 40 })
  plain = { ...readSummary(join(folder, 'plain')), pricing }
})

const latency = () => readLatency(join(folder, 'plain'))
const dataOf = (summary: Summary) => boardOf(summary, latency())

describe('the board', () => {
  test('has every number of every trial, with its interval', () => {
    const board = dataOf(plain)
    const at = (name: string) => board.columns.find((column) => column.name === name)!
    const trials = trialsOf(board)
    expect(trials).toHaveLength(plain.trials.length)
    for (const [place, { id, measures, perQuery, failed }] of plain.trials.entries()) {
      const value = (name: string) => numberAt(at(name), trials[place])
      expect(trials[place].id).toBe(id)
      for (const [measure, { mean }] of Object.entries(measures)) expect(value(measure)).toBeCloseTo(mean, 6)
      expect(value('tokens@5')).toBeCloseTo(perQuery.tokens + perQuery.evidenceTokens, 2)
      expect(value('dollars')).toBeCloseTo(trialDollars(plain.trials[place], pricing), 6)
      expect(value('failed')).toBe(failed)
    }
    const [best] = board.ranked
    const { mean, low, high } = plain.trials[best.trial].measures['recall@5']
    const percent = (share: number | null) => (100 * (share ?? 0)).toFixed(1)
    expect(cellText(board.columns[0], best)).toBe(percent(mean))
    expect(bracketOf(board.columns[0], best)).toBe(`[${percent(low)}, ${percent(high)}]`)
  })
})

test('a table of rows is written without a script, and a name stays text', () => {
  const board = dataOf(smallSummary({ trials: [{ name: '<img src=x>', mean: 0.4 }] }))
  const markup = rendered(
    h(BoardTable<BoardRow>, {
      id: 'x',
      board,
      rows: board.ranked,
      columns: [],
      scale: scaleOf(board.columns[0], board.ranked),
      label: '"&',
    }),
  )
  expect(markup).toContain('aria-label="&quot;&amp;"')
  expect(markup).toContain('&lt;img src=x>')
  expect(markup).not.toContain('<img')
  expect(markup).toContain('<b>40.0</b>')
})

describe('quality and cost', () => {
  test('a point is at what is sent and what it gains; nothing beats the front', () => {
    const board = dataOf(plain)
    const column = board.columns.findIndex(({ name }) => name === 'tokens@5')
    const chosen = representatives(plain)
    const rows = paretoRows(paretoPoints(board, column, chosen))
    expect(rows).toHaveLength(plain.trials.length)
    expect(
      rows
        .filter((row) => row.chosen)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(chosen.map((place) => plain.trials[place].name).sort())
    const isBeaten = ({ x, y }: (typeof rows)[number]) =>
      rows.some(
        (other) =>
          Number(other.x) <= Number(x) && Number(other.y) >= Number(y) && (other.x !== x || other.y !== y),
      )
    for (const row of rows) expect([row.name, row.front]).toEqual([row.name, !isBeaten(row)])
  })
})
