import { h } from 'preact'
import { expect, test } from 'vitest'
import { htmlTable } from '../../src/report/components/html-table.tsx'
import { markdownTable } from '../../src/report/markdown.ts'
import { rendered } from '../../src/report/markup.ts'
import { type Column, csvOf, latexTable, terminalTable } from '../../src/report/table.ts'

interface Row {
  readonly name: string
  readonly n: number
}
const COLUMNS: readonly Column<Row>[] = [
  { head: 'row', left: true, text: ({ name }) => name },
  { head: 'n', text: ({ n }) => String(n).replace('-', '−'), value: ({ n }) => n },
]
const A = { name: 'a', n: 1 }
const B = { name: 'bb', n: 200 }

test('in a terminal texts are on the left and numbers on the right', () => {
  expect(terminalTable([A, B], COLUMNS).split('\n')).toEqual(['row    n', 'a      1', 'bb   200'])
  expect(terminalTable([A], COLUMNS, { indent: 2 }).split('\n')).toEqual(['  row  n', '  a    1'])
  const bare = COLUMNS.map((column) => ({ ...column, head: '' }))
  expect(terminalTable([A, B], bare).split('\n')).toEqual(['a     1', 'bb  200'])
})

test('in a terminal the last column is folded at the width of the screen', () => {
  const words = { name: 'x', text: 'one two three four five six seven eight nine ten' }
  const columns = [
    { head: 'row', left: true, text: ({ name }: typeof words) => name },
    { head: 'words', left: true, text: ({ text }: typeof words) => text },
  ]
  const lines = terminalTable([words], columns, { width: 25 }).split('\n')
  expect(lines).toEqual([
    'row  words',
    'x    one two three four',
    '     five six seven eight',
    '     nine ten',
  ])
  // However small the screen is.
  const narrow = terminalTable([words], columns, { width: 5 }).split('\n')
  expect(narrow[1]).toBe('x    one two three')
})

test('in Markdown marks of a name are escaped, in a table a part', () => {
  const parts = [
    { title: 'T', rows: [{ name: 'a|b *c*\n<d>', n: 1 }] },
    { title: '', rows: [B] },
  ]
  expect(markdownTable({ columns: COLUMNS, parts, caption: 'Note #1' })).toBe(`### T

| row | n |
| --- | --: |
| a\\|b \\*c\\* \\<d\\> | 1 |

| row | n |
| --- | --: |
| bb | 200 |

Note \\#1
`)
})

test('in LaTeX signs are written out', () => {
  const parts = [
    { title: 'T', rows: [{ name: 'a_b [c] ~^\\ –…', n: -1 }] },
    { title: '', rows: [B] },
  ]
  expect(latexTable({ columns: COLUMNS, parts, caption: '50 % & {more} ᵃᵇ' })).toBe(`\\begin{table}
  \\caption{50 \\% \\& \\{more\\} $^{ab}$}
  \\begin{tabular}{lr}
    \\toprule
    row & n \\\\
    \\midrule
    \\multicolumn{2}{l}{\\textit{T}} \\\\
    \\midrule
    a\\_b {[}c{]} \\textasciitilde{}\\textasciicircum{}\\textbackslash{} --\\ldots{} & $-$1 \\\\
    \\midrule
    bb & 200 \\\\
    \\bottomrule
  \\end{tabular}
\\end{table}
`)
})

test('in CSV numbers are whole', () => {
  const columns = [...COLUMNS, { head: 'exact', value: ({ n }: Row) => n / 3 }]
  expect(csvOf(columns, [A]).trimEnd().split(/\r?\n/)).toEqual(['row,n,exact', `,1,${1 / 3}`])
})

test('on a page', () => {
  const columns: readonly Column<Row>[] = [
    { head: 'row', left: true, text: ({ name }) => name },
    { head: 'recall@5', note: 'n', title: 't', value: ({ n }) => n, html: ({ n }) => h('b', null, n) },
  ]
  const page = (rows: readonly Row[], more: object = {}) =>
    rendered(htmlTable({ id: 'x', caption: 'C', columns, rows, ...more }))
  expect(page([{ name: 'a=b<', n: 1 }])).toBe(
    `<div class="table narrow" id="x"><p class="caption" id="x-caption">C</p><div class="scroll" tabindex="0" role="group" aria-labelledby="x-caption"><table><thead><tr><th scope="col" class="text">row</th><th scope="col" title="t">recall<wbr/>@5<small>n</small></th></tr></thead><tbody><tr><th scope="row" class="text">a=<wbr/>b&lt;</th><td data-v="1"><b>1</b></td></tr></tbody></table></div></div>`,
  )
  const start = (markup: string) => markup.slice(0, markup.indexOf('>') + 1)
  const rowClass = (_: Row, index: number) => (index === 1 ? 'best' : '')
  const two = page([A, B], { shown: 1, sortable: true, rowClass })
  expect(start(two)).toBe('<div class="table narrow" id="x" data-shown="1" data-sortable="true">')
  expect(two.match(/<tr[^>]*>/g)).toEqual(['<tr>', '<tr>', '<tr class="best">'])
  expect(start(page([A, B], { shown: 2 }))).toBe('<div class="table narrow" id="x">')
  expect(start(page([A], { columns: [...columns, ...columns] }))).toBe('<div class="table" id="x">')
  const many = (count: number, whole?: string) => page(new Array(count).fill(A), { ...(whole && { whole }) })
  const whole = 'scores has'
  expect(many(201, whole)).toContain('>C The first 200 of 201; scores has all.</p>')
  expect([many(201, whole), many(201), many(200, whole)].map((one) => one.split('<tr>').length - 2)).toEqual([
    200, 201, 200,
  ])
  expect(many(200, whole)).not.toContain('The first')
})
