import { expect, test } from 'vitest'
import { showTable as table } from '../../src/library/show.tsx'

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
