import { describe, expect, test } from 'vitest'
import { renderDatasets } from '../../src/report/datasets-page.tsx'
import { leaderboardText } from '../../src/report/leaderboard.ts'
import { leaderboardCsv } from '../../src/report/leaderboard-files.ts'
import { parseCsv } from '../../src/text/csv.ts'
import { macroFixture } from './macro-fixture.ts'

describe('on the terminal', () => {
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
