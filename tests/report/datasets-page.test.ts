import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderDatasets } from '../../src/report/datasets-page.tsx'
import { leaderboardText } from '../../src/report/leaderboard.ts'
import {
  leaderboardCsv,
  leaderboardJson,
  leaderboardLatex,
  leaderboardMarkdown,
} from '../../src/report/leaderboard-files.ts'
import { parseCsv } from '../../src/text/csv.ts'
import { macroFixture } from './macro-fixture.ts'

const cellsOf = (line: string) => line.trim().split(/ {2,}/)

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

  test('a row that one data set lacks has no macro mean, stands last and is named', () => {
    const text = leaderboardText(macroFixture({ lacking: [2] }), null)
    expect(text).toMatch(/3 {2}hybrid +70\.00 +– +–\n/)
    expect(text.replace(/\s+/g, ' ')).toContain('No macro mean (every query failed): hybrid on hotpotqa')
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

/** Lines of a CSV text, each as its cells by head. */
function csvRows(text: string): Record<string, string>[] {
  const [heads, ...lines] = parseCsv(text).map(({ fields }) => fields)
  return lines.map((fields) => Object.fromEntries(heads.map((head, at) => [head, fields[at]])))
}

test('as CSV a line a row and data set; the macro mean without a data set', () => {
  const rows = csvRows(leaderboardCsv(macroFixture({ datasets: ['=cmd', 'b,c'] }), null))
  expect(rows).toHaveLength(9)
  expect(rows.map(({ dataset }) => dataset)).toEqual(Array(3).fill(["'=cmd", 'b,c', '']).flat())
  const [first, second, macro] = rows
  expect(first).toMatchObject({
    name: 'hybrid',
    'recall@5': '0.7',
    difference: '0.2',
    p: '',
    verdict: 'equivalent',
  })
  expect(second).toMatchObject({ 'recall@5': '0.6799999999999999', 'difference low': '', 'adjusted p': '' })
  expect(macro).toMatchObject({
    'recall@5': '0.7',
    'recall@5 low': '0.6499999999999999',
    'recall@5 n': '100',
    'adjusted p': '0.02',
  })
  expect(rows.at(-1)).toMatchObject({ name: 'naive', difference: '', verdict: 'baseline' })
  expect(rows.at(-2)).toMatchObject({ dataset: 'b,c', verdict: '' })
})

test('as CSV a dataset on which no query counts has no difference', () => {
  const macro = macroFixture()
  const rows = macro.comparison?.rows.map((row) => ({
    ...row,
    datasets: row.datasets.map((part, place) => (place === 0 ? { ...part, n: 0, difference: 0 } : part)),
  }))
  const csv = leaderboardCsv({ ...macro, comparison: { ...macro.comparison!, rows: rows ?? [] } }, null)
  const [first, second] = csvRows(csv)
  expect(first).toMatchObject({ dataset: 'musique', difference: '', verdict: 'equivalent' })
  expect(Number(second.difference)).toBeGreaterThan(0)
})

test('as JSON rows best first', () => {
  const { datasets, tuned, ...macro } = macroFixture()
  expect(leaderboardJson({ ...macro, datasets, tuned }, null)).toMatchObject({
    datasets,
    tuned: [...tuned].reverse(),
    trials: [],
  })
})

test('as Markdown and LaTeX', () => {
  const macro = macroFixture({ datasets: ['a_b', 'c|d'] })
  expect(leaderboardMarkdown(macro, null)).toContain(
    '| hybrid | 70.00 | 68.00 | 70.00 [65.0, 75.0] | 35.00 | +20.0 [+17.0, +23.0] (equivalent) | 0.020 |',
  )
  expect(leaderboardMarkdown(macro, null)).toContain(
    '| strategy | a\\_b | c\\|d | macro mean | mrr@10 | to baseline | adjusted p |',
  )
  expect(leaderboardLatex(macro, null)).toContain('strategy & a\\_b & c|d & macro mean & ')
})

describe('the page', () => {
  test('holds every number, and links to the reports that there are', async () => {
    const page = await renderDatasets(macroFixture(), 'c'.repeat(64), ['fixture/d0.html', null])
    expect(page).toContain('<a href="fixture/d0.html"><bdi>musique</bdi></a>')
    expect(page.match(/<a href="(?!#)/g)).toHaveLength(2)
    expect(page).not.toContain('It depends on the dataset')
    const turning = macroFixture({ rows: ['naive', 'bm25', 'hybrid', 'lightrag', 'title-ppr'] })
    expect(await renderDatasets(turning, '', [])).toMatch(
      /It depends on the dataset\.<\/b> <bdi>[^<]*title-ppr/,
    )
    for (const id of ['comparison-table', 'datasets-table']) {
      expect(page).toMatch(new RegExp(`class="table" id="${id}"`))
    }
    expect(page).toContain('c'.repeat(64))
    expect(Buffer.byteLength(page)).toBeLessThan(800_000)
  })

  test('asks for nothing, and no name in it becomes markup', async () => {
    const evil = '</script><img src=x onerror=alert(1)>"\''
    const page = await renderDatasets(
      { ...macroFixture({ datasets: [evil, 'b'], rows: ['naive', evil], lacking: [1] }), experiment: evil },
      '',
      [`${encodeURIComponent(evil)}.html`, null],
    )
    expect(page).not.toContain('<img')
    expect(page.match(/<script/g)).toHaveLength(3)
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })
})
