import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderDatasets } from '../../src/report/datasets-page.ts'
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardLatex,
  leaderboardMarkdown,
  leaderboardText,
} from '../../src/report/leaderboard.ts'
import { leaderboardOf } from '../../src/report/leaderboard-rows.ts'
import type { MacroSummary } from '../../src/results/macro.ts'
import type { ComparedRow } from '../../src/results/summary.ts'
import { macroFixture } from './macro-fixture.ts'
import { verdictWords } from './verdict-words.ts'

const cellsOf = (line: string) => line.trim().split(/ {2,}/)

test('the first screen shows nine rows whole, and of more the best eight with a link to all', async () => {
  const shown = async (count: number) => {
    const names = ['naive', ...Array.from({ length: count - 1 }, (_, at) => `row${at}`)]
    const page = await renderDatasets(macroFixture({ rows: names }), [null, null])
    const table = page.slice(page.indexOf('id="overview-board"'), page.indexOf('</table>'))
    return [table.split('<tr').length - 2, page.includes(`>All ${count} rows</a>`)]
  }
  expect(await shown(3)).toEqual([3, false])
  // A phone hides some of them.
  expect(await shown(9)).toEqual([9, true])
  expect(await shown(10)).toEqual([8, true])
})

test('the first screen has the best row of each strategy, however many rows of others are better', async () => {
  const rows = [
    'naive',
    'bm25 k1=1',
    'bm25 k1=2',
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => `hybrid alpha=${at}`),
  ]
  const page = await renderDatasets(macroFixture({ rows }), [null, null])
  const table = page.slice(page.indexOf('id="overview-board"'), page.indexOf('</table>'))
  const names = table.replace(/<svg.*?<\/svg>|<[^>]*>/gs, '').match(/hybrid alpha=\d|bm25 k1=\d|naive/g)
  const hybrids = [9, 8, 7, 6, 5, 4].map((at) => `hybrid alpha=${at}`)
  expect(names).toEqual([...hybrids, 'bm25 k1=2', 'naive'])
  expect(table).toContain('The best row of each strategy, then the next best.')
})

describe('on the terminal', () => {
  test('means best first, then differences with the marks of their verdicts', () => {
    const lines = leaderboardText(macroFixture(), null).split('\n')
    expect(cellsOf(lines[2])).toEqual(['#', 'strategy', 'musique', 'hotpotqa', 'macro mean'])
    expect(cellsOf(lines[3])).toEqual(['1', 'hybrid', '70.00', '68.00', '70.00', '[65.0, 75.0]'])
    const first = lines.indexOf('Paired differences from naive, in points')
    expect(cellsOf(lines[first + 3])).toEqual(['hybrid', '+20.0 ■', '+15.0 ○', '+20.0 ■', '[+17.0, +23.0]'])
  })

  test('any number of data sets fits the width, and none of their numbers is cut', () => {
    const name = fc.stringMatching(/^[a-z0-9-]{1,40}$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 2, maxLength: 12 }),
        fc.uniqueArray(name, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 72, max: 160 }),
        (datasets, rows, columns) => {
          const text = leaderboardText(macroFixture({ datasets, rows }), null, { columns })
          const table = text.slice(0, text.indexOf('\nDatasets: ')).split('\n')
          for (const line of table) expect(line.length).toBeLessThanOrEqual(columns)
          rows.forEach((_, place) => {
            for (const at of datasets.keys())
              expect(text).toContain(` ${(100 * (0.5 + 0.1 * place - 0.02 * at)).toFixed(2)}`)
          })
          for (const one of datasets) expect(text.replace(/\s+/g, ' ')).toContain(`${one} (100`)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('of long names the params stand by value, and their names below', () => {
    const text = leaderboardText(
      macroFixture({ rows: ['naive', 'hybrid alpha=0.35 fusion=weighted pool=20'] }),
      null,
    )
    expect(text).toMatch(/1 a {2}hybrid 0\.35 weighted 20 +60\.00/)
    expect(text).toMatch(/hybrid 0\.35 weighted 20 +\+10\.0 ▼/)
    expect(text).toContain('Params: hybrid alpha fusion pool.')
  })

  test('a row that one data set lacks has no macro mean, stands last and is named', () => {
    const text = leaderboardText(macroFixture({ lacking: [2] }), null)
    expect(text).toMatch(/3 {4}hybrid +70\.00 +– +–\n/)
    expect(text.replace(/\s+/g, ' ')).toContain('No macro mean (every query failed): hybrid on hotpotqa.')
  })

  test('control characters of names never reach the terminal', () => {
    const text = leaderboardText(
      macroFixture({ datasets: ['a\u001b[31m', 'b\u202e'], rows: ['naive', 'x\u0007'] }),
      null,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })
})

test('as CSV a line a row and data set; the macro mean without a data set', () => {
  const [head, ...lines] = leaderboardCsv(macroFixture({ datasets: ['=cmd', 'b,c'] }), null)
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(3 * 3)
  expect(head).toMatch(
    /^kind,id,name,strategy,dataset,recall@5,recall@5 low,.*,mrr@10 n,difference,.*,verdict$/,
  )
  const [means, halves] = ['0.7,0.6499999999999999,0.75,100', '0.35,0.3,0.39999999999999997,100']
  expect(lines[0]).toBe(`tuned,id2,hybrid,hybrid,'=cmd,${means},${halves},0.2,,,,,equivalent`)
  expect(lines[1]).toContain(',"b,c",0.6799999999999999,')
  expect(lines[2]).toBe(`tuned,id2,hybrid,hybrid,,${means},${halves},0.2,0.17,0.23,0.01,0.02,equivalent`)
  for (const line of [head, ...lines]) expect(line.replace(/"[^"]*"/g, '').split(',')).toHaveLength(19)
  expect(lines.at(-1)).toMatch(/naive,naive,,0\.5,.*,baseline$/)
  expect(lines.at(-2)).toMatch(/,$/)
})

test('as CSV a dataset on which no query counts has no difference', () => {
  const macro = macroFixture()
  const rows = macro.comparison?.rows.map((row) => ({
    ...row,
    datasets: row.datasets.map((one, place) => (place === 0 ? { ...one, n: 0, difference: 0 } : one)),
  }))
  const csv = leaderboardCsv({ ...macro, comparison: { ...macro.comparison!, rows: rows ?? [] } }, null)
  const [first, second] = csv.split('\r\n').slice(1)
  expect(first).toMatch(/^tuned,id2,hybrid,hybrid,musique,.*,100,,,,,,equivalent$/)
  expect(second).toMatch(/^tuned,id2,hybrid,hybrid,hotpotqa,.*,100,0\.\d+,,,,,/)
})

test('as JSON the file itself, rows best first', () => {
  const macro = macroFixture()
  expect(leaderboardJson(macro, null)).toEqual({ ...macro, rows: [...macro.rows].reverse() })
})

test('as Markdown and LaTeX', () => {
  const macro = macroFixture({ datasets: ['a_b', 'c|d'] })
  expect(leaderboardMarkdown(macro, null)).toContain(
    '| hybrid | 70.00 | 68.00 | 70.00 [65.0, 75.0] | +20.0 (equivalent) |',
  )
  expect(leaderboardMarkdown(macro, null)).toContain(
    '| strategy | a\\_b | c\\|d | macro mean | to baseline |',
  )
  expect(leaderboardLatex(macro, null)).toContain('strategy & a\\_b & c|d & macro mean & to baseline')
})

describe('the verdict', () => {
  const words = (change: (macro: MacroSummary) => MacroSummary) => {
    const macro = change(macroFixture())
    return verdictWords(leaderboardOf(macro))
  }
  const compared =
    (own: Partial<ComparedRow>) =>
    (macro: MacroSummary): MacroSummary => ({
      ...macro,
      comparison: {
        ...macro.comparison!,
        rows: macro.comparison!.rows.map((row) => (row.name === 'hybrid' ? { ...row, ...own } : row)),
      },
    })
  const means =
    (...values: readonly number[]) =>
    (macro: MacroSummary): MacroSummary => ({
      ...macro,
      rows: macro.rows.map((row, place) => ({
        ...row,
        macro: { ...row.macro, 'recall@5': { mean: values[place], low: 0.1, high: 0.9, n: 200 } },
      })),
    })

  test.each<[string, (macro: MacroSummary) => MacroSummary, readonly string[], readonly string[]]>([
    [
      'a leader',
      (macro) => macro,
      [
        'hybrid leads: recall@5, macro mean of 70.0 [65.0, 75.0] over 2 datasets with 100 queries. It is equivalent to the baseline: +20.0 points from naive',
        'adjusted p = 0.020.',
        'with 10,000 resamples, stratified by dataset, corrected by max-T: 1 worse, 1 equivalent.',
        'Tuned with 5-fold cross-validation within each dataset. Each query is scored by the trial that was best on the other folds (seed 0)',
      ],
      ['tie', 'Where it loses', 'Too few', 'Identical', 'only row'],
    ],
    ['a tie', means(0.3, 0.7, 0.7), ['bm25 and hybrid tie: recall@5, macro mean of 70.0'], ['leads']],
    ['a small p', compared({ adjusted: 0.0002 }), ['adjusted p < 0.001'], []],
    [
      'an identical row',
      compared({ wins: 0, losses: 0, ties: 200, verdict: 'cannot tell' }),
      [
        'It scores the same as the baseline, naive, on every query.',
        'Identical to the baseline on every query: hybrid.',
      ],
      ['No significant difference'],
    ],
    [
      'a row without a significant difference',
      compared({ verdict: 'cannot tell' }),
      ['No significant difference from the baseline: hybrid.'],
      ['Identical'],
    ],
    [
      'few queries',
      (macro) => ({
        ...compared({ wins: 8, ties: 3, losses: 3 })(macro),
        rows: macro.rows.map((row) => ({
          ...row,
          macro: { ...row.macro, 'recall@5': { mean: 0.5, low: 0.1, high: 0.9, n: 14 } },
        })),
      }),
      [
        'Too few queries. Means over 14 queries do not generalise',
        'Below 15 queries no difference is tested',
      ],
      [],
    ],
    ['fifteen queries', compared({ wins: 8, ties: 4, losses: 3 }), [], ['Too few']],
    [
      'the baseline first',
      means(0.9, 0.1, 0.1),
      ['naive leads', 'It is the baseline: no other row has a better mean.'],
      ['nothing that was tried'],
    ],
    [
      'the baseline alone',
      (macro) => ({ ...macro, rows: macro.rows.slice(0, 1), comparison: { ...macro.comparison!, rows: [] } }),
      ['naive is the only row', 'there is nothing else to compare it with'],
      ['leads', 'no other row'],
    ],
    [
      'no row on every dataset',
      (macro) => ({ ...macro, rows: [] }),
      ['No row was scored on every dataset.'],
      ['leads'],
    ],
    [
      'a collapse on one dataset',
      (macro) => ({
        ...macro,
        rows: macro.rows.map((row) =>
          row.name === 'hybrid'
            ? {
                ...row,
                datasets: [row.datasets[0], { 'recall@5': { mean: 0.2, low: 0.1, high: 0.3, n: 100 } }],
              }
            : row,
        ),
      }),
      ['Where it loses. hybrid scores far below another row on hotpotqa (n = 100): 20.0, bm25 58.0.'],
      ['musique (n'],
    ],
  ])('%s', (_, change, said, unsaid) => {
    const text = words(change).replace(/&lt;/g, '<')
    for (const sentence of said) expect(text).toContain(sentence)
    for (const sentence of unsaid) expect(text).not.toContain(sentence)
    expect(text).not.toMatch(/NaN|undefined|null/)
  })
})

describe('the page', () => {
  test('holds every number, and links to the reports that there are', async () => {
    const page = await renderDatasets(macroFixture(), ['fixture/d0.html', null])
    expect(page).toContain('<a href="fixture/d0.html"><bdi>musique</bdi></a>')
    expect(page.match(/<a href="(?!#)/g)).toHaveLength(2)
    expect(page).not.toContain('It depends on the dataset')
    const turning = macroFixture({ rows: ['naive', 'bm25', 'hybrid', 'lightrag', 'title-ppr'] })
    expect(await renderDatasets(turning, [])).toMatch(
      /It depends on the dataset\.<\/b>[^<]*<bdi>title-ppr<\/bdi>/,
    )
    for (const id of ['board', 'comparison-table', 'datasets-table']) {
      expect(page).toMatch(new RegExp(`class="table" id="${id}"`))
    }
    expect(page).toContain('c'.repeat(64))
    expect(Buffer.byteLength(page)).toBeLessThan(800_000)
  })

  test('asks for nothing, and no name in it becomes markup', async () => {
    const evil = '</script><img src=x onerror=alert(1)>"\''
    const page = await renderDatasets(
      { ...macroFixture({ datasets: [evil, 'b'], rows: ['naive', evil], lacking: [1] }), experiment: evil },
      [`${encodeURIComponent(evil)}.html`, null],
    )
    expect(page).not.toContain('<img')
    expect(page.match(/<script/g)).toHaveLength(5)
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  test('of every two compared says which two', async () => {
    const page = await renderDatasets(macroFixture({ family: 'pairs' }), [])
    expect(page.replace(/<[^>]*>/g, '')).toContain('between pairs of rows (family: pairs)')
    expect(page).toContain('<th scope="row" class="text">bm25</th><td class="text">naive</td>')
  })
})
