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
