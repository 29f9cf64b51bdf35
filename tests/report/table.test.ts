import { h } from 'preact'
import { expect, test } from 'vitest'
import { htmlTable } from '../../src/report/components/html-table.tsx'
import { rendered } from '../../src/report/markup.ts'
import type { Column } from '../../src/report/table.ts'

interface Row {
  readonly name: string
  readonly n: number
}
const A = { name: 'a', n: 1 }
const B = { name: 'bb', n: 200 }

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
  expect(
    [many(201, whole), many(201), many(200, whole)].map((html) => html.split('<tr>').length - 2),
  ).toEqual([200, 201, 200])
  expect(many(200, whole)).not.toContain('The first')
})
