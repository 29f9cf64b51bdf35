import { expect, test } from 'vitest'
import { lastReads } from '../../../src/experiment/shard/shard.ts'
import type { Expression } from '../../../src/retrieve/step.ts'
import type { Ranking } from '../../../src/types.ts'

/** Only what is read here: an expression of `own` over others. */
function expression(own: string, ...inputs: Expression<unknown>[]): Expression<Ranking> {
  const key = `${own}(${inputs.map((input) => input.key).join()})`
  return { own, key, inputs, step: { name: own } } as unknown as Expression<Ranking>
}

test('an expression goes with the last trial that reads it or its equal', () => {
  const query = expression('query')
  const rewritten = expression('rewrite', query)
  const dense = expression('dense', query)
  // The same computation of another query, which may turn out to be the same.
  const denseRewritten = expression('dense', rewritten)
  const trials = [
    { ranking: expression('fuse 0.1', dense) },
    { ranking: expression('fuse 0.2', dense), evidence: expression('cite', dense) },
    { ranking: denseRewritten },
    { ranking: rewritten },
  ]
  const keys = lastReads(trials as never).map((list) => list.map(({ key }) => key).sort())
  expect(keys).toEqual([
    [trials[0].ranking.key],
    ['cite(dense(query()))', 'fuse 0.2(dense(query()))'],
    ['dense(query())', 'dense(rewrite(query()))'],
    ['query()', 'rewrite(query())'],
  ])
})
