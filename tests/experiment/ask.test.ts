import { expect, test } from 'vitest'
import { weakMatch } from '../../src/experiment/ask.ts'

test('a match is weak below a cosine of 0.3; without a dense search nothing is said', () => {
  expect([null, 1, 0.3].map(weakMatch)).toEqual([null, null, null])
  expect(weakMatch(0.299)).toBe('weak match: the nearest chunk has a cosine of 0.30, below 0.3')
  expect(weakMatch(-0.126)).toBe('weak match: the nearest chunk has a cosine of -0.13, below 0.3')
})
