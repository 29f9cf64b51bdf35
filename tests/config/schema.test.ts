import { expect, test } from 'vitest'
import { readPrices } from '../../src/config/schema.ts'

test('a price is the one of the table, or the one that is written', () => {
  expect(readPrices(undefined)).toBeNull()
  expect(readPrices('none' as never)).toBeNull()
  expect(readPrices('gpt-5-mini')).toEqual({
    model: 'gpt-5-mini',
    input: 0.25,
    output: 2,
    date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    source: expect.stringContaining('gpt-5-mini'),
  })
  expect(readPrices({ model: 'm', input: 1, output: 2 })).toEqual({
    model: 'm',
    input: 1,
    output: 2,
    date: null,
    source: 'the config',
  })
  expect(readPrices({ model: 'm', input: 1, output: 2, date: '2026-01-02' })?.date).toBe('2026-01-02')
})
