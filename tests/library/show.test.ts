import { expect, test } from 'vitest'
import { chart, showTable as table } from '../../src/library/show.ts'

const bundle = (value: object) =>
  (value as Record<symbol, () => Promise<Record<string, unknown>>>)[Symbol.for('Jupyter.display')]()

test('a table is markup with what is untrusted escaped, and aligned text', async () => {
  const shown = table([
    { trial: '<b>bm25</b>', mean: 0.123456, n: 12 },
    { trial: 'naive', mean: null, n: 3 },
  ])
  const { 'text/html': html, 'text/plain': text } = await bundle(shown)
  expect(html).toContain('<td style="text-align: left">&lt;b&gt;bm25&lt;/b&gt;</td>')
  expect(html).not.toContain('<b>')
  expect(text).toBe('trial          mean   n\n<b>bm25</b>  0.1235  12\nnaive                 3')
  expect(`${shown}`).toBe(text)
})

test('no rows are an empty table', async () => {
  expect((await bundle(table([])))['text/plain']).toBe('')
})

test('a chart is a Vega-Lite spec with its rows, and the same picture every time', async () => {
  const encoding = { x: { field: 'a', type: 'quantitative' }, y: { field: 'b' } }
  const draw = () => bundle(chart({ mark: 'bar', encoding }, [{ a: 1, b: '<script>' }]))
  const { 'application/vnd.vegalite.v5+json': spec, 'image/svg+xml': svg } = await draw()
  expect(spec).toMatchObject({ mark: 'bar', encoding, data: { values: [{ a: 1, b: '<script>' }] } })
  expect(svg).toMatch(/^<svg[\s\S]*&lt;script&gt;[\s\S]*<\/svg>$/)
  expect((await draw())['image/svg+xml']).toBe(svg)
})

test('a spec that Vega-Lite refuses is an error', async () => {
  const spec = { mark: 'bar', encoding: { nonsense: { field: 'a', type: 'quantitative' } } }
  await expect(bundle(chart(spec, []))).rejects.toThrow('nonsense')
})

test('every cell stands on its side, and numbers have four digits', async () => {
  const { 'text/html': html, 'text/plain': text } = await bundle(
    table([
      { name: 'a', mean: 12.34567, n: 5, done: true },
      { name: null, mean: 1 / 3000, n: undefined, done: false },
    ]),
  )
  const cell = (side: string, text: string) => `<td style="text-align: ${side}">${text}</td>`
  expect(html).toBe(
    `<table><thead><tr>${['name', 'mean', 'n', 'done'].map((head, i) => `<th style="text-align: ${i === 1 || i === 2 ? 'right' : 'left'}">${head}</th>`).join('')}</tr></thead><tbody>` +
      `<tr>${cell('left', 'a')}${cell('right', '12.35')}${cell('right', '5')}${cell('left', 'true')}</tr>` +
      `<tr>${cell('left', '')}${cell('right', '0.0003333')}${cell('right', '')}${cell('left', 'false')}</tr></tbody></table>`,
  )
  expect(String(text).split('\n')).toHaveLength(3)
  const shown = chart(
    { mark: 'bar', encoding: { x: { field: 'a', type: 'quantitative' } }, config: { view: {} } },
    [{ a: 1 }],
  )
  expect(`${shown}`).toBe('a chart of 1 rows')
  expect(await bundle(shown)).toMatchObject({
    'text/plain': 'a chart of 1 rows',
    'application/vnd.vegalite.v5+json': {
      $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
      config: { view: {} },
    },
  })
})
