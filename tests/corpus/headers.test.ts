import { expect, test } from 'vitest'
import { headersOf, hopParts } from '../../src/retrieve/strategies/multi-hop.ts'

const lookUp = headersOf(['Counteract', 'Movement: Minimum Move Stat', 'Movement', 'Cover', 'counteract', ''])

test.each([
  ['COUNTERACT', [0, 4], 1],
  ['Movement: minimum move stats', [1], 54 / 55],
  ['Cover rules', undefined, undefined],
  ['', undefined, undefined],
  ['???', undefined, undefined],
])('%s', (title, rows, match) => {
  const heading = lookUp(title, 0.85)
  expect(heading && [...heading.rows]).toEqual(rows)
  if (match !== undefined) expect(heading?.match).toBeCloseTo(match, 2)
})

test('a lower threshold takes less alike headings', () => {
  expect(lookUp('Cover rules', 0.6)?.rows).toEqual([3])
})

test("the seed's example is split at commas, without quotes", () => {
  expect(
    hopParts("'Movement: Minimum move stat', COUNTERACT, Cover rules, ,counter-act, COUNTERACT"),
  ).toEqual(['Movement: Minimum move stat', 'COUNTERACT', 'Cover rules', 'counter-act'])
})
