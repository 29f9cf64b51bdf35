import { expect, test } from 'vitest'
import { callsInTowns } from './calls.ts'
import { fakeModel, modelAt } from './fake-model.ts'

test('language models at indexing count with their dollars, from stored completions', async () => {
  const text =
    '("entity"<|>TownA0<|>place<|>a town)\n("relationship"<|>TownA0<|>TownB1<|>a road<|>7)\n<|COMPLETE|>'
  const { baseUrl, asked } = await fakeModel(() => text)
  const { call } = callsInTowns(
    `dataset: towns
prepare: {graph: {llm-graphrag: {model: tiny, gleanings: 0}}}
models:
  tiny: ${modelAt(baseUrl, 'model: tiny, maxTokens: 40, price: {input: 1, output: 10}')}
measures: [recall@1]
trials: [random, lightrag]
compare: {draws: 200}
`,
    {},
    16,
  )
  expect((await call('run', 'a.yaml', '--workers', '1')).err).toMatch(
    /^warning: The graph has few relationships: 1 entity [^\n]*\n$/,
  )
  const requests = asked.length
  expect(requests).toBe(16)
  const costsOf = async (...limits: string[]) =>
    JSON.parse((await call('recommend', 'experiments/a', '--json', ...limits)).out)
  const chosen = await costsOf()
  const local = [chosen, chosen.runnerUp].find(({ costs }) => costs.indexModels)
  expect(local.costs.indexDollars).toBeCloseTo((16 * (100 + 10 * 10)) / 1e6, 12)
  expect(await costsOf('--index-dollars', '0.001')).toMatchObject({
    choice: 'random',
    reason: 'only',
    excluded: [{ name: 'lightrag' }],
  })
  expect(await costsOf('--index-dollars', '0.1')).toMatchObject({ excluded: [] })
  expect(asked).toHaveLength(requests)
})
