import { describe, expect, test } from 'vitest'
import { loadCustom } from '../../src/custom/load.ts'
import { customMetric, metricsWith } from '../../src/custom/metric.ts'
import type { GradedRanking } from '../../src/metrics/define.ts'
import { evaluate } from '../../src/metrics/evaluate.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import { docsSection } from '../docs-section.ts'
import { temporaryFolder } from '../temporary.ts'

const load = (text: string) => loadCustom(`${temporaryFolder({ 'mine.mjs': text })}/mine.mjs`, customMetric)

/** Four relevant, two of them at ranks 1 and 4. */
const judged: GradedRanking = {
  grades: Int32Array.of(1, 1, 1, 1, 0),
  ranks: Int32Array.of(4, 0, 1, 0, 2),
  retrieved: 10,
}

async function score(text: string, measure: string): Promise<number> {
  const metrics = metricsWith([await load(text)])
  return evaluate([parseMeasure(measure, { metrics })], judged)[0]
}

test('runs the example of the docs', async () => {
  const page = docsSection('custom-parts.md', 'Add a metric')
  const example = /```js\n(.*?)```/s.exec(page)?.[1] ?? ''
  expect(await score(example, 'f1@5')).toBeCloseTo((2 * (2 / 5) * (2 / 4)) / (2 / 5 + 2 / 4), 12)
  expect(await score(example, 'f1@1')).toBeCloseTo((2 * 1 * (1 / 4)) / (1 + 1 / 4), 12)
})

describe('a file that is no metric is refused', () => {
  test.each([
    ['', 'has no default export; a metric is `export default { name, summary, score }`'],
    ['export default 3', 'is not a metric'],
    [
      'export default {}',
      'the default export is not a metric: lacks `name`, which must be text; lacks `summary`, which must be text; `score` must be a function',
    ],
    ['export default () => "x"', 'the default export is not a metric'],
    ['export default { name: "F-1", summary: "s", score() {} }', '`name` must be small letters'],
    [
      'export default { name: "f", summary: "s", score() {}, better: "more" }',
      '`better` must be one of higher',
    ],
    ['export default { name: "f", summary: "s", score() {}, args: { b: 2 } }', '`args.b` must be a map'],
    ['export default { name: "f", summary: "s", score() {}, scor: 1 }', 'no `scor` (did you mean "score"?)'],
    ['export default', 'could not be loaded'],
    ['process.exit(0)', 'ended with code 0 while it was imported'],
  ])('%j', async (text, message) => {
    await expect(load(text)).rejects.toThrow(message)
  })
})

describe('what its code does wrong on a query is told with the file', () => {
  const metric = (body: string) => `export default { name: 'f', summary: 's', score(view) {\n${body}\n} }`
  test.each([
    ['', /mine\.mjs: f@3: gave undefined for a query, which is not a number/],
    ['return 1 / 0', /mine\.mjs: f@3: gave Infinity for a query/],
    ['return -0.01', /mine\.mjs: f@3: gave -0\.01 for a query; .*`bounded: false`/],
    ['return 1.5', /mine\.mjs: f@3: gave 1\.5 for a query; .*`bounded: false`/],
    ['return view.none.length', /mine\.mjs:\d+.*: f@3: Cannot read/],
  ])('%j', async (body, message) => {
    await expect(score(metric(body), 'f@3')).rejects.toThrow(message)
  })
})
