import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readGold, readScores } from '../../src/results/columns.ts'
import { stageOrder } from '../../src/results/flipped.ts'
import { writeTable } from '../../src/tables/parquet.ts'
import { temporaryFolder } from '../temporary.ts'

function scoresFile(trial: number[], query: number[]): string {
  const path = join(temporaryFolder(), 'scores.parquet')
  writeTable(path, [
    { name: 'trial', type: 'int32', values: Int32Array.from(trial) },
    { name: 'query', type: 'int32', values: Int32Array.from(query) },
    { name: 'a', type: 'number', values: trial.map((_, row) => row / 4) },
    { name: 'b', type: 'number', values: trial.map((_, row) => -row) },
  ])
  return path
}

test('scores by measure, trial and query; a query that is not judged has none', async () => {
  const path = scoresFile([1, 0, 1], [0, 2, 2])
  const none = Number.NaN
  expect(await readScores(path, ['b', 'a'], 2, 3)).toEqual(
    new Map([
      ['b', Float64Array.of(none, none, -1, -0, none, -2)],
      ['a', Float64Array.of(none, none, 0.25, 0, none, 0.5)],
    ]),
  )
})

test('gold has a row for each label of each trial', async () => {
  const path = join(temporaryFolder(), 'gold.parquet')
  writeTable(path, [
    { name: 'rank', type: 'int32', values: Int32Array.of(1, 0, 3, 2) },
    { name: 'stage', type: 'string', values: ['found', 'lost', 'found', 'found'] },
  ])
  expect((await readGold(path, 2, 2)).rank).toEqual(Int32Array.of(1, 0, 3, 2))
  await expect(readGold(path, 2, 3)).rejects.toThrow(`${path}: has 4 rows, but 2 trials have 3 labels each`)
})

test('stages stand in the order of the funnels, whichever trial has them last', () => {
  const funnel = (...stages: string[]) => ({ funnel: stages.map((stage) => ({ stage })) }) as never
  const place = stageOrder([funnel('search', 'found'), funnel('dense', 'search', 'rerank', 'found')])
  expect(['dense', 'search', 'rerank', 'found', 'other'].map(place)).toEqual([0, 0.25, 0.5, 0.75, Number.NaN])
})
