import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { boardOf } from '../../src/report/make-board.ts'
import { renderReport } from '../../src/report/page.ts'
import { type Results, readResults } from '../../src/results/read.ts'
import { sharedFolder } from '../temporary.ts'
import { writeFixture } from './fixture.ts'

/** The page's script over the data in the page, without a browser: its numbers are those of the results. */

const folder = sharedFolder()
let results: Results

beforeAll(async () => {
  writeFixture(folder, { queries: 40, answers: true })
  results = await readResults(folder)
  const page = await renderReport(results)
  const elements = new Map(
    [...page.matchAll(/<script type="[^"]*" id="([^"]*)"(?: data-type="([^"]*)")?>([^<]*)<\/script>/g)].map(
      ([, id, type, textContent]) => [id, { textContent, dataset: { type } }],
    ),
  )
  vi.stubGlobal('document', { getElementById: (id: string) => elements.get(id) ?? null })
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A module of the page's script, which looks for its data when it is loaded. */
function drawn(name: string) {
  return import(`../../src/report/browser/${name}.tsx`)
}

function typed(name: string) {
  return import(`../../src/report/browser/${name}.ts`)
}

async function offered(label: string): Promise<string[][]> {
  const { DOWNLOADS } = await drawn('downloads')
  const text: string = await DOWNLOADS[label][1]()
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','))
}

test('the file of trials: each with its rank, its means, its interval and what it sends', async () => {
  const { summary } = results
  const [head, ...rows] = await offered('trials')
  const { ranked } = boardOf(summary, null)
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
    expect(Number(cell('tokens@5'))).toBeCloseTo(perQuery.tokens + perQuery.evidenceTokens, 2)
  }
})

test('the file of scores: each of each trial and query in its measure', async () => {
  const { summary, queries, scores } = results
  const [head, ...rows] = await offered('scores')
  expect(rows).toHaveLength(summary.trials.length * summary.datasets[0].judged)
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

test("the page's answers to a query are those of the compared trials and without retrieval, with every value", async () => {
  const { answersOf } = await typed('data')
  const [trial] = results.summary.trials.flatMap(({ finalist }, place) => (finalist ? [place] : []))
  const own = { text: 'answer to 1 [1, 3] and [9]', failure: '' }
  const values = [
    { name: 'answer_f1', value: 0.25, reason: '' },
    { name: 'correctness', value: 0.875, reason: 'a reason for 1' },
  ]
  const { id } = await (await typed('data')).texts()
  const cites = [
    [1, id.indexOf('p00000'), ''],
    [3, -1, 'an entity of the graph'],
    [9, -1, ''],
  ]
  expect(await answersOf([trial], 1)).toEqual([
    { trial: -1, answerer: 'closed-book', ...own, values, cites },
    { trial, answerer: 'extractive', ...own, values, cites },
  ])
  expect((await answersOf([], 0))[0].values[1]).toEqual({ name: 'correctness', value: null, reason: '' })
  expect((await answersOf([], 39))[0]).toMatchObject({ text: '', failure: 'no reply' })
})
