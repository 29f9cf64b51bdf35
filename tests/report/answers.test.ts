import { describe, expect, test } from 'vitest'
import { allRows, cellText } from '../../src/report/board.ts'
import { boardOf } from '../../src/report/make-board.ts'
import { rendered } from '../../src/report/markup.ts'
import { answersSection } from '../../src/report/sections/answers.tsx'
import { healthSection } from '../../src/report/sections/health.tsx'
import type { AnsweredRow, AnswersSummary, Summary } from '../../src/results/summary.ts'
import { comparedRow, estimate, smallSummary } from './small-summary.ts'

const words = (markup: string) =>
  markup
    .replaceAll('<wbr>', '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')
    .trim()

/** Texts of a table's cells, row by row with the head first, and the exact values of each row. */
function tableOf(markup: string, id: string) {
  const [, body = ''] = new RegExp(`id="${id}"[\\s\\S]*?<table>([\\s\\S]*?)</table>`).exec(markup) ?? []
  const rows = body.split('<tr').slice(1)
  return {
    texts: rows.map((row) =>
      [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) => words(cell)),
    ),
    values: rows
      .slice(1)
      .map((row) => [...row.matchAll(/data-v(?:="([^"]*)")?/g)].map(([, value = '']) => value)),
  }
}

const row = (id: string, mean: number, more: Partial<AnsweredRow> = {}): AnsweredRow => ({
  id,
  trial: { id, name: id },
  answerer: 'llm',
  measures: { f1: estimate(mean, 0.1, 9), em: estimate(mean / 2, null, 8) },

  perQuery: { sent: 12.6, modelCalls: 1, inputTokens: 0, outputTokens: 0 },
  estimated: 0,
  cut: 0,
  failed: 0,
  failures: [],
  ...more,
})
const ROWS = [
  row('a', 0.5, { cut: 1, estimated: 2, failed: 1, failures: [{ query: 'q1', message: 'timeout' }] }),
  row('b', 0.75),
  row('closed', 0.25, { trial: null, failures: [{ query: 'q2', message: 'empty' }] }),
]

function summaryOf(more: Partial<AnswersSummary> = {}): Summary {
  const answers: AnswersSummary = {
    measures: [
      { name: 'f1', better: 'higher' },
      { name: 'em', better: 'higher' },
    ],
    primary: 'f1',
    rows: ROWS,
    comparisons: {
      llm: {
        measure: 'f1',
        baseline: 'a',
        level: 0.05,
        correction: 'max-t',
        family: 'baseline',
        margin: null,
        draws: 100,
        rows: [comparedRow({ id: 'b', difference: 0.25, low: 0.1, high: 0.4 })],
      } as never,
      other: null,
    },
    ...more,
  }
  return smallSummary({
    trials: [
      { name: 'a', mean: 0.4 },
      { name: 'b', mean: 0.6, half: null },
    ],
    more: { answers },
  })
}
const view = (more?: Partial<AnswersSummary>) => {
  const summary = summaryOf(more)
  return answersSection({ summary, board: boardOf(summary) })
}

describe('the section of answers', () => {
  test('has a table of the answerers over the baseline trial, if they were compared', () => {
    expect(rendered(view()?.body)).not.toContain('answerers-table')
    const answerers = {
      measure: 'f1',
      baseline: 'a',
      rows: [
        comparedRow({ id: 'x', name: 'llm <2>', difference: -0.25, low: -0.4, high: -0.1, verdict: 'worse' }),
        comparedRow({
          id: 'y',
          name: 'llm 3',
          difference: 0.1,
          low: -0.1,
          high: 0.3,
          verdict: 'cannot tell',
        }),
      ],
    } as never
    const markup = rendered(view({ answerers })?.body)
    expect(tableOf(markup, 'answerers-table').texts).toEqual([
      ['answerer', 'difference', 'verdict'],
      ['llm 3', '+10.0 [−10.0, +30.0]', 'cannot tell'],
      ['llm &lt;2>', '−25.0 [−40.0, −10.0]', 'worse'],
    ])
    expect(markup).toContain(
      'Answerers over the baseline trial, <bdi>a</bdi>: f1 minus that of <bdi>llm</bdi>',
    )
  })

  test('has its rows in the leaderboard, each below its trial, in every measure that counts', () => {
    const board = boardOf(
      summaryOf({
        rows: [
          row('a llm', 0.5, { trial: { id: 'a', name: 'a' }, failed: 1, failures: ROWS[0].failures }),
          ...ROWS.slice(1),
        ],
      }),
    )
    expect(allRows(board).map(({ name }) => name)).toEqual(['b', 'b + llm', 'a', 'a + llm', 'llm'])
    const heads = ['recall@5', 'f1', 'em', 'difference', 'model calls', 'failed']
    const columns = heads.map((name) => board.columns.find((column) => column.name === name))
    const cells = allRows(board).map((row) => columns.map((column) => column && cellText(column, row)))
    expect(cells).toEqual([
      ['60.0', '–', '–', '', '', '0'],
      ['60.0', '75.0', '37.5', '+25.0', '1', '0'],
      ['40.0', '–', '–', '', '', '0'],
      ['40.0', '50.0', '25.0', '', '1', '1'],
      ['–', '25.0', '12.5', '', '1', '0'],
    ])
  })
})

describe('data health', () => {
  const small = (more: Partial<Summary> = {}) =>
    smallSummary({
      trials: [
        { name: 'a', mean: 0.4 },
        { name: 'b', mean: 0.6 },
      ],
      more,
    })
  const health = (more: Partial<Summary['health']>, own: Partial<Summary> = {}) =>
    rendered(
      healthSection({ summary: small({ health: { unsolved: [], small: [], trials: [], ...more }, ...own }) })
        ?.body,
    )
  const trial = (id: string, more: object = {}) =>
    ({ id, name: id, ceiling: 0.25, ties: null, ...more }) as never

  test('has a row for each finalist, best first', () => {
    const ties = { share: 0.5, worst: 0.3, best: 0.45 }
    const { texts, values } = tableOf(health({ trials: [trial('a', { ties }), trial('b')] }), 'health-table')
    expect(texts).toEqual([
      [
        'trial',
        'at the ceilingof queries',
        'decided by tiesof queries',
        'recall@5, worsttie order',
        'recall@5, besttie order',
      ],
      ['b', '25.0 %', '–', expect.any(String), expect.any(String)],
      ['a', '25.0 %', '50.0 %', '30.0', '45.0'],
    ])
    expect(values).toEqual([
      ['0.25', '', '', ''],
      ['0.25', '0.5', '0.3', '0.45'],
    ])
    const unjudged = { share: 0.125, k: 5 }
    const bounds = { condensed: 0.5, relevant: 0.75 }
    const more = health({ trials: [trial('a', { unjudged, bounds }), trial('b', { unjudged })] })
    const wide = tableOf(more, 'health-table')
    expect(wide.texts[0].slice(5)).toEqual([
      'unjudgedof the first 5',
      'recall@5unjudged left out',
      'recall@5unjudged relevant',
    ])
    expect(wide.values[1].slice(4)).toEqual(['0.125', '0.5', '0.75'])
  })
})
