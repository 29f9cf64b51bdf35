import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ChartRow } from '../../src/report/charts/chart.ts'
import { leaderboardOf } from '../../src/report/leaderboard-rows.ts'
import { renderReport } from '../../src/report/page.ts'
import { type Results, readResults } from '../../src/results/read.ts'
import { writeFixture } from './fixture.ts'

/** What the page's script makes of the data inside the page, without a browser: its numbers are those of the results. */

let folder: string
let results: Results
/** Files that were offered, by name. */
const saved = new Map<string, Blob>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-page-data-'))
  writeFixture(folder, { queries: 40 })
  results = await readResults(folder)
  const page = renderReport(results)
  const elements = new Map(
    [...page.matchAll(/<script type="[^"]*" id="([^"]*)"(?: data-type="([^"]*)")?>([^<]*)<\/script>/g)].map(
      ([, id, type, textContent]) => [id, { textContent, dataset: { type } }],
    ),
  )
  let last: Blob
  vi.stubGlobal('document', {
    getElementById: (id: string) => elements.get(id) ?? null,
    createElement: () => {
      const attributes: Record<string, string> = {}
      return {
        setAttribute: (name: string, value: string) => {
          attributes[name] = value
        },
        append: () => {},
        click: () => saved.set(attributes.download, last),
      }
    },
  })
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    last = blob as Blob
    return 'blob:here'
  })
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

/** A module of the page's script, which looks for its data when it is loaded. */
function script(name: string) {
  return import(`../../src/report/browser/${name}.js`)
}

async function offered(what: string): Promise<string[][]> {
  const { download } = await script('downloads')
  saved.clear()
  download(what)
  await vi.waitFor(() => expect(saved.size).toBeGreaterThan(0))
  const [[, file]] = saved
  return (await file.text())
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','))
}

test('what steps counted and said of a query, and of its chunks', async () => {
  const { saidOf, countOf } = await script('query')
  const finalist = results.summary.trials.findIndex(({ finalist }) => finalist)
  const other = results.summary.trials.findIndex(({ finalist }) => !finalist)
  expect(await saidOf(finalist, 7)).toEqual([
    ['counted', 'hops 1'],
    ['hop 1 reasoning', '<b>said</b> of 7'],
  ])
  expect(await saidOf(other, 7)).toEqual([])
  expect((await countOf(finalist, 'hops'))(7)).toBe(1)
  expect((await countOf(finalist, 'links'))(7)).toBeUndefined()
  const [marks, words] = [
    await (await script('data')).numbers('marks'),
    await (await script('data')).markWords(),
  ]
  expect(Array.from(marks.slice(0, 4), (code: number) => words[code - 1] ?? '')).toEqual([
    '',
    '',
    'hop 1',
    'hop 1',
  ])
})

test('the file of trials: each with its rank, its means, its interval and what it sends', async () => {
  const { summary } = results
  const [head, ...rows] = await offered('trials')
  const { ranked } = leaderboardOf(summary, null)
  expect(rows).toHaveLength(summary.trials.length)
  for (const { id, name, measures, perQuery } of summary.trials) {
    const row = rows.find((one) => one[head.indexOf('id')] === id) ?? []
    const cell = (column: string) => row[head.indexOf(column)]
    expect(cell('name')).toBe(name)
    expect(cell('rank')).toBe(String(ranked.findIndex((one) => one.id === id) + 1))
    for (const measure of summary.measures)
      expect(Number(cell(measure))).toBeCloseTo(measures[measure].mean, 6)
    expect(Number(cell('recall@5 low'))).toBeCloseTo(measures['recall@5'].low ?? Number.NaN, 6)
    expect(Number(cell('recall@5 high'))).toBeCloseTo(measures['recall@5'].high ?? Number.NaN, 6)
    expect(Number(cell('tokens@5'))).toBe(perQuery.tokens + perQuery.evidenceTokens)
  }
})

test('the file of scores: each of each trial and query in its measure', async () => {
  const { summary, queries, scores } = results
  const [head, ...rows] = await offered('scores')
  expect(rows).toHaveLength(summary.trials.length * summary.dataset.judged)
  for (const row of rows) {
    const trial = summary.trials.findIndex(({ name }) => name === row[0])
    const query = queries.id.indexOf(row[1])
    expect(row[2]).toBe(queries.category[query])
    for (const measure of summary.measures)
      expect(Number(row[head.indexOf(measure)])).toBeCloseTo(
        scores.get(measure)?.[trial * queries.id.length + query] ?? Number.NaN,
        6,
      )
  }
})

test('a cell of the heatmap is the mean of its trials, in percent, or as it is where a measure counts', async () => {
  const { heatRows } = await script('grid')
  const all = {
    strategy: ['a', 'a', 'a', 'b'],
    varied: [
      { x: 10, y: 1 },
      { x: 10, y: 1 },
      { x: 9, y: 2 },
      { x: 10, y: 1 },
    ],
    means: { 'recall@5': [0.2, 0.4, 0.5, 1] },
    stopped: [null, null, null, null],
  }
  const rows = heatRows(all, 'a', 'x', 'y', 'recall@5')
  // Numbers in the order of their size: 9 before 10.
  expect(rows.map(({ x, y, n, text, step }: ChartRow) => [x, y, n, text, step])).toEqual([
    ['10', '1', 2, '30.0', 0],
    ['9', '2', 1, '50.0', 8],
  ])
  // What a race stopped is in no mean; a cell of nothing else is hatched, which is the step after the ramp's.
  const raced = heatRows({ ...all, stopped: [45, null, 30, null] }, 'a', 'x', 'y', 'recall@5')
  expect(raced.map(({ x, n, text, step, value }: ChartRow) => [x, n, text, step, value])).toEqual([
    ['10', 2, '40.0', 4, 0.4],
    ['9', 1, 'after 30', 9, null],
  ])
  const [whole] = heatRows(all, 'a', 'x', '', 'recall@5')
  expect([whole.x, whole.y]).toEqual(['9', 'a'])
})
