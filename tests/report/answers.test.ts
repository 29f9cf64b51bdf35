import { describe, expect, test } from 'vitest'
import { compileChart } from '../../src/report/charts/chart.ts'
import { leaderboardOf } from '../../src/report/leaderboard-rows.ts'
import { answersView } from '../../src/report/views/answers.ts'
import { comparisonView, differencesChart } from '../../src/report/views/comparison.ts'
import { dollarsTable } from '../../src/report/views/cost.ts'
import { healthView } from '../../src/report/views/health.ts'
import type { AnsweredRow, AnswersSummary, JudgeSummary } from '../../src/results/answers.ts'
import type { Summary } from '../../src/results/summary.ts'
import { comparedRow, estimate, smallSummary } from './small-summary.ts'
import { verdictWords } from './verdict-words.ts'

const words = (markup: string) =>
  markup
    .replaceAll('<wbr>', '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
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
    values: rows.slice(1).map((row) => [...row.matchAll(/data-v="([^"]*)"/g)].map(([, value]) => value)),
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
const judge: JudgeSummary = {
  name: 'correctness',
  modelCalls: 1200,
  inputTokens: 30,
  outputTokens: 4,
  estimated: 0,
  cut: 1,
  failed: 2,
  failures: [{ query: 'q7', message: 'no <JSON>' }],
}
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
const view = (more?: Partial<AnswersSummary>) => answersView(summaryOf(more))

describe('the section of answers', () => {
  test('is there if there are answers', () => {
    expect(answersView(smallSummary({ trials: [{ name: 'a', mean: 0.5 }] }))).toBeNull()
    expect(view({ rows: [] })).toBeNull()
    expect(view()).toMatchObject({ id: 'answers', title: 'Answers' })
  })

  test('has a table of the answerers over the baseline trial, if they were compared', () => {
    expect(view()?.body.markup).not.toContain('answerers-table')
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
    const markup = view({ answerers })?.body.markup ?? ''
    expect(tableOf(markup, 'answerers-table').texts).toEqual([
      ['answerer', 'difference', 'verdict'],
      ['llm 3', '+10.0 [−10.0, +30.0]', 'cannot tell'],
      ['llm &lt;2&gt;', '−25.0 [−40.0, −10.0]', 'worse'],
    ])
    expect(markup).toContain(
      'Answerers over the baseline trial, <bdi>a</bdi>: f1 minus that of <bdi>llm</bdi>',
    )
  })

  test('has a row for each, best first, with its difference to the baseline', () => {
    const { texts, values } = tableOf(view()?.body.markup ?? '', 'answers-table')
    expect(texts).toEqual([
      [
        'trial',
        'answerer',
        'f1',
        'em',
        'to baseline',
        'verdict',
        'tokens sent',
        'model calls',
        'cut',
        'failed',
      ],
      ['b', 'llm', '75.0 [65.0, 85.0]', '37.5', '+25.0 [+10.0, +40.0]', 'better', '13', '1', '0', '0'],
      ['a', 'llm', '50.0 [40.0, 60.0]', '25.0', '–', 'baseline', '13', '1', '1', '1'],
      ['no retrieval', 'llm', '25.0 [15.0, 35.0]', '12.5', '–', 'not tested', '13', '1', '0', '0'],
    ])
    expect(values[0]).toEqual(['0.75', '0.375', '0.25', '12.6', '1', '0', '0'])
    expect(values[1]).toEqual(['0.5', '0.25', '', '12.6', '1', '1', '1'])
  })

  test('shows costs where any row has them', () => {
    const rows = [row('a', 0.5, { dollars: 0.0123456, seconds: 1.5 }), row('b', 0.25, { dollars: null })]
    const { texts, values } = tableOf(view({ rows })?.body.markup ?? '', 'answers-table')
    expect(texts.map((cells) => cells.slice(8, 10))).toEqual([
      ['$ a question', 'seconds'],
      ['0.0123', '1.50'],
      ['–', '–'],
    ])
    expect(values.map((cells) => cells.slice(-4, -2))).toEqual([
      ['0.0123456', '1.5'],
      ['', ''],
    ])
  })

  test('marks a measure for which no question counts', () => {
    const none = { f1: estimate(0, 0, 0), em: estimate(0.5, null, 4) }
    const markup = view({ rows: [row('a', 0.5, { measures: none })] })?.body.markup ?? ''
    expect(tableOf(markup, 'answers-table').texts[1].slice(2, 4)).toEqual(['–', '50.0'])
    expect(words(markup)).toContain('No question counts for f1: no answer could be compared.')
    expect(words(view()?.body.markup ?? '')).not.toContain('No question counts')
  })

  test('warns of cut completions and estimated tokens, and quotes what files hold', () => {
    const warned = (more: Partial<AnswersSummary>) => {
      const markup = view(more)?.body.markup ?? ''
      return [...markup.matchAll(/<p class="warning">(.*?)<\/p>/g)].map(([, line]) => words(line))
    }
    const cut = 'were cut at maxTokens. A cut answer is scored as it is; raise maxTokens of the model.'
    const tokens = 'are estimated: the server reported no count or an impossible one.'
    expect(warned({})).toEqual([
      `1 completion ${cut.replace('were', 'was')}`,
      `Tokens of 2 answers ${tokens}`,
    ])
    expect(warned({ judges: [judge] })[0]).toBe(`2 completions ${cut}`)
    expect(warned({ rows: ROWS.slice(1) })).toEqual([])
  })

  test('lists the first failures of rows and judges', () => {
    const markup = view({ judges: [judge] })?.body.markup ?? ''
    expect(tableOf(markup, 'answer-failures').texts).toEqual([
      ['question', 'trial', 'answerer', 'reason'],
      ['q1', 'a', 'llm', 'timeout'],
      ['q2', 'no retrieval', 'llm', 'empty'],
    ])
    expect(tableOf(markup, 'judge-failures').texts.slice(1)).toEqual([
      ['correctness', 'q7', 'no &lt;JSON&gt;'],
    ])
    expect(tableOf(markup, 'judges').texts).toEqual([
      ['judge', 'model calls', 'input tokens', 'output tokens', 'cut', 'no verdict'],
      ['correctness', '1,200', '30', '4', '1', '2'],
    ])
    const none = view({ rows: ROWS.slice(1, 2), judges: [{ ...judge, failures: [] }] })?.body.markup ?? ''
    expect([none.includes('answer-failures'), none.includes('judge-failures')]).toEqual([false, false])
  })

  test('draws two trials or more: answers against retrieval, with both intervals', () => {
    const chart = view()?.charts[0]
    expect(chart?.rows).toEqual([
      {
        name: 'a',
        strategy: 'a',
        answerer: 'llm',
        x: 0.4,
        xLow: expect.closeTo(0.35),
        xHigh: expect.closeTo(0.45),
        y: 0.5,
        yLow: 0.4,
        yHigh: 0.6,
      },
      {
        name: 'b',
        strategy: 'b',
        answerer: 'llm',
        x: 0.6,
        xLow: 0.6,
        xHigh: 0.6,
        y: 0.75,
        yLow: 0.65,
        yHigh: 0.85,
      },
    ])
    expect(chart?.label).toBe('f1 of answers against recall@5 of retrieval, 2 points')
    expect(view({ rows: [ROWS[0], ROWS[2]] })?.charts).toEqual([])
    const panels = (answerers: number) => {
      const rows = Array.from({ length: answerers }, (_, at) =>
        ROWS.map((one) => ({ ...one, answerer: `w${at}` })),
      ).flat()
      const spec = view({ rows })?.charts[0].spec as {
        vconcat?: { title: { text: string }; width: number }[]
      }
      return spec.vconcat?.map(({ title, width }) => [title.text, width])
    }
    expect(panels(1)).toBeUndefined()
    expect(panels(2)).toEqual([
      ['w0', 560],
      ['w1', 560],
    ])
    expect(panels(5)).toHaveLength(4)
    for (const one of view()?.charts ?? []) compileChart(one)
  })
})

test.each<[Partial<AnswersSummary>, string]>([
  [
    {},
    'Answers: llm from b has the best f1, 75.0 [65.0, 85.0] over 9 questions; the lowest of 3 rows has 25.0. See Answers.',
  ],
  [
    { rows: [ROWS[2]] },
    'Answers: llm without retrieval has the best f1, 25.0 [15.0, 35.0] over 9 questions. See Answers.',
  ],
  [{ rows: [ROWS[1], row('c', 0.75)] }, 'Answers: all 2 rows have f1 of 75.0. See Answers.'],
  [
    { rows: [row('a', 0, { measures: { f1: estimate(0, 0, 0) } })] },
    'No answer could be compared by f1. See Answers.',
  ],
])('the verdict says which answers are best: %#', (more, sentence) => {
  expect(verdictWords(leaderboardOf(summaryOf(more), null))).toContain(sentence)
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
    healthView(small({ health: { unsolved: [], small: [], trials: [], ...more }, ...own })).body.markup
  const trial = (id: string, more: object = {}) =>
    ({ id, name: id, ceiling: 0.25, ties: null, ...more }) as never

  test('names unsolved queries, twelve of them, and small categories', () => {
    const unsolved = (count: number) =>
      words(health({ unsolved: Array.from({ length: count }, (_, at) => `q${at}`) })).slice(0, 200)
    expect(unsolved(0)).toContain(
      'Unsolved. None: at least one trial scores above 0 in recall@5 on every query.',
    )
    expect(unsolved(1)).toContain('Unsolved. 1 query has no trial above 0 in recall@5: q0. They lower')
    expect(unsolved(12)).toContain('q10, q11. They lower')
    expect(unsolved(14)).toContain('q10, q11 and 2 more. They lower')
    expect(words(health({ small: [{ name: 'rare', queries: 3 }] }))).toContain(
      'Too small. rare (3): even a trial that is better on every query there would not reach p ≤ 0.05.',
    )
    expect(health({})).not.toContain('Too small')
    expect(health({ unsolved: ['a b'] })).toContain('<a href="#queries?q=a+b">a b</a>')
  })

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
    expect(more).not.toContain('<b>Unjudged.</b>')
    expect(health({ trials: [trial('a', { unjudged }), trial('b')] })).toContain('<b>Unjudged.</b>')
    expect(health({})).toContain('<b>Unjudged.</b>')
  })
})

describe('comparisons', () => {
  const board = (count: number, more: object = {}) => {
    const names = Array.from({ length: count }, (_, at) => `t${at}`)
    const compared = Object.fromEntries(
      names.map((name, at) => [name, { difference: at / 100, low: 0, high: 1, ...more }]),
    )
    const summary = smallSummary({
      trials: ['base', ...names].map((name) => ({ name, mean: 0.5 })),
      compared,
    })
    return leaderboardOf(summary, null)
  }

  test('on the first screen are the best and the worst', () => {
    const names = (count: number) => differencesChart(board(count))?.rows?.map(({ name }) => name)
    expect(names(6)).toEqual(['t5', 't4', 't3', 't2', 't1', 't0'])
    expect(names(8)).toEqual(['t7', 't6', 't5', 't4', 't3', 't0'])
    expect(words(differencesChart(board(8))?.caption.markup ?? '')).toContain(
      ' The best 5 and the worst of 8 rows.',
    )
    expect(differencesChart(board(6))?.caption.markup).not.toContain('The best')
  })

  test('are drawn up to thirty', () => {
    const [drawn] = comparisonView(board(31))?.charts ?? []
    expect(drawn.rows).toHaveLength(30)
    expect(words(drawn.caption.markup)).toContain(
      'over 31 comparisons; the 30 with the largest difference are drawn.',
    )
    expect(comparisonView(board(30))?.charts[0].caption.markup).not.toContain('are drawn')
    expect(comparisonView(board(0))).toBeNull()
  })
})

test('dollars of a thousand queries: what the pricing charges, and calls with a price of their own', () => {
  const summary = smallSummary({
    trials: [
      { name: 'a', mean: 0.4 },
      { name: 'b', mean: 0.6 },
    ],
  })
  const pricing = { model: 'm', input: 2, output: 10, source: 'list', promptTokens: 50 }
  const own = { tokens: 400, evidenceTokens: 50, inputTokens: 100, outputTokens: 20 }
  const calls = { inputTokens: 100, outputTokens: 20, dollars: 0.001 }
  const trials = [
    { ...summary.trials[0], perQuery: own, calls },
    { ...summary.trials[1], perQuery: { tokens: 400 } },
  ]
  const markup = (list: object[]) =>
    dollarsTable({ ...summary, trials: list, pricing } as unknown as Summary)?.markup ?? ''
  expect(tableOf(markup(trials), 'dollars').values).toEqual([
    // 450 tokens at $2 a million are $0.0009.
    ['400', '0', '50', '0', '0', '0.9'],
    // 500 tokens at $2 a million are $0.001; the calls cost as much again.
    ['400', '50', '50', '100', '20', '2'],
  ])
  const said = 'calls to models with their own price use that price'
  expect([words(markup(trials)).includes(said), words(markup(trials.slice(1))).includes(said)]).toEqual([
    true,
    false,
  ])
  expect(words(markup(trials))).toContain(
    'at $2 per million input tokens and $10 per million output tokens (list, undated)',
  )
  expect(dollarsTable(summary)).toBeNull()
})
