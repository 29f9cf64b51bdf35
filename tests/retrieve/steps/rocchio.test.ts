import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { alone } from '../../../src/retrieve/strategies/define.ts'
import { rocchioStrategy, rocchioVector } from '../../../src/retrieve/strategies/rocchio.ts'
import { recipe } from '../strategies/prepared.ts'

const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 })
  .map((numbers) => Float32Array.from(numbers))

test('is alpha times the query and beta times the mean of the best, of length 1', () => {
  fc.assert(
    fc.property(vector, fc.array(vector, { minLength: 1, maxLength: 5 }), (query, best) => {
      const [alpha, beta] = [0.9, 0.3]
      const expected = [0, 1, 2, 3].map(
        (dim) => alpha * query[dim] + beta * (best.reduce((sum, one) => sum + one[dim], 0) / best.length),
      )
      const length = Math.hypot(...expected)
      const moved = rocchioVector(query, best, { alpha, beta })
      expected.forEach((value, dim) => {
        expect(moved[dim]).toBeCloseTo(length < 1e-12 ? 0 : value / length, 6)
      })
    }),
  )
})

test('leaves the query as it is where nothing was found', () => {
  const query = Float32Array.of(0, 0, 0)
  expect(rocchioVector(query, [], { alpha: 0.9, beta: 0.1 })).toBe(query)
})

test('reads as many chunks as are relevant, and finds as many as are asked for', () => {
  const depths = (given: object) => {
    const params = rocchioStrategy.params.parse(given)
    const { ranking } = rocchioStrategy.retrieve({ query: sourceQuery(recipe), params, inner: alone })
    const [moved] = ranking.inputs
    return [ranking.params, moved.params, moved.inputs[1].params]
  }
  expect(depths({ pool: 2, top: 5 })).toEqual([{ depth: 2 }, { alpha: 0.9, beta: 0.1, top: 5 }, { depth: 5 }])
  expect(depths({ pool: 7, top: 5, alpha: 1, beta: 2 })).toEqual([
    { depth: 7 },
    { alpha: 1, beta: 2, top: 5 },
    { depth: 7 },
  ])
})
