import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { boardOf } from '../../src/report/make-board.ts'
import { renderReport } from '../../src/report/page.ts'
import { type Results, readResults } from '../../src/results/read.ts'
import { sharedFolder } from '../temporary.ts'
import { writeFixture } from './fixture.ts'

/** What the page's script makes of the data inside the page, without a browser: its numbers are those of the results. */

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

async function offered(what: string): Promise<string[][]> {
  const { DOWNLOADS } = await drawn('downloads')
  const text: string = await DOWNLOADS[what][1]()
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','))
}

test('each id of the page is there once', async () => {
  const markup = (await renderReport(results)).replace(/<script[\s\S]*?<\/script>/g, '')
  const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
})

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

test('the query explorer has the best rank of gold, and its filters split the queries', async () => {
  const { explore, filtered } = await typed('explore')
  const [a, b] = [0, 1]
  const data = await explore(a, b)
  const { gold, labels, queries, scores } = results
  const bestOf = (trial: number, query: number) => {
    const ranks = [...labels.query].flatMap((of, label) =>
      of === query && labels.grade[label] >= 1 ? [gold.rank[trial * labels.rows + label]] : [],
    )
    const found = ranks.filter((rank) => rank > 0)
    return ranks.length === 0 ? -1 : found.length > 0 ? Math.min(...found) : 0
  }
  data.columns.forEach((trial: number, column: number) => {
    queries.id.forEach((_, query) => {
      expect(data.best[column][query]).toBe(bestOf(trial, query))
    })
  })
  const wanted = { text: '', category: '', outcome: '', arm: '', order: '' }
  const count = (change: object) => filtered(data, { ...wanted, ...change }).length
  expect(count({})).toBe(queries.id.length)
  expect(count({ outcome: 'better' }) + count({ outcome: 'worse' })).toBe(count({ outcome: 'differs' }))
  const judged = scores
    .get('recall@5')!
    .slice(0, queries.id.length)
    .filter((score) => !Number.isNaN(score)).length
  expect(count({ outcome: 'tied' }) + count({ outcome: 'differs' })).toBe(judged)
  expect(count({ text: queries.id[7] })).toBe(1)
  const [{ name, arms }] = results.summary.routing
  const chosen = arms.map((arm) => count({ arm: `${name}: ${arm.name}` }))
  expect(chosen).toEqual(arms.map((arm) => arm.chosen))
  expect(count({ arm: 'no router: no arm' })).toBe(0)
  const categories = [...new Set(queries.category)]
  expect(categories.reduce((sum, category) => sum + count({ category }), 0)).toBe(queries.id.length)
  const numbered = {
    ...data,
    queries: { ...data.queries, id: data.queries.id.map((_: string, at: number) => `q${at}`) },
  }
  expect(filtered(numbered, wanted).slice(8, 12)).toEqual([8, 9, 10, 11])
})

test('a link holds every param', async () => {
  vi.stubGlobal('location', { hash: '' })
  const { parseRoute, routeHash } = await typed('state')
  const route = { section: 'queries', params: { q: 'a&b #1?', find: 'x=y' } }
  expect(parseRoute(routeHash(route))).toEqual(route)
  expect(parseRoute('')).toEqual({ section: 'verdict', params: {} })
  expect(parseRoute('#%E0%A4%A').section).toBe('%E0%A4%A')
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
