import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRandom, createRandomFor, drawDistinct } from '../../../src/random.ts'
import { documents, questions } from '../../fixtures/passages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare, retrieved } from './prepared.ts'

async function ask(name: string, params: Record<string, unknown>) {
  const { ranking } = retrieved(name, params)
  return evaluate(await prepare(temporaryFolder(), [ranking]), ranking, questions)
}

it('whole-corpus is every chunk in the order of the corpus, one list in memory', async () => {
  const [first, ...others] = await ask('whole-corpus', {})
  expect([...first.rows]).toEqual([...documents.keys()])
  for (const other of others) expect(other).toBe(first)
})

it('random draws other chunks for each query and seed, the same for the same', async () => {
  const rows = async (seed: number) => (await ask('random', { seed, pool: 5 })).map((one) => [...one.rows])
  const drawn = await rows(0)
  expect(drawn.every(({ length }) => length === 5)).toBe(true)
  expect(new Set(drawn.map(String)).size).toBe(questions.length)
  expect(await rows(0)).toEqual(drawn)
  expect(await rows(1)).not.toEqual(drawn)
})

it('draws are distinct, and a shuffle where all are drawn', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(60), fc.nat(), (n, count, seed) => {
      const drawn = drawDistinct(n, count, createRandom(seed))
      expect(drawn).toHaveLength(Math.min(n, count))
      expect(new Set(drawn).size).toBe(drawn.length)
      for (const one of drawn) expect(one).toBeLessThan(n)
    }),
  )
})

it('every number is as likely in every place', () => {
  const counts = Array.from({ length: 5 }, () => [0, 0, 0])
  const draws = 5000
  for (let i = 0; i < draws; i++)
    drawDistinct(5, 3, createRandomFor(0, `query ${i}`)).forEach((one, place) => {
      counts[one][place]++
    })
  // Six standard deviations of a binomial count.
  for (const row of counts) for (const count of row) expect(Math.abs(count - draws / 5)).toBeLessThan(170)
})
