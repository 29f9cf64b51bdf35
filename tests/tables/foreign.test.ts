import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFlipped, writeForeign } from './flips.ts'

/** Of 700 random flips, those on which the decoder came to no end. */
const ENDLESS = [17042, 170]

test('a damaged file ends neither the process nor its patience', async () => {
  const path = writeForeign()
  expect(8 * readFileSync(path).length).toBeGreaterThan(Math.max(...ENDLESS))
  for (const bit of ENDLESS) expect(await readFlipped(path, bit, 4)).toMatch(/out of time|refused/)
  expect(await readFlipped(path, 8 * 4 + 1, 60)).toBe('refused')
})
