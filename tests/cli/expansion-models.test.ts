import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTable } from '../../src/tables/parquet.ts'
import { fakeServer } from '../models/fake-server.ts'
import { callsInTowns } from './calls.ts'
import { completion, modelAt } from './fake-model.ts'

const TOWNS = 20

/** Two models that name terms: `large` knows where the road of a town leads, `small` does not. Each takes `delay` milliseconds. */
async function setUp(delay = 0) {
  const { baseUrl, asked } = await fakeServer((_, { body }) => (response) => {
    const { content } = body.messages[0]
    const [, town] = /Question: .*Town[A-Z](\d+) leads/.exec(content) ?? []
    const end = (Number(town) + 5) % TOWNS
    const knows = body.model === 'large' && town !== undefined
    const terms = knows ? [`Town${String.fromCharCode(65 + end)}${end}`] : ['zzz']
    const { json } = completion(JSON.stringify({ terms }), { model: body.model }) as { json: unknown }
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    }, delay)
  })
  const model = (name: string, input: number) =>
    `${name}: ${modelAt(baseUrl, `model: ${name}, price: {input: ${input}, output: 0}`)}`
  const calls = callsInTowns(
    `dataset: towns
prepare: {embedder: lsa}
models: {${model('small', 1)}, ${model('large', 20)}}
trials: [{traversal: {expander: words, alpha: 0, grid: {model: [small, large]}}}, {name: both, traversal: {model: large}}]
measures: [full_recall@2]
compare: {draws: 200, baseline: traversal model=small}
`,
    {},
    TOWNS,
  )
  return { asked, ...calls }
}

test('models that name the terms are compared in one grid, each at its price', async () => {
  const { run, folder, summaryOf, asked } = await setUp()
  expect(await run('a')).toMatchObject({ code: 0 })
  expect(asked.map(({ body }) => body.model).sort()).toEqual([
    ...Array(TOWNS + 1).fill('large'),
    ...Array(TOWNS + 1).fill('small'),
  ])
  const { trials, comparison } = summaryOf('a')
  const recalls = trials.map(({ name, measures }) => [name, measures['full_recall@2'].mean])
  const [small, large] = recalls.map(([, mean]) => Number(mean))
  expect(recalls.map(([name]) => name)).toEqual(['traversal model=small', 'traversal model=large', 'both'])
  expect(large - small).toBeGreaterThan(0.3)
  expect(comparison?.rows[0]).toMatchObject({
    name: 'traversal model=large',
    wins: 10,
    losses: 0,
    verdict: 'better',
  })
  // Each query's tokens are counted by model, and have its price.
  const table = await readTable(join(folder, 'a/diagnostics.parquet'), ['trial', 'name', 'value'])
  const [trialOf, values] = ['trial', 'value'].map((name) => table.numbers(name))
  const spent = table
    .strings('name')
    .flatMap((name, row) =>
      /^inputTokens of|^cost_usd/.test(name) ? [`${trialOf[row]} ${name} ${values[row]}`] : [],
    )
  expect([...new Set(spent)].sort()).toEqual([
    '0 cost_usd 0.0001',
    '0 inputTokens of small 100',
    '1 cost_usd 0.002',
    '1 inputTokens of large 100',
    '2 cost_usd 0.002',
    '2 inputTokens of large 100',
  ])
})

test('`ask` shows the intent, the terms, the paths, and tokens and milliseconds of the model', async () => {
  const delay = 60
  const { call } = await setUp(delay)
  const ask = (...more: string[]) =>
    call('ask', 'a.yaml', 'Which craft has the town where the road from TownB1 leads?', '-t', 'both', ...more)
  const { code, out } = await ask()
  expect(code).toBe(0)
  for (const line of [
    'intent: lookup',
    'terms: townb1, TownG6, craft has, town, road, townb1 lead',
    'terms of the model: TownG6',
  ])
    expect(out).toContain(`\n  ${line}\n`)
  const millisecondsOf = (step: string) => Number(new RegExp(`\\n  ${step} +([\\d.]+) ms\\n`).exec(out)?.[1])
  expect(millisecondsOf('ask-terms')).toBeGreaterThanOrEqual(delay - 1)
  for (const step of ['score-terms', 'dense']) expect(millisecondsOf(step)).toBeGreaterThanOrEqual(0)
  const { counters } = JSON.parse((await ask('--json')).out)
  expect(counters).toMatchObject({
    byTerms: 20,
    semantic: 20,
    overlap: 20,
    expandedTerms: 6,
    termsWithHits: 4,
    termHitRate: 4 / 6,
    modelCalls: 1,
    'inputTokens of large': 100,
    'outputTokens of large': 10,
  })
})
