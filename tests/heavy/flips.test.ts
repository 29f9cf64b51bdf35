import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { randomNumbers } from '../report/simulate.ts'
import { type Read, readFlipped, writeForeign } from '../tables/flips.ts'

test('700 files with one bit flipped: each is read or refused, by its name and in time', async () => {
  const path = writeForeign()
  const bits = 8 * readFileSync(path).length
  const random = randomNumbers(3)
  const counts: Record<Read, number> = { 'the same': 0, other: 0, refused: 0, 'out of time': 0 }
  for (let flip = 0; flip < 700; flip++) {
    counts[await readFlipped(path, Math.floor(random() * bits), { cpuSeconds: 5 })]++
  }
  expect(counts.refused).toBeGreaterThan(100)
})
