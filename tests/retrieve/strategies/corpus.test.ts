import { expect, it } from 'vitest'
import { createRandomFor, drawDistinct } from '../../../src/random.ts'

it('every number is as likely in every place', () => {
  const counts = Array.from({ length: 5 }, () => [0, 0, 0])
  const draws = 5000
  for (let i = 0; i < draws; i++)
    drawDistinct(5, 3, createRandomFor(0, `query ${i}`)).forEach((item, place) => {
      counts[item][place]++
    })
  // Six standard deviations of a binomial count.
  for (const row of counts) for (const count of row) expect(Math.abs(count - draws / 5)).toBeLessThan(170)
})
