import { expect, test } from 'vitest'
import { stagePath } from '../../../src/experiment/plan/stages.ts'
import { find } from '../../../src/registry.ts'
import { defineStep, sourceQuery } from '../../../src/retrieve/step.ts'
import { alone } from '../../../src/retrieve/strategies/define.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import { window } from '../../../src/retrieve/transforms/window.ts'
import type { Ranking } from '../../../src/types.ts'
import { recipe } from '../../retrieve/strategies/prepared.ts'

await strategies.load(['naive'])

const join = defineStep({
  name: 'join',
  version: 1,
  yields: 'ranking',
  run: ([first]: readonly [Ranking, Ranking]) => first,
})

test('a ranking that two steps read is on the path once', () => {
  const query = sourceQuery(recipe)
  const naive = find(strategies, 'naive')
  const { ranking } = naive.retrieve({ query, params: naive.params.parse({}) as never, inner: alone })
  const root = join([ranking, window.apply({ ranking, query, params: { around: 1 } })], null)
  const path = stagePath({} as never, root, 0)
  expect(path.map(({ step }) => step.name)).toEqual(['dense', 'window', 'join'])
})
