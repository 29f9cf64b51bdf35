import { expect, test } from 'vitest'
import { chart, showTable as table } from '../../src/library/show.tsx'

const bundle = (value: object) =>
  (value as Record<symbol, () => Promise<Record<string, unknown>>>)[Symbol.for('Jupyter.display')]()

test('a table is markup with what is untrusted escaped, and aligned text', async () => {
  const shown = table([
    { trial: '<b>bm25</b>', mean: 0.123456, n: 12 },
    { trial: 'naive', mean: null, n: 3 },
  ])
  const { 'text/html': html, 'text/plain': text } = await bundle(shown)
  expect(html).toContain('<td style="text-align: left">&lt;b>bm25&lt;/b></td>')
  expect(html).not.toContain('<b>')
  expect(text).toBe('trial          mean   n\n<b>bm25</b>  0.1235  12\nnaive                 3')
  expect(`${shown}`).toBe(text)
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
