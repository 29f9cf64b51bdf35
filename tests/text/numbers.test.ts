import { expect, test } from 'vitest'
import { readInteger, readNumber } from '../../src/text/numbers.ts'

test('strictly: numbers that are finite, whole ones that fit 32 bits', () => {
  expect(['1', '-1.5', '+.5e3', '2.'].map(readNumber)).toEqual([1, -1.5, 500, 2])
  expect(
    ['', ' 1', '1 ', '0x', '0x10', '1e', '1_0', 'Infinity', '1e999', 'nan', '1,5'].map(readNumber),
  ).toEqual(new Array(11).fill(undefined))
  expect(['7', '-2147483647', '2147483647'].map(readInteger)).toEqual([7, -2147483647, 2147483647])
  expect(['2147483648', '-2147483648', '1.0', '', '1e3'].map(readInteger)).toEqual(
    new Array(5).fill(undefined),
  )
})
