import { expect, test } from 'vitest'
import { atof, atol, readInteger, readNumber } from '../../src/text/numbers.ts'

test('strictly: decimal numbers that are finite, whole ones that fit 32 bits', () => {
  expect(['1', '-1.5', '+.5e3', '2.'].map(readNumber)).toEqual([1, -1.5, 500, 2])
  expect(['', ' 1', '1 ', '0x1', '1e999', 'nan', '1,5'].map(readNumber)).toEqual(new Array(7).fill(undefined))
  expect(['7', '-2147483647', '2147483647'].map(readInteger)).toEqual([7, -2147483647, 2147483647])
  expect(['2147483648', '-2147483648', '1.0', '', '1e3'].map(readInteger)).toEqual(
    new Array(5).fill(undefined),
  )
})

test('as C: the beginning of any text, 0 where it is no number', () => {
  expect([' 1.5x', '-inf', 'Infinity', 'x', '1e', '.'].map(atof)).toEqual([
    1.5,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    0,
    1,
    0,
  ])
  expect(atof('nan')).toBeNaN()
  expect([' 12.9', '-3x', 'x', '', '99999999999'].map(atol)).toEqual([12, -3, 0, 0, undefined])
})
