import { expect, test } from 'vitest'
import { fixedPath, stageNames, stagePath } from '../../../src/experiment/plan/stages.ts'
import { find } from '../../../src/registry.ts'
import { defineStep, sourceQuery } from '../../../src/retrieve/step.ts'
import { alone } from '../../../src/retrieve/strategies/define.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import { minScore } from '../../../src/retrieve/transforms/min-score.ts'
import type { Ranking } from '../../../src/types.ts'
import { recipe } from '../../retrieve/strategies/prepared.ts'

await strategies.load(['naive'])

const join = defineStep({
  name: 'join',
  version: 1,
  yields: 'ranking',
  run: ([first]: readonly [Ranking, Ranking]) => first,
})

const query = sourceQuery(recipe)
const naive = find(strategies, 'naive')
const { ranking } = naive.retrieve({ query, params: naive.params.parse({}) as never, inner: alone })
const root = join([ranking, minScore.apply({ ranking, query, params: { least: 0 } })], null)

test('stages are those before a search, its pool, and each later step', () => {
  expect(stageNames(root)).toEqual([
    'failed',
    'not in corpus',
    'not in index',
    'not in a pool',
    'lost by min-score',
    'lost by join',
    'below depth',
    'found',
  ])
})

test('a path is fixed where no step picks another', () => {
  expect(fixedPath(root)?.map(({ step }) => step.name)).toEqual(['dense', 'min-score', 'join'])
  const picked = { key: 'k', step: { name: 'route', pick: () => 0 }, inputs: [root], params: null }
  expect(fixedPath(picked as never)).toBeNull()
})

test('a ranking that two steps read is on the path once', () => {
  const path = stagePath({} as never, root, 0)
  expect(path.map(({ step }) => step.name)).toEqual(['dense', 'min-score', 'join'])
})
