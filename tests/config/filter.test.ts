import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

async function load(...filters: string[]) {
  const trials = filters.map((filter) => `{bm25: {}, filter: ${filter}}`)
  const folder = temporaryFolder({ 'a.yaml': `dataset: towns\ntrials: [${trials.join(', ')}]\n` })
  writeTowns(join(folder, 'towns'), { towns: 2 })
  return loadConfig(join(folder, 'a.yaml'), { set: [], env: {}, folder })
}

const range = (from: string | number, to: string | number) => `{where: {year: {from: ${from}, to: ${to}}}}`

test('a range may have one value, one end, or several fields', async () => {
  const { trials } = await load(
    range(2024, 2024),
    range('2024-05', '2024-05'),
    '{where: {year: {from: 3}, lang: [en, de], kind: {query: kind}}, statistics: subset}',
    '{where: {year: {from: {query: asked}, to: 7}}}',
  )
  expect(trials.map(({ name }) => name)).toEqual([
    'bm25 filter=year=2024..2024',
    'bm25 filter=year=2024-05..2024-05',
    'bm25 filter=year=3..,lang=en|de,kind=query.kind,subset',
    'bm25 filter=year=query.asked..7',
  ])
})

test.each([
  [range(2024, 2023), 'must be at least `from`, 2024, not 2023'],
  [range('2024-05-02', '2024-05-01'), 'must be at least `from`, `2024-05-02`, not `2024-05-01`'],
  [range(1, '2024-05-01'), 'is a date, and `from` is a number'],
  [range('soon', 2), 'must be a number or an ISO date as 2024-05-01, not `soon`'],
  ['{where: {year: {to: later}}}', 'must be a number or an ISO date as 2024-05-01, not `later`'],
  [
    '{where: {year: {query: year, to: 3}}}',
    'must be the only key: {query: field}, or {from: {query: field}}',
  ],
  ['{where: {year: {query: year, from: 3}}}', 'must be the only key'],
  ['{where: {year: {}}}', 'is lacking, or `to`, or `query`'],
  ['{where: {}}', 'names no field'],
  ['{where: {lang: []}}', 'lang'],
])('%s is refused', async (filter, message) => {
  await expect(load(filter)).rejects.toThrow(message)
})

test('two days that meet are a range', async () => {
  await expect(load(range('2024-05-01', '2024-05'), range('2024-05', '2024-05-01'))).resolves.toBeDefined()
})
