import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFlipped, writeForeign } from '../tables/flips.ts'

/** A flip after which the decoder never ends; found among 700 random ones. */
const ENDLESS = 170

test('a damaged file on which the decoder never ends is refused after a limit of CPU time, and one by the clock', async () => {
  const path = writeForeign()
  expect(8 * readFileSync(path).length).toBeGreaterThan(ENDLESS)
  expect(await readFlipped(path, ENDLESS, { cpuSeconds: 1 })).toBe('out of time')
  expect(await readFlipped(path, ENDLESS, { seconds: 1 })).toBe('out of time')
})

test('a damaged file that the decoder refuses is refused with its name', async () => {
  expect(await readFlipped(writeForeign(), 8 * 4 + 1, {})).toBe('refused')
})
